// The string over an ellipsoid: a geodesic between two straight pieces that touch it.
//
// Scaled by its semi-axes the ellipsoid is the unit sphere; tangency and the horizon (where lines from an end touch)
// survive the scaling, lengths do not. The string wraps the effective level |x/a| = k (touch.hpp). Levels are similar,
// so both ends are divided by k and the problem is solved on the ellipsoid itself. Unknowns: the angle psi at which the
// string leaves the first end's horizon, and the length of the geodesic. With X = x/a at the geodesic's end and X' its
// direction there, the string goes on to Q if Q - X is parallel to X':
//   X.Q = 1 (on Q's horizon),  (X x X').Q = 0 (no sideways miss).
// Solved in double; derivatives follow by a Newton step of the same formulas in T with the Jacobian of the solution.
#pragma once

#include <limits>
#include <memory>
#include <numbers>
#include <type_traits>

#include "opensim_inertia/wrap/moving_geodesic.hpp"
#include "opensim_inertia/wrap/touch.hpp"
#include "opensim_inertia/wrap/wrap_surface.hpp"

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
    double angle = std::atan2(ahead, up);
    if (angle >= 0) approaching = false;
    if (approaching) angle += 2 * std::numbers::pi;
    return (angle - std::acos(std::min(1.0, 1 / std::hypot(up, ahead)))) / rate;
}

// Across the first end, in the plane of both ends: towards the second or, the long way, away from it.
inline Vec3d initial_direction(const Vec3d& a, const Vec3d& p, const Vec3d& q, const Vec3d* side, bool long_way) {
    const Vec3d n = p.normalized();
    const auto across = [&](const Vec3d& u) -> Vec3d { return u - n.dot(u) * n; };
    const Vec3d w = across(q);
    if (w.norm() > 1e-9 * q.norm()) return long_way ? Vec3d(-w) : w;
    // both ends and the centre on a line: over the side, else over the thinnest way
    if (side && across(*side).norm() > 1e-9 * side->norm()) return across(*side);
    int least;
    (n.cwiseAbs2() + 1e-3 * a / a.maxCoeff()).minCoeff(&least);
    return across(Vec3d::Unit(least));
}

// The solution and what its derivatives need.
struct Solution {
    double psi = 0, length = 0;
    Eigen::Matrix2d per_condition;    // inverse Jacobian of the two conditions with respect to (psi, length)
    GeodesicSeries<double> geodesic;
    bool converged = false;
};

struct Miss {
    double sine, derivative;    // of the sideways angle; its derivative with respect to psi, along Q's horizon
    bool on_horizon;            // false: the geodesic passes it by
};

// The geodesic from s.psi up to Q's horizon.
inline Miss shoot(const Vec3d& a, const Horizon<double>& horizon, const Vec3d& q, const SeriesAccuracy& accuracy,
                  Solution& s) {
    const Vec3d per_a = a.cwiseInverse();
    Variation lead;
    const GeodesicState<Variation> start = horizon.leave(Variation::variable(s.psi, 0), a, lead);
    s.geodesic.begin(a, {lower(start.x), lower(start.v)}, accuracy);
    s.length = 0;
    GeodesicPoint<double> here;
    Vec3d x, v;
    int piece = 0;
    bool approaching = true;
    for (int i = 0; i < 3 * kMaxPieces; ++i) {
        here = s.geodesic.point(piece, s.length);
        x = value(here.on.x).cwiseProduct(per_a);
        v = value(here.on.v).cwiseProduct(per_a);
        const double next = s.length + to_horizon(x, v, q, approaching);
        const double first = s.geodesic.start(piece), last = s.geodesic.end(piece);
        if (next > last && s.length == last) {
            if (piece + 1 == s.geodesic.pieces() && !s.geodesic.append()) break;
            ++piece;
        } else if (next < first && s.length == first && piece > 0) {
            --piece;
        } else {
            if (std::abs(next - s.length) < 100 * accuracy.truncation * a.maxCoeff()) break;
            // backwards only while the bend is about to appear
            s.length = std::clamp(next, piece > 0 ? first : -0.5 * last, last);
        }
    }
    const bool on_horizon = std::hypot(x.dot(q), v.dot(q) / v.norm()) > 1;
    const auto end = MovingGeodesic<Variation>(s.geodesic, a, start).state(here, Variation(s.length));
    Vec3d x_psi, v_psi;
    for (int i = 0; i < 3; ++i) {
        x_psi[i] = end.x[i].g[0] * per_a[i];
        v_psi[i] = end.v[i].g[0] * per_a[i];
    }
    // dv/dlength, scaled: the geodesic's equation
    const Vec3d g = x.cwiseProduct(per_a);
    const Vec3d turning = g.cwiseProduct(per_a) * (-v.squaredNorm() / g.squaredNorm());
    Eigen::Matrix2d jacobian;
    if (on_horizon)
        jacobian.row(0) << q.dot(x_psi), q.dot(v);
    else
        jacobian.row(0) << q.dot(v_psi), q.dot(turning);
    jacobian.row(1) << q.dot(x_psi.cross(v) + x.cross(v_psi)), q.dot(x.cross(turning));
    s.per_condition = jacobian.inverse();
    const double unit = 1 / (v.norm() * q.norm());
    return {q.dot(x.cross(v)) * unit, jacobian.determinant() / jacobian(0, 1) * -unit, on_horizon};
}

// On a stable path, turning psi towards the side on which Q is missed lessens the miss; the short way is searched in
// that direction and bracketed. The long way may be a saddle: there the plane section tells in which sense to search,
// and the other sense is tried if the first leads away from the plane. Rough geodesics lead most of the way.
inline void solve(const Vec3d& a, const Horizon<double>& horizon, const Vec3d& q, bool long_way, Solution& s) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    double low = -infinity, high = infinity, sense = 1;
    bool turned_back = false;
    enum { rough, exact, last } stage = rough;
    for (int i = 0; i < 60; ++i) {
        const Miss miss = shoot(a, horizon, q, stage == rough ? kRough : kExact, s);
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
            s.psi += step;
            low = -infinity;
            high = infinity;
            continue;
        }
        if (long_way && !turned_back && std::abs(s.psi) > std::numbers::pi / 2) {
            turned_back = true;
            sense = -sense;
            s.psi = 0;
            low = -infinity;
            high = infinity;
            continue;
        }
        const bool up = miss.sine * sense > 0;
        (up ? low : high) = s.psi;
        step = miss.derivative * sense < 0 ? std::clamp(step, -0.5, 0.5) : (up ? 0.3 : -0.3);
        if (s.psi + step <= low || s.psi + step >= high) step = 0.5 * (low + high) - s.psi;
        s.psi += step;
    }
    if (!s.converged) s.per_condition.setZero();    // no step from a failed search
}

// The string tied to its ends: the solution with its derivatives.
template <class T>
struct Tied {
    T length, lead;    // of the bend and of the straight piece before it
    Vec3<T> departure;
    std::shared_ptr<const GeodesicSeries<Lower<T>>> series;
    MovingGeodesic<T> geodesic;

    Tied(const Vec3d& a, const Vec3d& direction, const Vec3<T>& p, const Vec3<T>& q,
         const std::shared_ptr<const Solution>& s)
        : length(s->length), psi_(s->psi) {
        const Horizon<T> horizon(p, direction);
        if constexpr (Differentiating<Lower<T>>) {    // the lower part first, then its rates
            const Tied<Lower<T>> first(a, direction, lower(p), lower(q), s);
            psi_ = extended<T>(first.psi_);
            length = extended<T>(first.length);
            const auto made = std::make_shared<GeodesicSeries<Lower<T>>>();
            made->begin(a, first.start_, s->geodesic);
            series = made;
        } else {
            series = {s, &s->geodesic};
        }
        start(a, horizon);
        // Newton's steps: rates that have derivatives along the state want one more
        const Vec3d per_a = a.cwiseInverse();
        for (int step = 0; step < 1 + kOrder<Real>; ++step) {
            const GeodesicState<T> end = geodesic.state(length);
            const Vec3<T> x = scaled(end.x, per_a);
            const Rate<T> over = rate_of(dot(x, q)), aside = rate_of(dot(cross(x, scaled(end.v, per_a)), q));
            const Eigen::Matrix2d& M = s->per_condition;
            psi_ = whole<T>(lower(psi_), rate_of(psi_) - M(0, 0) * over - M(0, 1) * aside);
            length = whole<T>(lower(length), rate_of(length) - M(1, 0) * over - M(1, 1) * aside);
            start(a, horizon);
        }
    }

  private:
    template <class>
    friend struct Tied;
    // what T and its rates are made of; a Dual is an order of its own, over double
    using Real = std::conditional_t<kOrder<T> == 1, double, std::decay_t<decltype(real(std::declval<T>()))>>;
    T psi_;
    GeodesicState<T> start_;

    void start(const Vec3d& a, const Horizon<T>& horizon) {
        start_ = horizon.leave(psi_, a, lead);
        departure = start_.v;
        geodesic = MovingGeodesic<T>(*series, a, start_);
    }
};

}    // namespace ellipsoid

template <class T>
struct EllipsoidWrap {
    bool touches = false;    // false: straight, nothing else set
    bool converged = false;
    T lead, bend, tail;
    Vec3<T> departure, arrival;

    // Place at this length from the start of the bend.
    Vec3<T> on_bend(const T& s) const { return geodesic.place(s * per_level) * level; }

    T level, per_level;
    std::shared_ptr<const ellipsoid::Solution> solution;    // on the ellipsoid itself, as are the next two
    std::shared_ptr<const GeodesicSeries<Lower<T>>> series;
    MovingGeodesic<T> geodesic;
};

// `side`: a direction of scaled space towards which the string bulges, nullptr for the short way. `solved`: the
// solution for the same ends, if it is known.
template <class T>
EllipsoidWrap<T> wrap_ellipsoid(const Vec3d& a, double h, const Vec3d* side, const Vec3<T>& p, const Vec3<T>& q,
                                std::shared_ptr<const ellipsoid::Solution> solved = nullptr) {
    using namespace ellipsoid;
    EllipsoidWrap<T> w;
    const Vec3d per_a = a.cwiseInverse();
    const Vec3<T> P = scaled(p, per_a), Q = scaled(q, per_a), chord = Q - P;
    const Vec3d P0 = value(P), Q0 = value(Q), chord0 = Q0 - P0;
    const double along = -P0.dot(chord0) / chord0.squaredNorm();
    if (!(along > 0 && along < 1)) return w;
    const Vec3d foot = P0 + along * chord0;
    const bool long_way = side && passes_beyond(foot, *side);
    if (long_way && foot.squaredNorm() > 1) return w;    // as OpenSim: a chord clear of the far side is straight

    const T foot_fraction = dot(P, chord) * inverse(squared_norm(chord));
    const T distance = sqrt(squared_norm(P - chord * foot_fraction)) * (long_way ? -1.0 : 1.0);
    // scaled ends are in units of the smallest semi-axis where they come near, the transition in those of the largest
    const double unit = a.minCoeff();
    const double h_unit = h * unit / a.maxCoeff();
    if (!touch_level(distance, sqrt(squared_norm(P)), sqrt(squared_norm(Q)), 1.0, h_unit, unit, w.level)) return w;
    w.touches = true;
    w.per_level = inverse(w.level);

    const Vec3<T> end_p = P * w.per_level, end_q = Q * w.per_level;
    const Vec3d plane_direction = initial_direction(a, P0, Q0, side, long_way);
    if (!solved) {
        const auto s = std::make_shared<Solution>();
        solve(a, Horizon<double>(scalars(value(end_p)), plane_direction), value(end_q), long_way, *s);
        solved = s;
    }
    w.solution = solved;
    w.converged = solved->converged;

    const Tied<T> tied(a, plane_direction, end_p, end_q, solved);
    w.series = tied.series;
    w.geodesic = tied.geodesic;
    w.departure = tied.departure;
    const Vec3<T> rest = scaled(end_q, a) - tied.geodesic.state(tied.length).x;
    const T tail = sqrt(squared_norm(rest));
    w.arrival = rest * inverse(tail);
    w.lead = tied.lead * w.level;
    w.bend = tied.length * w.level;
    w.tail = tail * w.level;
    return w;
}

}    // namespace opensim_inertia
