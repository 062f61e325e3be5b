// Strings over an ellipsoid near flips of the shortest way from one side to the other. (docs/theory/wrapping.md,
// "Flips")
//
// In scaled space, on the unit sphere, lengths are measured by the metric (1 - roundness) diag(a^2) + roundness
// max(a)^2. At roundness 1 the shortest string is the section by the plane through both ends and the centre, at 0 it is
// the ellipsoid's own; between them it swings from one to the other. It is tangent to the ellipsoid where it touches.
// This is the metric of another ellipsoid, the guided one, whose squared semi-axes these are.
#pragma once

#include "opensim_inertia/scalar/smooth_ramp.hpp"
#include "opensim_inertia/wrap/ellipsoid_shooting.hpp"

namespace opensim_inertia {

namespace ellipsoid {

// Squared semi-axes of the guided ellipsoid, in units of the largest.
template <class S>
Vec3<S> guided_squares(const Vec3d& a, const S& roundness) {
    Vec3<S> squares;
    for (int i = 0; i < 3; ++i) {
        const double own = std::pow(a[i] / a.maxCoeff(), 2);
        squares[i] = roundness * (1 - own) + S(own);
    }
    return squares;
}

// The guided string tied to its ends: the solution with its derivatives.
template <class T>
struct TiedGuided {
    T psi, length;
    GeodesicSeries<T> geodesic;    // in scaled space

    TiedGuided(const Vec3<T>& squares, const Horizon<T>& horizon, const Vec3<T>& q, const Solution& s)
        : psi(s.psi), length(s.length) {
        const GeodesicMetric<T> metric{
            {{inverse(squares[0]), inverse(squares[1]), inverse(squares[2])}}, Vec3d::Ones(), 1.0};
        const auto leave = [&] {
            const Vec3<T> on = horizon.at(psi), way = on - horizon.end;
            const T lead2 = squares[0] * way[0] * way[0] + squares[1] * way[1] * way[1] + squares[2] * way[2] * way[2];
            geodesic.begin(metric, {on, way * inverse(sqrt(lead2))}, s.geodesic);
        };
        leave();
        // every step with the Jacobian held gives one more derivative
        for (int step = 0; step < kOrder<T>; ++step) {
            const GeodesicState<T> end = geodesic.point(length).on;
            const T over = dot(end.x, q) - T(1.0), aside = dot(cross(end.x, end.v), q);
            const Eigen::Matrix2d& M = s.per_condition;
            psi = psi - over * M(0, 0) - aside * M(0, 1);
            length = length - over * M(1, 0) - aside * M(1, 1);
            leave();
        }
    }
};

// Strings tied to the same ends: the angle at which one leaves the first end's horizon, and its whole length.
template <class T>
struct Tie {
    T psi, length;

    // From the lengths of the straight piece before the bend and of the bend, and where that ends. `q`: the second end
    Tie(const T& psi_, const T& lead, const T& bend, const Vec3<T>& off, const Vec3<T>& q)
        : psi(psi_), length(lead + bend + sqrt(squared_norm(q - off))) {}
};

// How round the metric is: 1 where the shortest string would flip from one solution to the other, exactly 0 where the
// other is about to vanish, or never was. `saddle` is the unstable solution between both; it meets the other where that
// vanishes. What counts is by how much the other is longer, against the barrier between both and the ellipsoid's size.
// Strings that flip by little, on the near side or the far one, are left alone.
template <class T>
T roundness(const Vec3d& a, const Tie<T>& shortest, const Tie<T>& saddle, const Tie<T>& other, const T& sine) {
    constexpr double full = 0.1, of_barriers = 0.8, of_size = 0.1;
    const auto size = [](const T& x) { return value(x) < 0 ? T(0.0) - x : x; };
    const auto step = [](const T& x, double from, double to) {
        return smooth_step((x - T(0.5 * (from + to))) * (2 / (to - from)));
    };
    const T barriers = saddle.length * 2.0 - shortest.length - other.length;
    const T per_longer = inverse(barriers) * (1 / of_barriers) + T(1 / (of_size * a.minCoeff()));
    const T near = T(1.0) - step(size(other.length - shortest.length) * per_longer, full, 1.0);
    const T apart = size(other.psi - shortest.psi);
    const T r = near * near * near * step(apart, 0.3, 0.9) * (T(1.0) - step(apart, 4.6, 5.6));
    return r * inverse(r + (T(1.0) - r) * sine);    // the nearer the ends are to opposite, the less bends it
}

// Of the angle between both ends at the centre.
template <class T>
T sine_between(const Vec3<T>& p, const Vec3<T>& q) {
    return sqrt(squared_norm(cross(p, q)) * inverse(squared_norm(p) * squared_norm(q)));
}

}    // namespace ellipsoid

}    // namespace opensim_inertia
