// The planar problem of cylinder, sphere and torus: a string from p to q around a circle about the origin.
#pragma once

#include <numbers>
#include <optional>

#include "opensim_inertia/wrap/touch.hpp"
#include "opensim_inertia/wrap/wrap_surface.hpp"

namespace opensim_inertia {

template <class T>
struct Vec2 {
    T x, y;
};

template <class T>
struct PlanarWrap {
    T radius;              // of the effective circle
    Vec2<T> on, off;       // tangent points
    T lead, turn, tail;    // length to the first tangent point, angle, length from the second
};

// Where the chord passes on the far side of the centre (d < 0) the path goes the long way round, up to a seam: with a
// quadrant where OpenSim has it, else where the foot of the centre leaves the chord.
struct ChordSide {
    bool foot_inside, both_active, foot_active;
};

inline bool may_wrap(const WrapSurface& s, double d, const ChordSide& side) {
    if (d >= 0) return side.foot_inside;
    if (!s.long_way && d < -s.size[0]) return false;
    if (!s.has_quadrant()) return side.foot_inside;
    const bool cuts = side.foot_inside && d > -s.size[0];
    return cuts || (!side.both_active && !side.foot_active);
}

// The string around the circle of this radius, wherever the chord is; d its distance.
template <class T>
PlanarWrap<T> tangents(const T& radius, double turn, const Vec2<T>& p, const Vec2<T>& q, double d) {
    PlanarWrap<T> w;
    w.radius = radius;
    const T p2 = p.x * p.x + p.y * p.y, q2 = q.x * q.x + q.y * q.y;
    w.lead = sqrt(p2 - radius * radius);
    w.tail = sqrt(q2 - radius * radius);
    const T a = radius * inverse(p2), b = radius * inverse(q2), l = w.lead * turn, t = w.tail * turn;
    w.on = {a * (radius * p.x - l * p.y), a * (radius * p.y + l * p.x)};
    w.off = {b * (radius * q.x + t * q.y), b * (radius * q.y - t * q.x)};
    w.turn = atan2((w.on.x * w.off.y - w.on.y * w.off.x) * turn, w.on.x * w.off.x + w.on.y * w.off.y);
    // from nothing to nearly a full turn; a chord on the path's own side never needs half of it
    if (value(w.turn) < (d > 0 ? -1.0 : 0.0)) w.turn = w.turn + T(2 * std::numbers::pi);
    return w;
}

// Effective radius of a string that passes a circle of this radius in the sense `turn`, whatever its side. Nothing if
// it does not touch.
template <class T>
std::optional<T> effective_radius(const WrapSurface& s, double radius, double turn, const Vec2<T>& p,
                                  const Vec2<T>& q) {
    const Vec2<T> c{q.x - p.x, q.y - p.y};
    const T d = (p.x * q.y - p.y * q.x) * turn * inverse(sqrt(c.x * c.x + c.y * c.y));
    const T p2 = p.x * p.x + p.y * p.y, q2 = q.x * q.x + q.y * q.y;
    T level;
    if (!touch_level(d, sqrt(p2), sqrt(q2), radius, s.smoothing, 1.0, level)) return {};
    return level;
}

// The string that wraps a circle of this radius in the sense `turn`; `active`: the quadrant, in the plane. Nothing
// where it is straight.
template <class T>
std::optional<PlanarWrap<T>> wrap_circle(const WrapSurface& s, double radius, double turn, const Vec2<double>& active,
                                         const Vec2<T>& p, const Vec2<T>& q) {
    const double px = value(p.x), py = value(p.y), qx = value(q.x), qy = value(q.y);
    const double cx = qx - px, cy = qy - py, chord2 = cx * cx + cy * cy;
    if (chord2 < 1e-24) return {};
    const double along = -(px * cx + py * cy) / chord2, moment = turn * (px * qy - py * qx),
                 d0 = moment / std::sqrt(chord2);
    if (d0 >= radius + s.smoothing) return {};
    const auto is_active = [&](double x, double y) { return x * active.x + y * active.y > 0; };
    if (!may_wrap(s, d0,
                  {along > 0 && along < 1, is_active(px, py) && is_active(qx, qy),
                   is_active(px + along * cx, py + along * cy)}))
        return {};
    const std::optional<T> level = effective_radius(s, radius, turn, p, q);
    if (!level) return {};
    return tangents(*level, turn, p, q, moment);
}

}    // namespace opensim_inertia
