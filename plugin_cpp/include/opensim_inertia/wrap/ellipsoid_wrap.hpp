// The string over an ellipsoid: a geodesic between two straight pieces that touch it.
//
// The string wraps the effective level |x/a| = k (touch.hpp). Levels are similar, so both ends are divided by k and the
// problem is solved on the ellipsoid itself, in double (ellipsoid_shooting.hpp); derivatives follow by a Newton step of
// the same formulas in T with the Jacobian of the solution. Where the shortest way flips from one side to the other it
// is guided (guided_geodesic.hpp).
#pragma once

#include <memory>
#include <type_traits>

#include "opensim_inertia/scalar/gauss_rule.hpp"
#include "opensim_inertia/wrap/guided_geodesic.hpp"
#include "opensim_inertia/wrap/shares.hpp"
#include "opensim_inertia/wrap/touch.hpp"
#include "opensim_inertia/wrap/wrap_surface.hpp"

namespace opensim_inertia {

// Semi-axes.
inline constexpr SurfaceTraits kEllipsoid{"ellipsoid", 3, 3, false, [](const Vec3d& size, const Vec3d& x) {
                                              return x.cwiseQuotient(size).squaredNorm() < 1;
                                          }};

namespace ellipsoid {

// The string tied to its ends: the solution with its derivatives.
template <class T>
struct Tied {
    T psi, length, lead;    // where it leaves; lengths of the bend and of the straight piece before it
    GeodesicState<T> start;
    std::shared_ptr<const GeodesicSeries<Lower<T>>> series;
    MovingGeodesic<T> geodesic;

    Tied(const Vec3d& a, const Vec3d& direction, const Vec3<T>& p, const Vec3<T>& q,
         const std::shared_ptr<const Solution>& s)
        : psi(s->psi), length(s->length) {
        const Horizon<T> horizon(p, direction);
        if constexpr (Differentiating<Lower<T>>) {    // the lower part first, then its rates
            const Tied<Lower<T>> first(a, direction, lower(p), lower(q), s);
            psi = extended<T>(first.psi);
            length = extended<T>(first.length);
            const auto made = std::make_shared<GeodesicSeries<Lower<T>>>();
            made->begin(GeodesicMetric<Lower<T>>::of_surface(a), first.start, s->geodesic);
            series = made;
        } else {
            series = {s, &s->geodesic};
        }
        leave(a, horizon);
        // Newton's steps: rates that have derivatives along the state want one more
        const Vec3d per_a = a.cwiseInverse();
        for (int step = 0; step < 1 + kOrder<Real>; ++step) {
            const GeodesicState<T> end = geodesic.state(length);
            const Vec3<T> x = scaled(end.x, per_a);
            const Rate<T> over = rate_of(dot(x, q)), aside = rate_of(dot(cross(x, scaled(end.v, per_a)), q));
            const Eigen::Matrix2d& M = s->per_condition;
            psi = whole<T>(lower(psi), rate_of(psi) - M(0, 0) * over - M(0, 1) * aside);
            length = whole<T>(lower(length), rate_of(length) - M(1, 0) * over - M(1, 1) * aside);
            leave(a, horizon);
        }
    }

    // Its end, followed from where the string leaves, with its neighbours' distances to the side.
    GeodesicPoint<T> end(const Vec3d& a, const Solution& s) const {
        GeodesicSeries<T> followed;
        followed.begin(GeodesicMetric<T>::of_surface(a), start, s.geodesic);
        return followed.point(length);
    }

    Tie<T> tie(const Vec3d& a, const Vec3<T>& q) const {
        return {psi, lead, length, geodesic.state(length).x, scaled(q, a)};
    }

  private:
    // what T and its rates are made of; a Dual is an order of its own, over double
    using Real = std::conditional_t<kOrder<T> == 1, double, std::decay_t<decltype(real(std::declval<T>()))>>;

    void leave(const Vec3d& a, const Horizon<T>& horizon) {
        start = horizon.leave(psi, a, lead);
        geodesic = MovingGeodesic<T>(*series, a, start);
    }
};

// How firm a string is: by how much the sideways miss at its second end changes as it turns about the first, as seen
// from both. 0 where it is about to vanish; over a sphere with far ends the distance of the chord from the centre.
template <class T>
T firmness(const Vec3d& a, const Vec3d& direction, const Vec3<T>& p, const Vec3<T>& q,
           const std::shared_ptr<const Solution>& s) {
    const Vec3d per_a = a.cwiseInverse(), w = per_a.cwiseProduct(per_a);
    const Tied<T> tied(a, direction, p, q, s);
    const Horizon<T> horizon(p, direction);
    const GeodesicPoint<T> end = tied.end(a, *s);
    const Vec3<T> turned = scaled(horizon.e2 * cos(tied.psi) - horizon.e1 * sin(tied.psi), a);
    const T along = dot(tied.start.v, turned);
    const T aside = dot(GeodesicFrame<T>(tied.start.x, tied.start.v, w).e, turned), turn = aside * inverse(tied.lead);
    const GeodesicFrame<T> f(end.on.x, end.on.v, w);
    const T y = end.beside[0] * aside + end.beside[1] * turn,
            dy = end.beside_rate[0] * aside + end.beside_rate[1] * turn;
    const Vec3<T> x = scaled(end.on.x, per_a), v = scaled(end.on.v, per_a),
                  x_psi = scaled(end.on.v * along + f.e * y, per_a),
                  v_psi = scaled(f.e * dy - f.n * (f.bend * along + f.twist * y), per_a),
                  turning = scaled(f.n * f.bend * -1.0, per_a);
    const T miss_psi = dot(cross(x_psi, v) + cross(x, v_psi), q), miss_length = dot(cross(x, turning), q);
    const T slope = miss_psi - dot(x_psi, q) * miss_length * inverse(dot(v, q));
    const T p2 = squared_norm(p), q2 = squared_norm(q);
    return slope * sqrt(p2 * inverse((p2 + q2) * squared_norm(v))) * -1.0;
}

// The string in double: free and, near a flip, guided, or with the shares of both if it is alone.
struct Found {
    Solution free;
    bool guided = false;
    Vec3d direction;           // from which angles are counted at the first end's horizon
    bool has_other = false;    // the second string, which is no shorter, is known
    Shares<double> shares{1.0, 0.0, 0.0};
    Solution saddle, other;    // what else is tied to the same ends, if guided or has_other
    Solution between;          // on the guided ellipsoid

    static constexpr double kAside = 0.05;    // strings that leave that plane by less do not flip far
    static constexpr double kNear = 0.3;

    // `held`: on a side, from which the string does not flip; `side`: OpenSim's quadrant, or null; `alone`: over no
    // other surface, so that its mass is divided where it would flip
    Found(const Vec3d& a, const Vec3d& from, const Vec3d& p, const Vec3d& q, bool long_way, bool held,
          const Vec3d* side, bool alone)
        : direction(from) {
        const Horizon<double> horizon(scalars(p), direction);
        solve(a, horizon, q, long_way, free);
        if (long_way || held || !free.converged) return;
        if (alone && !side) {
            find_shares(a, horizon, p, q);
            return;
        }
        if (std::abs(free.psi) < kAside) return;
        if (!find_other(a, horizon, q)) return;
        if (!solve_between(a, horizon, q, free.psi, other.psi, saddle)) return;
        if (side) {    // as OpenSim does, the string keeps to its quadrant and does not flip
            if (leaves_at(horizon, other, *side) > leaves_at(horizon, free, *side)) std::swap(free, other);
            return;
        }
        Tie<double> one = tie(a, horizon, q, free), two = tie(a, horizon, q, other);
        if (two.length < one.length) {
            std::swap(free, other);
            std::swap(one, two);
        }
        const double r = roundness(a, one, tie(a, horizon, q, saddle), two, sine_between(scalars(p), scalars(q)));
        if (r <= 0) return;
        guided = true;
        between.psi = (1 - r) * free.psi;
        solve(value(guided_squares(a, r)).cwiseSqrt(), horizon, q, false, between);
    }

    // The length [m] by which the second string is longer where no mass goes its way.
    static double decisive(const Vec3d& a) { return 0.3 * a.minCoeff(); }

    std::shared_ptr<const Found> with_other_first() const {
        const auto changed = std::make_shared<Found>(*this);
        std::swap(changed->free, changed->other);
        return changed;
    }

    void find_shares(const Vec3d& a, const Horizon<double>& horizon, const Vec3d& p, const Vec3d& q) {
        const double p2 = p.squaredNorm(), q2 = q.squaredNorm(), arms = std::sqrt(p2 * q2 / (p2 + q2));
        const bool is_far_round = p.dot(q) < -0.5 * std::sqrt(p2 * q2);
        has_other = (is_far_round || std::abs(free.psi) >= kAside) && find_other(a, horizon, q);
        if (!has_other) {
            shares = share_out(-free.slope * arms);
            return;
        }
        double longer = tie(a, horizon, q, other).length - tie(a, horizon, q, free).length;
        if (longer < 0) {
            std::swap(free, other);
            longer = -longer;
        }
        shares = share_out(-free.slope * arms, -other.slope * arms, longer / decisive(a));
    }

    // How far towards a side a string leaves the first end's horizon.
    static double leaves_at(const Horizon<double>& horizon, const Solution& s, const Vec3d& side) {
        return value(horizon.at(s.psi)).dot(side);
    }

    bool converged() const { return guided ? between.converged : free.converged; }

    // The other stable string, on the far side of the plane of the ends and the centre.
    bool find_other(const Vec3d& a, const Horizon<double>& horizon, const Vec3d& q) {
        constexpr double turn = 2 * std::numbers::pi;
        Passed mark{free.psi, 0, free.slope};
        for (const double beyond : {0.1 + 0.2 * std::abs(free.psi), 1.2}) {    // the saddle is about at -psi
            other.psi = -free.psi - std::copysign(beyond, free.psi);
            bool leads_back = false;
            Passed here{};
            solve(a, horizon, q, false, other, [&](const Miss& miss) {
                here = {other.psi, miss.sine, miss.derivative};
                // strings that pass Q by are further from what the cubic knows
                const bool is_sure = miss.on_horizon || std::abs(free.psi) < kNear;
                return leads_back = is_sure && here.leads_to(mark, miss.on_horizon ? 0.2 : 0.6);
            });
            if (leads_back) mark = here;
            if (!other.converged) continue;
            const double sense = std::copysign(1.0, -free.psi);
            const double apart = std::fmod(sense * (other.psi - free.psi) + 2 * turn, turn);
            other.psi = free.psi + sense * apart;
            if (apart > kAside && apart < turn - kAside) return true;
        }
        return false;
    }

    // Where a string leaves, its sideways miss and the slope of that.
    struct Passed {
        double psi, sine, slope;

        // Whether no string is taut between here and there, where this one is drawn: the cubic that has both misses and
        // slopes has no zero between them, for its Bezier points all lie on one side.
        bool leads_to(const Passed& there, double clear) const {
            constexpr double widest = 1.2;
            const double third = (there.psi - psi) / 3;
            const double b0 = sine * third, b1 = b0 + slope * third * third, b3 = there.sine * third,
                         b2 = b3 - there.slope * third * third;
            return std::abs(third) < widest / 3 && b0 > 0 && b3 >= 0 && std::min(b1, b2) > clear * std::max(b0, b3);
        }
    };

    static Tie<double> tie(const Vec3d& a, const Horizon<double>& horizon, const Vec3d& q, const Solution& s) {
        double lead;
        horizon.leave(s.psi, a, lead);
        return {s.psi, lead, s.length, s.geodesic.point(s.length).on.x, scalars<double>(q.cwiseProduct(a))};
    }
};

// The string that is guided, with its derivatives.
template <class T>
class GuidedString {
  public:
    T length, lead, tail;    // of the bend, as the ellipsoid measures it, and of the straight pieces
    Vec3<T> departure, arrival;

    GuidedString(const Vec3d& a, const Vec3d& direction, const Vec3<T>& p, const Vec3<T>& q, const Tied<T>& free,
                 const std::shared_ptr<const Found>& found)
        : a_(a) {
        const Horizon<T> horizon(p, direction);
        const Tied<T> saddle(a, direction, p, q, {found, &found->saddle}),
            other(a, direction, p, q, {found, &found->other});
        const T r = roundness(a, free.tie(a, q), saddle.tie(a, q), other.tie(a, q), sine_between(p, q));
        const TiedGuided<T> tied(guided_squares(a, r), horizon, q, found->between);
        geodesic_ = tied.geodesic;
        extent_ = tied.length;
        const Vec3<T> before = scaled(horizon.at(tied.psi) - p, a),
                      after = scaled(q - geodesic_.point(extent_).on.x, a);
        lead = sqrt(squared_norm(before));
        tail = sqrt(squared_norm(after));
        departure = before * inverse(lead);
        arrival = after * inverse(tail);
        length = T(0.0);
        const GaussRule& rule = GaussRule::of(kGaussPoints);
        for (std::size_t i = 0; i < rule.x.size(); ++i)
            length = length + sqrt(squared_norm(scaled(geodesic_.point(extent_ * rule.x[i]).on.v, a))) * rule.w[i];
        length = length * extent_;
        per_length_ = inverse(length);
    }

    // Place at this length from the start of the bend, which is stretched as its metric wants.
    Vec3<T> place(const T& s) const { return scaled(geodesic_.point(s * per_length_ * extent_).on.x, a_); }

  private:
    static constexpr int kGaussPoints = 24;

    Vec3d a_;
    GeodesicSeries<T> geodesic_;
    T extent_, per_length_;
};

}    // namespace ellipsoid

template <class T>
struct EllipsoidWrap {
    bool touches = false;    // false: straight, nothing else set
    bool converged = false;
    T lead, bend, tail;
    Vec3<T> departure, arrival;

    // Place at this length from the start of the bend.
    Vec3<T> on_bend(const T& s) const {
        return (guided ? guided->place(s * per_level) : geodesic.place(s * per_level)) * level;
    }

    // Second derivative over s of the place on a bend that is not guided.
    auto curvature(const T& s) const { return (real(geodesic.curvature(s * per_level)) * real(per_level)).eval(); }

    T level, per_level;
    std::shared_ptr<const ellipsoid::Found> solution;    // on the ellipsoid itself, as are the next ones
    std::shared_ptr<const GeodesicSeries<Lower<T>>> series;
    MovingGeodesic<T> geodesic;
    std::shared_ptr<const ellipsoid::GuidedString<T>> guided;    // null: free
};

// `solved`: the solution for the same ends, if it is known; `alone`: over no other surface.
template <class T>
EllipsoidWrap<T> wrap_ellipsoid(const WrapSurface& s, const Vec3<T>& p, const Vec3<T>& q,
                                std::shared_ptr<const ellipsoid::Found> solved = nullptr, bool alone = false) {
    using namespace ellipsoid;
    EllipsoidWrap<T> w;
    const Vec3d& a = s.size;
    const Vec3d* side = s.has_quadrant() ? &s.active : nullptr;    // a direction of scaled space
    const Vec3d per_a = a.cwiseInverse();
    const Vec3<T> P = scaled(p, per_a), Q = scaled(q, per_a), chord = Q - P;
    const Vec3d P0 = value(P), Q0 = value(Q), chord0 = Q0 - P0;
    const double along = -P0.dot(chord0) / chord0.squaredNorm();
    if (!(along > 0 && along < 1)) return w;
    const Vec3d foot = P0 + along * chord0;
    const bool held = side && s.long_way, long_way = side && passes_beyond(s, foot);
    // as OpenSim does: the long way neither past a chord that is clear nor from an end inside
    if (long_way && !s.long_way && (foot.squaredNorm() > 1 || std::min(P0.squaredNorm(), Q0.squaredNorm()) < 1))
        return w;

    const T foot_fraction = dot(P, chord) * inverse(squared_norm(chord));
    const T distance = sqrt(squared_norm(P - chord * foot_fraction)) * (long_way ? -1.0 : 1.0);
    // scaled ends are in units of the smallest semi-axis where they come near, the transition in those of the largest
    const double unit = a.minCoeff();
    const double h_unit = s.smoothing * unit / a.maxCoeff();
    if (!touch_level(distance, sqrt(squared_norm(P)), sqrt(squared_norm(Q)), 1.0, h_unit, unit, w.level)) return w;
    w.touches = true;
    w.per_level = inverse(w.level);

    const Vec3<T> end_p = P * w.per_level, end_q = Q * w.per_level;
    const Vec3d plane_direction = initial_direction(a, P0, Q0, side, long_way, held);
    if (!solved)
        solved = std::make_shared<Found>(a, plane_direction, value(end_p), value(end_q), long_way, held, side, alone);
    w.solution = solved;
    w.converged = solved->converged();

    const Tied<T> tied(a, plane_direction, end_p, end_q, {solved, &solved->free});
    if (solved->guided) {
        const auto string = std::make_shared<GuidedString<T>>(a, plane_direction, end_p, end_q, tied, solved);
        w.guided = string;
        w.departure = string->departure;
        w.arrival = string->arrival;
        w.lead = string->lead * w.level;
        w.bend = string->length * w.level;
        w.tail = string->tail * w.level;
        return w;
    }
    w.series = tied.series;
    w.geodesic = tied.geodesic;
    w.departure = tied.start.v;
    const Vec3<T> rest = scaled(end_q, a) - tied.geodesic.state(tied.length).x;
    const T tail = sqrt(squared_norm(rest));
    w.arrival = rest * inverse(tail);
    w.lead = tied.lead * w.level;
    w.bend = tied.length * w.level;
    w.tail = tail * w.level;
    return w;
}

}    // namespace opensim_inertia
