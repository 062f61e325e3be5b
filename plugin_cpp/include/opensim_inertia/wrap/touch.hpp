// Smooth touch of a path and a surface. (docs/theory/wrapping.md, "Smooth touch")
//
// A taut string is C0 where it meets a surface. Here it always wraps an *effective* surface, through the point of the
// chord next to the centre while the chord is clear, the surface itself when the chord is well inside:
//   level = d + h P((r - d) / h),  P = smooth_ramp,
// with d the chord's distance from the centre and r the surface's size in the same measure. For |r - d| > h the path is
// exactly straight, or exactly the geodesic.
#pragma once

#include "opensim_inertia/scalar/smooth_ramp.hpp"

namespace opensim_inertia {

// An end nearer to the surface than about kClear, or inside, is treated as if it were outside: the surface shrinks.
constexpr double kClear = 5e-5, kNearest = 2e-5;    // [m]

// The end's distance from the surface, never below kNearest; exact above kClear + kNearest. `unit`: [m] per unit of gap
template <class T>
T clear_gap(const T& gap, double unit) {
    const double c = kClear / unit, e = kNearest / unit;
    if (value(gap) >= c + e) return gap;
    return T(e) + smooth_ramp((gap - T(e)) * (1 / c)) * c;
}

// The effective level. d: distance of the chord; p, q: distances of the ends from the centre; r: size of the surface.
// Returns false if the path is straight.
template <class T>
bool touch_level(const T& d, const T& p, const T& q, double r, double h, double unit, T& level) {
    const T gp = clear_gap(p - T(r), unit), gq = clear_gap(q - T(r), unit);
    const double h0 = h / unit;
    const double lowered = 2 * r - value(p) - value(q) + value(gp) + value(gq);
    const double inside = r - lowered - value(d);
    if (inside <= -h0) return false;
    if (r - lowered <= 0) return false;    // an end on the axis
    // the transition shrinks before an end comes near
    const double h1 = inside < h0 ? h0 * std::tanh(0.8 * value(gp) / h0) * std::tanh(0.8 * value(gq) / h0) : h0;
    if (inside <= -h1) return false;
    // r less what the ends' nearness takes from it
    level = T(r);
    if (lowered > 0) level = level - (gp - p + T(r)) - (gq - q + T(r));
    if (inside >= h1) return true;
    const T width = tanh(gp * (0.8 / h0)) * tanh(gq * (0.8 / h0)) * h0;
    level = d + width * smooth_ramp((level - d) * inverse(width));
    return true;
}

}    // namespace opensim_inertia
