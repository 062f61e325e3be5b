// Where the material is along a path of length L: s = A(L) + beta B(L), beta in [0, 1] over the muscle's belly.
//
// One map covers every strain model (design: s = c + d L):
//   uniform strain (Wang et al. 2022, sec. 3)        B = phi L,      A = f (L - B)
//   rigid tendons of total length `slack` (sec. 5)   B = L - slack,  A = f (L - B)
// f is the part of what is not belly that lies at the proximal end.
#pragma once

#include "types.hpp"

namespace opensim_inertia {

template <class Real = double>
struct MaterialMap {
    Real phi = 1.0;           // belly's share of the path length
    Real slack = 0.0;         // length of the rigid tendons [m]
    Real proximal = 0.0;      // share f of the rest that lies proximally
    double shortest = 0;      // length below which the belly is held [m]
    double hold_width = 0;    // half width of the smooth transition to it [m]; 0: never held

    // Belly length, C3 in L: exactly phi L - slack above shortest + hold_width, exactly `shortest` as far below.
    template <class T>
    T belly_length(const T& L) const {
        const T b = L * phi - T(slack);
        if (hold_width <= 0) return b;
        const T x = (b - T(shortest)) * (1 / hold_width);
        const double x0 = value(x);
        if (x0 >= 1) return b;
        if (x0 <= -1) return T(shortest);
        const T y = x * x;
        // double integral of the kernel (15/16)(1 - x^2)^2
        const T P = T(5.0 / 32) + x * 0.5 + y * (T(0.5) - y * (1.0 / 6) + y * y * (1.0 / 30)) * (15.0 / 16);
        return T(shortest) + P * hold_width;
    }

    template <class T>
    T proximal_end(const T& L, const T& B) const {
        return (L - B) * proximal;
    }

    bool holds(double L) const { return hold_width > 0 && value(phi) * L - value(slack) < shortest + hold_width; }

    template <class Other>
    MaterialMap<Other> as() const {
        return {phi, slack, proximal, shortest, hold_width};
    }
};

}    // namespace opensim_inertia
