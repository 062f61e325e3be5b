// Strings over an ellipsoid are found by shooting: from the first end's horizon to the second's.
//
// In space scaled by the semi-axes the ellipsoid is the unit sphere; tangency and the horizon (where lines from an end
// touch) survive the scaling, lengths do not. Unknowns: the angle psi at which the string leaves the first end's
// horizon, and the length of the geodesic. With X = x/a at the geodesic's end and X' its direction there, the string
// goes on to Q if Q - X is parallel to X':
//   X.Q = 1 (on Q's horizon),  (X x X').Q = 0 (no sideways miss).
#pragma once

#include <limits>
#include <numbers>

#include "opensim_inertia/scalar/gradient.hpp"
#include "opensim_inertia/wrap/moving_geodesic.hpp"

namespace opensim_inertia {

namespace ellipsoid {

using Variation = Gradient<1>;    // with respect to psi

template <class S, class T>
Vec3<S> lifted(const Vec3<T>& x) {
    return {{S(x[0]), S(x[1]), S(x[2])}};
}

// Where the lines from an end touch the unit sphere; psi is counted from a fixed direction.
template <class T>
struct Horizon {
    Vec3<T> end, centre, e1, e2;

    Horizon(const Vec3<T>& end_, const Vec3d& direction) : end(end_) {
        const T p2 = squared_norm(end), per_p2 = inverse(p2);
        const Vec3<T> w = lifted<T>(scalars(direction));
        centre = end * per_p2;
        const Vec3<T> across = w - centre * dot(end, w);
        const T rim2 = T(1.0) - per_p2;
        e1 = across * sqrt(rim2 * inverse(squared_norm(across)));
        e2 = cross(end, e1) * sqrt(per_p2);
    }

    template <class S>
    Vec3<S> at(const S& psi) const {
        return lifted<S>(centre) + lifted<S>(e1) * cos(psi) + lifted<S>(e2) * sin(psi);
    }

    // The geodesic's start and the length of the straight piece before it.
    template <class S>
    GeodesicState<S> leave(const S& psi, const Vec3d& a, S& lead) const {
        const Vec3<S> on = at(psi), way = scaled(on - lifted<S>(end), a);
        lead = sqrt(squared_norm(way));
        return {scaled(on, a), way * inverse(lead)};
    }
};

// Length to Q's horizon if the string went on along the great circle of its present direction; along the geodesic a
// Newton step near the horizon and a sane prediction far from it. To the place next to Q if it misses the horizon. A
// string still `approaching` has Q ahead, however far round.
inline double to_horizon(const Vec3d& x, const Vec3d& v, const Vec3d& q, bool& approaching) {
    const double rate = v.norm(), up = x.dot(q), ahead = v.dot(q) / rate;
    if (ahead >= 0) approaching = false;
    // tangent of the angle from the horizon to the place next to Q
    const double rim = std::sqrt(std::max(0.0, up * up + ahead * ahead - 1));
    double angle = std::atan2(ahead - up * rim, up + ahead * rim);
    // approaching: from nothing to a full turn; else from minus a full turn to nothing
    if (ahead < 0 && approaching == (angle < 0)) angle += std::copysign(2 * std::numbers::pi, -angle);
    return angle / rate;
}

// Across the first end, in the plane of both ends: towards the second or, the long way, away from it. Towards a side
// that is held the string goes from there, to the taut one that is nearest.
inline Vec3d initial_direction(const Vec3d& a, const Vec3d& p, const Vec3d& q, const Vec3d* side, bool long_way,
                               bool held) {
    const Vec3d n = p.normalized();
    const auto across = [&](const Vec3d& u) -> Vec3d { return u - n.dot(u) * n; };
    if (held && across(*side).norm() > 1e-9 * side->norm()) return across(*side);
    const Vec3d w = across(q);
    if (w.norm() > 1e-9 * q.norm()) return long_way ? Vec3d(-w) : w;
    // both ends and the centre on a line: over the side, else over the thinnest way
    if (side && across(*side).norm() > 1e-9 * side->norm()) return across(*side);
    int least;
    (n.cwiseAbs2() + 1e-3 * a / a.maxCoeff()).minCoeff(&least);
    return across(Vec3d::Unit(least));
}

// A string found, and what its derivatives need.
struct Solution {
    double psi = 0, length = 0;
    Eigen::Matrix2d per_condition;    // inverse Jacobian of the two conditions with respect to (psi, length)
    double slope = 0;                 // of the sideways miss, with respect to psi
    bool converged = false;
    GeodesicSeries<double> geodesic;
};

struct Miss {
    double sine, derivative;    // of the sideways angle; its derivative with respect to psi, along Q's horizon
    bool on_horizon;            // false: the geodesic passes it by
};

// Follows the geodesic to Q's horizon; x and v are its place and direction there, in scaled space. The search starts at
// the length `expected`; 0: unknown.
inline GeodesicPoint<double> run_to_horizon(const Vec3d& a, const Vec3d& q, double expected, Solution& s, Vec3d& x,
                                            Vec3d& v) {
    GeodesicPoint<double> here;
    GeodesicSeries<double>& geodesic = s.geodesic;
    s.length = std::min(expected, geodesic.end(0));
    int piece = 0;
    bool approaching = true;
    for (int i = 0; i < 3 * kMaxPieces; ++i) {
        here = geodesic.point(piece, s.length);
        x = value(here.on.x).cwiseQuotient(a);
        v = value(here.on.v).cwiseQuotient(a);
        const bool is_before = s.length < expected;
        if (!is_before && expected > 0) {    // reached: Q is near, ahead or behind
            approaching = x.dot(q) < 0;
            expected = 0;
        }
        const double next = is_before ? expected : s.length + to_horizon(x, v, q, approaching);
        const double first = geodesic.start(piece), last = geodesic.end(piece);
        const bool is_there =
            !is_before && std::abs(next - s.length) < 100 * geodesic.accuracy().truncation * a.maxCoeff();
        if (next > last && s.length == last) {
            if (piece + 1 == geodesic.pieces() && !geodesic.append(here)) break;
            ++piece;
        } else if (next < first && s.length == first && piece > 0) {
            --piece;
        }
        // backwards only while the bend is about to appear
        s.length = std::clamp(next, piece > 0 ? geodesic.start(piece) : -0.5 * geodesic.end(0), geodesic.end(piece));
        if (is_there) break;
    }
    return here;
}

// The geodesic from s.psi up to Q's horizon, and how far it misses Q.
inline Miss shoot(const Vec3d& a, const Horizon<double>& horizon, const Vec3d& q, const SeriesAccuracy& accuracy,
                  Solution& s, double expected = 0) {
    Variation lead;
    const GeodesicState<Variation> start = horizon.leave(Variation::variable(s.psi, 0), a, lead);
    s.geodesic.begin(GeodesicMetric<double>::of_surface(a), {lower(start.x), lower(start.v)}, accuracy);
    Vec3d x, v, x_psi, v_psi;
    const GeodesicPoint<double> here = run_to_horizon(a, q, expected, s, x, v);
    const auto end = MovingGeodesic<Variation>(s.geodesic, a, start).state(here, Variation(s.length));
    for (int i = 0; i < 3; ++i) {
        x_psi[i] = end.x[i].g[0] / a[i];
        v_psi[i] = end.v[i].g[0] / a[i];
    }
    // dv/dlength, scaled: the geodesic's equation
    const Vec3d g = x.cwiseQuotient(a), turning = g.cwiseQuotient(a) * (-v.squaredNorm() / g.squaredNorm());
    const bool on_horizon = std::hypot(x.dot(q), v.dot(q) / v.norm()) > 1;
    Eigen::Matrix2d jacobian;
    if (on_horizon)
        jacobian.row(0) << q.dot(x_psi), q.dot(v);
    else
        jacobian.row(0) << q.dot(v_psi), q.dot(turning);
    jacobian.row(1) << q.dot(x_psi.cross(v) + x.cross(v_psi)), q.dot(x.cross(turning));
    s.per_condition = jacobian.inverse();
    const double unit = 1 / (v.norm() * q.norm());
    s.slope = jacobian.determinant() / jacobian(0, 1) * -unit;
    return {q.dot(x.cross(v)) * unit, s.slope, on_horizon};
}

// No miss is vain.
inline constexpr auto kNever = [](const Miss&) { return false; };

// On a stable path, turning psi towards the side on which Q is missed lessens the miss; the short way is searched in
// that direction and bracketed. The long way may be a saddle: there the plane section tells in which sense to search,
// and the other sense is tried if the first leads away from the plane. Rough geodesics lead most of the way.
// Ends early, not converged, where `is_vain` of a rough miss.
template <class IsVain = decltype(kNever)>
void solve(const Vec3d& a, const Horizon<double>& horizon, const Vec3d& q, bool long_way, Solution& s,
           const IsVain& is_vain = kNever) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    double low = -infinity, high = infinity, sense = 1;
    bool turned_back = false;
    double expected = 0;    // length predicted for the next psi; 0 after large steps
    const auto turn = [&](double step) {
        const double longer = step * s.per_condition(1, 1) / s.per_condition(0, 1);
        const bool is_near = std::abs(step) < 1e-3 && std::abs(longer) < 0.1 * a.minCoeff();
        expected = is_near ? std::max(0.0, s.length + longer) : 0;
        s.psi += step;
    };
    enum { rough, exact, last } stage = rough;
    for (int i = 0; i < 60; ++i) {
        const Miss miss = shoot(a, horizon, q, stage == rough ? kRough : kExact, s, expected);
        if (stage == rough && is_vain(miss)) break;
        double step = -miss.sine / miss.derivative;
        const bool allowed = long_way || miss.derivative < 0;
        if (i == 0 && long_way && miss.derivative > 0) sense = -1;
        const bool lost = std::abs(miss.sine) < 1e-15;    // in rounding
        if (stage != rough && allowed && (lost || std::abs(step) < (stage == last ? 1e-7 : 1e-14))) {
            s.converged = miss.on_horizon && s.length > -1e-9 * a.maxCoeff() && std::abs(step) < 1e-10;
            break;
        }
        if (stage != last && allowed && std::abs(step) < (stage == rough ? 1e-4 : 1e-7)) {
            stage = stage == rough ? exact : last;
            turn(step);
            low = -infinity;
            high = infinity;
            continue;
        }
        if (long_way && !turned_back && std::abs(s.psi) > std::numbers::pi / 2) {
            turned_back = true;
            sense = -sense;
            s.psi = expected = 0;
            low = -infinity;
            high = infinity;
            continue;
        }
        const bool up = miss.sine * sense > 0;
        (up ? low : high) = s.psi;
        step = miss.derivative * sense < 0 ? std::clamp(step, -0.5, 0.5) : (up ? 0.3 : -0.3);
        if (s.psi + step <= low || s.psi + step >= high) step = 0.5 * (low + high) - s.psi;
        turn(step);
    }
    if (!s.converged) s.per_condition.setZero();    // no step from a failed search
}

// The unstable solution between two stable ones: there turning psi towards the side on which Q is missed adds to the
// miss. False if there is none.
inline bool solve_between(const Vec3d& a, const Horizon<double>& horizon, const Vec3d& q, double one, double other,
                          Solution& s) {
    double low = std::min(one, other), high = std::max(one, other);
    s.psi = 0.5 * (low + high);
    for (int i = 0; i < 60; ++i) {
        const Miss miss = shoot(a, horizon, q, kExact, s);
        const double step = -miss.sine / miss.derivative;
        if (miss.derivative > 0 && (std::abs(step) < 1e-10 || std::abs(miss.sine) < 1e-15))
            return s.converged = miss.on_horizon;
        (miss.sine < 0 ? low : high) = s.psi;
        s.psi = miss.derivative > 0 && s.psi + step > low && s.psi + step < high ? s.psi + step : 0.5 * (low + high);
    }
    return false;
}

}    // namespace ellipsoid

}    // namespace opensim_inertia
