// Derivatives of a geodesic of an ellipsoid with a moving start.
//
// With the surface's normal n and e = n x x', which points to the side, every change of a geodesic at fixed arc length
// is
//   dx = dalong x' + (daside y_1 + dturn y_2) e
// where dalong and daside are the start's displacement, dturn is its turn, and y_1, y_2 are the neighbours' distances
// of geodesic_series.hpp. This holds at every instant of a motion, so that a TimeJet's second derivative is the rate of
// the same expression.
#pragma once

#include "opensim_inertia/scalar/rates.hpp"
#include "opensim_inertia/wrap/geodesic_series.hpp"

namespace opensim_inertia {

// The surface at a point of a geodesic: its normal, the direction to the side, and how it bends.
template <class S>
struct GeodesicFrame {
    Vec3<S> n, e;
    S bend, twist;    // along x', and from x' to e

    GeodesicFrame(const Vec3<S>& x, const Vec3<S>& v, const Vec3d& w) {
        const Vec3<S> g = scaled(x, w), dg = scaled(v, w);
        const S per_g = inverse(sqrt(squared_norm(g)));
        n = g * per_g;
        e = cross(n, v);
        bend = dot(v, dg) * per_g;
        twist = dot(e, dg) * per_g;
    }
};

template <class T>
class MovingGeodesic {
  public:
    using Series = GeodesicSeries<Lower<T>>;

    MovingGeodesic() = default;

    // Keeps a pointer to the series, whose start is the lower part of this one.
    MovingGeodesic(const Series& series, const Vec3d& a, const GeodesicState<T>& start)
        : series_(&series), w_(a.cwiseProduct(a).cwiseInverse()) {
        const Vec3<Lower<T>> v = lower(start.v), e = Frame(lower(start.x), v, w_).e;
        const Vec3<Rate<T>> dx = rate_of(start.x), dv = rate_of(start.v);
        along_ = dot(v, dx);
        aside_ = dot(e, dx);
        turn_ = dot(e, dv);
    }

    Vec3<T> place(const T& s) const {
        const auto at = point(s);
        const auto& [x, v] = at.on;
        const Rate<T> along = along_ + rate_of(s), y = at.beside[0] * aside_ + at.beside[1] * turn_;
        return moved(x, v, along, Frame(x, v, w_).e, y);
    }

    GeodesicState<T> state(const T& s) const { return state(point(s), s); }

    // The same, where the point at the lower part of s is known.
    GeodesicState<T> state(const GeodesicPoint<Lower<T>>& at, const T& s) const {
        const auto& [x, v] = at.on;
        const Frame f(x, v, w_);
        const Rate<T> along = along_ + rate_of(s), y = at.beside[0] * aside_ + at.beside[1] * turn_,
                      dy = at.beside_rate[0] * aside_ + at.beside_rate[1] * turn_;
        const Rate<T> fall = f.bend * along + f.twist * y;    // of v, against the normal
        Vec3<Rate<T>> dv;
        for (int i = 0; i < 3; ++i) dv[i] = f.e[i] * dy - f.n[i] * fall;
        return {moved(x, v, along, f.e, y), whole<T>(v, dv)};
    }

    // Second derivative over s of the geodesic, without what changes it.
    Vec3<Lower<T>> curvature(const T& s) const {
        const auto [x, v] = point(s).on;
        const Vec3<Lower<T>> g = scaled(x, w_);
        return g * (dot(v, scaled(v, w_)) * inverse(squared_norm(g)) * -1.0);
    }

  private:
    using Frame = GeodesicFrame<Lower<T>>;

    const Series* series_ = nullptr;
    Vec3d w_;
    Rate<T> along_, aside_, turn_;

    GeodesicPoint<Lower<T>> point(const T& s) const { return series_->point(lower(s)); }

    static Vec3<T> moved(const Vec3<Lower<T>>& x, const Vec3<Lower<T>>& v, const Rate<T>& along,
                         const Vec3<Lower<T>>& e, const Rate<T>& y) {
        Vec3<Rate<T>> dx;
        for (int i = 0; i < 3; ++i) dx[i] = v[i] * along + e[i] * y;
        return whole<T>(x, dx);
    }
};

}    // namespace opensim_inertia
