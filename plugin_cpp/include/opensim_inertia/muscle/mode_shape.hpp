// Shape of a belly's sideways mode at material points: phi = sin(pi c), c = w chi + (1 - w) xi in [0, 1].
//
// w is the part of the belly that an aponeurosis has at the reference pose. phi belongs to the material, so that the
// kinetic energy of x = X + phi d has no other terms than those of the two motions (docs/theory/wobble.md).
#pragma once

#include <numbers>

#include "opensim_inertia/scalar/time_jet.hpp"

namespace opensim_inertia {

struct ModeShape {
    double aponeurosis = 0;    // w
};

// phi of mass that lies evenly along a line of the material, z from `half` below its mean to `half` above, on which the
// phase pi c has the slope `slope` over z.
template <class T>
class ModeOnLine {
  public:
    ModeOnLine(const T& slope, const T& half) {
        const T x = slope * half;
        const double turn = value(x), y = turn * turn;
        terms_ = y < 0.01 ? 6 : y < 0.5 ? 9 : kTerms;
        sinc_ = sinc(x * x);
        moment_ = value(half) * turn * first_moment(y);
    }

    // The mean of phi where the phase is `phase` in the middle of the line, and by how much the mean of z weighted by
    // phi is beyond the mean of z.
    T mean(const T& phase, double& offset) const {
        const double sine = std::sin(value(phase)), cosine = std::cos(value(phase));
        const T found = chain(phase, sine, cosine, -sine) * sinc_;
        offset = value(found) != 0 ? cosine * moment_ / value(found) : 0;
        return found;
    }

  private:
    T sinc_;
    double moment_;
    int terms_;

    // sin x / x, a function of y = x^2
    T sinc(const T& y) const {
        T sum(0.0);
        for (int k = terms_; k > 0; --k) sum = y * (T(1.0) + sum) * (-1.0 / ((2 * k) * (2 * k + 1)));
        return T(1.0) + sum;
    }

    // (sin x - x cos x) / x^3
    double first_moment(double y) const {
        double sum = 0, term = 1.0 / 3;
        for (int k = 1; k <= terms_; ++k) {
            sum += term;
            term *= -y * (k + 1.0) / (k * (2 * k + 2) * (2 * k + 3));
        }
        return sum;
    }

    // To rounding, rates included, for |x| up to 3; it is below pi / 2. Fewer are enough for less.
    static constexpr int kTerms = 12;
};

}    // namespace opensim_inertia
