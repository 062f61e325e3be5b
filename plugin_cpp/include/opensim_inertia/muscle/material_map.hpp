// Position of material along a path of length L: s = A(L) + chi P(L) + xi B(L), chi and xi in [0, 1] over the belly.
//
// A fibre of length B starts at the fraction chi along the proximal aponeurosis, which is P long; xi is along the
// fibre. The belly, from A to A + P + B, is as long as an aponeurosis and a fibre. One map covers every strain model:
//   uniform strain (Wang et al. 2022, sec. 3)        B = phi L,      A = f (L - B),  P = 0
//   rigid tendons of total length `slack` (sec. 5)   B = L - slack,  A = f (L - B),  P = 0
//   fibres between aponeuroses                       B = L - slack,  A = f (L - B),  P = e (L - B)
// f is the part of what is not fibre that lies at the proximal end, e the part that one aponeurosis takes.
#pragma once

#include "opensim_inertia/scalar/types.hpp"

namespace opensim_inertia {

template <class Real = double>
struct MaterialMap {
    Real phi = 1.0;            // change of the fibres' length per change of the path's
    Real slack = 0.0;          // length of the rigid tendons, one aponeurosis included [m]
    Real proximal = 0.0;       // fraction f of the rest that lies proximally
    double shortest = 0;       // length below which fibres are held [m]
    double hold_width = 0;     // half width of the smooth transition to it [m]; 0: never held
    Real aponeurosis = 0.0;    // fraction e of the rest

    // Fibre length: exactly phi L - slack above shortest + hold_width, exactly `shortest` as far below, C3 in L; but a
    // path that is shorter than that is fibre from end to end.
    template <class T>
    T fibre_length(const T& L) const {
        const T b = L * phi - T(slack);
        if (hold_width <= 0) return b;
        const T held = held_length(b);
        return value(held) > value(L) ? L : held;
    }

    template <class T>
    T proximal_end(const T& L, const T& B) const {
        return (L - B) * proximal;
    }

    template <class T>
    T aponeurosis_length(const T& L, const T& B) const {
        return (L - B) * aponeurosis;
    }

    bool holds(double L) const { return hold_width > 0 && value(phi) * L - value(slack) < shortest + hold_width; }

    template <class Other>
    MaterialMap<Other> as() const {
        return {phi, slack, proximal, shortest, hold_width, aponeurosis};
    }

  private:
    template <class T>
    T held_length(const T& b) const {
        const T x = (b - T(shortest)) * (1 / hold_width);
        const double x0 = value(x);
        if (x0 >= 1) return b;
        if (x0 <= -1) return T(shortest);
        const T y = x * x;
        // double integral of the kernel (15/16)(1 - x^2)^2
        const T P = T(5.0 / 32) + x * 0.5 + y * (T(0.5) - y * (1.0 / 6) + y * y * (1.0 / 30)) * (15.0 / 16);
        return T(shortest) + P * hold_width;
    }
};

}    // namespace opensim_inertia
