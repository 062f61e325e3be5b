// Shares of mass on two strings past a surface with nearly equal lengths, or with hardly one string.
// (docs/theory/wrapping.md, "Divided mass")
//
// A string is firm by how far from the centre its chord passes: the nearer, the faster it turns about its ends. With r
// the part of the mass that a string of its firmness leads, and s1 + s2 = 1 by how much either string is the shorter
// one, mass goes
//   the first way by  r1 (1 - r2 s2),   the second by  r2 (1 - r1 s1),   straight through by  (1 - r1) (1 - r2).
// These are smooth functions of the ends, whichever string is called the first; no mass is where a string vanishes.
#pragma once

#include <array>

#include "opensim_inertia/scalar/smooth_ramp.hpp"

namespace opensim_inertia {

enum class Way { first, second, straight };
inline constexpr std::size_t kWays = 3;

template <class T>
using Shares = std::array<T, kWays>;

// What of the mass a string leads: all of it where its chord passes at more than about half of the surface's radius.
template <class T>
T led_by(const T& firmness) {
    constexpr double loose = 0.2, firm = 0.5;
    return smooth_step((firmness * 2.0 - T(loose + firm)) * (1 / (firm - loose)));
}

// Of a string that is the only one.
template <class T>
Shares<T> share_out(const T& firmness) {
    const T led = led_by(firmness);
    return {led, T(0.0), T(1.0) - led};
}

// What a string leads that swings over between several surfaces, `swing` being 1 in the middle and 0 before and after:
// no mass as soon as it has begun.
template <class T>
T led_in_swing(const T& swing) {
    constexpr double begun = 0.1;
    return T(1.0) - smooth_step(swing * (2 / begun) - T(1.0));
}

// `longer`: by how much the second string is longer than the first, in units of what decides between them
template <class T>
Shares<T> share_out(const T& first, const T& second, const T& longer) {
    const T one(1.0), r1 = led_by(first), r2 = led_by(second), s1 = smooth_step(longer);
    return {r1 * (one - r2 * (one - s1)), r2 * (one - r1 * s1), (one - r1) * (one - r2)};
}

}    // namespace opensim_inertia
