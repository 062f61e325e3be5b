// How far each material point of a belly goes with a sideways mode: phi = sin(n pi c), c = w chi + (1 - w) xi in [0,
// 1].
//
// w is the part of the belly that an aponeurosis has at the reference pose. phi belongs to the material, so that the
// kinetic energy of x = X + phi d has no other terms than those of the two motions (docs/theory/wobble.md).
#pragma once

#include <numbers>

#include "opensim_inertia/scalar/time_jet.hpp"

namespace opensim_inertia {

struct ModeShape {
    int order = 1;             // n
    double aponeurosis = 0;    // w
};

// phi times a mass that lies evenly along a line of the material, z from `mean - half` to `mean + half`, on which the
// phase n pi c is `phase` in the middle and has the slope `slope` over z.
template <class T>
struct ModeOnLine {
    T mean;           // of phi
    double offset;    // of the mean of z weighted by phi from the mean of z

    ModeOnLine(const T& phase, const T& slope, const T& half) : mean(sin(phase)), offset(0) {
        const T x = slope * half, y = x * x;
        mean = mean * sinc(y);
        const double turn = value(x), middle = value(mean);
        if (middle != 0) offset = std::cos(value(phase)) * value(half) * turn * first_moment(turn * turn) / middle;
    }

  private:
    // sin x / x, a function of y = x^2
    static T sinc(const T& y) {
        T sum(0.0);
        for (int k = kTerms; k > 0; --k) sum = y * (T(1.0) + sum) * (-1.0 / ((2 * k) * (2 * k + 1)));
        return T(1.0) + sum;
    }

    // (sin x - x cos x) / x^3
    static double first_moment(double y) {
        double sum = 0, term = 1.0 / 3;
        for (int k = 1; k <= kTerms; ++k) {
            sum += term;
            term *= -y * (k + 1.0) / (k * (2 * k + 2) * (2 * k + 3));
        }
        return sum;
    }

    static constexpr int kTerms = 12;    // to rounding for |x| up to 3; it is below n pi / 2
};

}    // namespace opensim_inertia
