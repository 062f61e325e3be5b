// A string over a cylinder, a sphere or a torus: straight, helix, straight. In the surface's frame.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>

#include "opensim_inertia/scalar/time_jet.hpp"
#include "opensim_inertia/wrap/planar_wrap.hpp"

namespace opensim_inertia {

template <class T>
struct HelixWrap {
    bool touches = false;          // else the string is the straight line and nothing else is set
    T lead, bend, tail;            // lengths
    Vec3<T> departure, arrival;    // unit directions of lead and tail
    bool unrolls = false;          // whether UnrolledString can carry its forces
    bool is_firm = false;          // whether the effective radius is the surface's own

    // Place at length s from the start of the bend.
    Vec3<T> on_bend(const T& s) const {
        const T angle = s * curvature_, c = cos(angle), d = sin(angle) * turn_;
        const T x = on_.x * c - on_.y * d, y = on_.y * c + on_.x * d, z = start_ + rise_ * s;
        if (!frame_) return {{x, y, z}};
        return frame_->origin + frame_->x * x + frame_->y * y + frame_->z * z;
    }

    // Second derivative over s of the place on the bend.
    template <class Real>
    Vec<Real> curvature(const Vec<Real>& place) const {
        const Real k = real(curvature_);
        if (!frame_) return Vec<Real>(place[0], place[1], Real(0.0)) * Real(-k * k);
        const Vec<Real> x = real(frame_->x), y = real(frame_->y), r = place - real(frame_->origin);
        return (x * x.dot(r) + y * y.dot(r)) * Real(-k * k);
    }

    double angle() const { return value(bend) * value(curvature_); }
    double turn() const { return turn_; }

    // Angle per length of the bend.
    const T& bend_curvature() const { return curvature_; }

    // From the wrap in the plane of the first two of three orthonormal axes, with z along the third.
    HelixWrap() = default;
    HelixWrap(const PlanarWrap<T>& w, double turn, const T& pz, const T& qz) : touches(true), turn_(turn), on_(w.on) {
        const T around = w.radius * w.turn, planar = w.lead + around + w.tail, dz = qz - pz;
        const T length = sqrt(planar * planar + dz * dz), per = inverse(length), across = planar * per;
        const T stretch = inverse(across);
        curvature_ = across * inverse(w.radius);
        rise_ = dz * per;
        lead = w.lead * stretch;
        bend = around * stretch;
        tail = w.tail * stretch;
        start_ = pz + rise_ * lead;
        const T k = curvature_ * turn, minus_k = curvature_ * -turn;
        departure = {{w.on.y * minus_k, w.on.x * k, rise_}};
        arrival = {{w.off.y * minus_k, w.off.x * k, rise_}};
    }

    // The same, seen from another frame.
    void turn_into(const Vec3<T>& x, const Vec3<T>& y, const Vec3<T>& z, const Vec3<T>& origin) {
        frame_ = Frame{x, y, z, origin};
        for (Vec3<T>* v : {&departure, &arrival}) *v = x * (*v)[0] + y * (*v)[1] + z * (*v)[2];
    }

    // The frame in which it was found, where that is not the surface's.
    struct Frame {
        Vec3<T> x, y, z, origin;
    };
    const std::optional<Frame>& frame() const { return frame_; }

  private:
    double turn_ = 1;
    Vec2<T> on_;                    // first tangent point
    T curvature_, start_, rise_;    // angle per length; z at the first tangent point, and its rise per length
    std::optional<Frame> frame_;
};

// Radius, length (0 or left out: endless).
inline constexpr SurfaceTraits kCylinder{
    "cylinder", 1, 2, true, [](const Vec3d& size, const Vec3d& x) { return x.head<2>().norm() < size[0]; }};

// OpenSim lifts the path off a cylinder of finite length when both tangent points lie beyond its ends. Here it lifts
// off smoothly: the effective radius sinks to the chord's distance while the points go past the ends.
template <class T>
HelixWrap<T> wrap_cylinder(const WrapSurface& s, double turn, const Vec3<T>& p, const Vec3<T>& q) {
    const Vec2<double> active{s.active[0], s.active[1]};
    const Vec2<T> p2{p[0], p[1]}, q2{q[0], q[1]};
    const auto w = wrap_circle(s, s.size[0], turn, active, p2, q2);
    if (!w) return {};
    HelixWrap<T> wrap(*w, turn, p[2], q[2]);
    wrap.unrolls = true;
    wrap.is_firm = value(w->radius) == s.size[0];
    const double half = 0.5 * s.size[1];
    if (half <= 0) return wrap;
    const double width = std::max(s.smoothing, 1e-9);
    const auto beyond = [&](const T& z) {
        return smooth_step(((value(z) < 0 ? T(0.0) - z : z) - T(half)) * (1 / width));
    };
    const T on = p[2] + wrap.departure[2] * wrap.lead, off = q[2] - wrap.arrival[2] * wrap.tail;
    if (std::min(std::abs(value(on)), std::abs(value(off))) <= half - width) return wrap;
    const T held = T(1.0) - beyond(on) * beyond(off);
    if (value(held) <= 0) return {};
    const Vec2<T> c{q2.x - p2.x, q2.y - p2.y};
    const T d = (p2.x * q2.y - p2.y * q2.x) * turn * inverse(sqrt(c.x * c.x + c.y * c.y));
    // never from the far side: there the path would sweep through the axis
    if (value(d) <= 0) return wrap;
    return HelixWrap<T>(tangents(d + (w->radius - d) * held, turn, p2, q2, value(d)), turn, p[2], q[2]);
}

// Radius.
inline constexpr SurfaceTraits kSphere{"sphere", 1, 1, true,
                                       [](const Vec3d& size, const Vec3d& x) { return x.norm() < size[0]; }};

// A great circle, in the plane of the centre and the two ends.
template <class T>
HelixWrap<T> wrap_sphere(const WrapSurface& s, const Vec3<T>& p, const Vec3<T>& q) {
    const Vec3d p0 = value(p), q0 = value(q), c0 = q0 - p0, n0 = p0.cross(q0);
    const double along = -p0.dot(c0) / c0.squaredNorm();
    if (n0.squaredNorm() < 1e-24 * p0.squaredNorm() * q0.squaredNorm() || !(along > 0 && along < 1)) return {};
    const double way = s.has_quadrant() && (p0 + along * c0).dot(s.active) < 0 ? -1.0 : 1.0;
    if (n0.norm() / c0.norm() >= s.size[0] + s.smoothing && !(way < 0 && s.long_way)) return {};
    const T r = sqrt(squared_norm(p));
    const Vec3<T> n = cross(p, q), z = n * (inverse(sqrt(squared_norm(n))) * way);
    const Vec3<T> x = p * inverse(r), y = cross(z, x);
    const T zero(0.0);
    WrapSurface plain = s;
    plain.active.setZero();
    const auto w = wrap_circle(plain, s.size[0], 1.0, {0, 0}, Vec2<T>{r, zero}, Vec2<T>{dot(q, x), dot(q, y)});
    if (!w) return {};
    HelixWrap<T> wrap(*w, 1.0, zero, zero);
    wrap.unrolls = true;
    wrap.is_firm = value(w->radius) == s.size[0];
    wrap.turn_into(x, y, z, {{zero, zero, zero}});
    return wrap;
}

// Radius of the ring, of the tube.
inline constexpr SurfaceTraits kTorus{"torus", 2, 2, false, nullptr};

// Rate of half the squared distance between a ring's point and the chord's line, along the ring. `on`: the point's
// direction.
template <class T>
T ring_distance_rate(double ring, const Vec2<T>& on, const Vec3<T>& p, const Vec3<T>& q) {
    const Vec3<T> along = q - p, r = Vec3<T>{{on.x * ring, on.y * ring, T(0.0)}} - p;
    const Vec3<T> away = r - along * (dot(r, along) * inverse(squared_norm(along)));
    return away[1] * on.x - away[0] * on.y;
}

// OpenSim's torus: the cylinder along its ring, at the azimuth where the ring is nearest to the chord.
template <class T>
HelixWrap<T> wrap_torus(const WrapSurface& s, const Vec3<T>& p, const Vec3<T>& q) {
    const double ring = s.size[0];
    const Vec3d p0 = value(p), c0 = value(q) - p0;
    const auto azimuth = [](std::size_t i) { return static_cast<double>(i) * 2 * std::numbers::pi / 32; };
    static const auto directions = [&] {
        std::array<Vec3d, 32> found;
        for (std::size_t i = 0; i < 32; ++i) found[i] = {std::cos(azimuth(i)), std::sin(azimuth(i)), 0};
        return found;
    }();
    double nearest = 0, least = 1e300;
    const double per_chord = 1 / c0.squaredNorm();
    for (std::size_t i = 0; i < directions.size(); ++i) {
        const Vec3d at = ring * directions[i] - p0;
        const double distance = (at - c0 * std::clamp(at.dot(c0) * per_chord, 0.0, 1.0)).squaredNorm();
        if (distance < least) least = distance, nearest = azimuth(i);
    }
    const auto rate_at = [&]<class S>(const S& a, const Vec3<S>& from, const Vec3<S>& to) {
        return ring_distance_rate(ring, {cos(a), sin(a)}, from, to);
    };
    double per_rate = 0;
    for (int i = 0; i < 30; ++i) {
        const TimeJet<double> f = rate_at(TimeJet<double>(nearest, 1, 0), jets<double>(p0), jets<double>(value(q)));
        per_rate = 1 / f.d;
        const double step = f.v * per_rate;
        nearest -= std::clamp(step, -0.1, 0.1);
        if (std::abs(step) < 1e-13) break;
    }
    T a(nearest);    // by the implicit function theorem: every step with the derivative held gives one more derivative
    for (int i = 0; i < kOrder<T>; ++i) a = a - rate_at(a, p, q) * per_rate;

    const T zero(0.0), one(1.0), c = cos(a), sn = sin(a);
    const Vec3<T> x{{c, sn, zero}}, y{{zero, zero, one}}, z{{sn, zero - c, zero}}, origin = x * ring;
    const auto in = [&](const Vec3<T>& v) {
        const Vec3<T> r = v - origin;
        return Vec3<T>{{dot(r, x), dot(r, y), dot(r, z)}};
    };
    WrapSurface tube = s;
    tube.size = {s.size[1], 0, 0};
    tube.active.setZero();
    HelixWrap<T> wrap = wrap_cylinder(tube, s.turn, in(p), in(q));
    if (wrap.touches) wrap.turn_into(x, y, z, origin);
    return wrap;
}

// Over any of these surfaces.
template <class T>
HelixWrap<T> wrap_helix(const WrapSurface& s, const Vec3<T>& p, const Vec3<T>& q) {
    if (s.kind == &kCylinder) return wrap_cylinder(s, s.turn, p, q);
    if (s.kind == &kSphere) return wrap_sphere(s, p, q);
    if (s.kind == &kTorus) return wrap_torus(s, p, q);
    throw std::logic_error("kernel: no helix leads over this surface");
}

}    // namespace opensim_inertia
