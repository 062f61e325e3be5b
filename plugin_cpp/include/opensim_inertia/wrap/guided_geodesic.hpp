// Strings over an ellipsoid near flips of the shortest way from one side to the other. (docs/theory/wrapping.md,
// "Flips")
//
// In scaled space, on the unit sphere, lengths are measured by the metric (1 - roundness) diag(a^2) + roundness
// max(a)^2. At roundness 1 the shortest string is the section by the plane through both ends and the centre, at 0 it is
// the ellipsoid's own; between them it swings from one to the other. It is tangent to the ellipsoid where it touches.
#pragma once

#include "opensim_inertia/scalar/gauss_rule.hpp"
#include "opensim_inertia/scalar/smooth_ramp.hpp"
#include "opensim_inertia/wrap/ellipsoid_shooting.hpp"

namespace opensim_inertia {

namespace ellipsoid {

// The inverse of the metric, in units of the largest semi-axis: a diagonal.
template <class S>
using Metric = Vec3<S>;

template <class S>
Metric<S> inverse_metric(const Vec3d& a, const S& roundness) {
    Metric<S> w;
    for (int i = 0; i < 3; ++i) {
        const double own = std::pow(a[i] / a.maxCoeff(), 2);
        w[i] = inverse(roundness * (1 - own) + S(own));
    }
    return w;
}

template <class S>
Vec3<S> raise(const Metric<S>& w, const Vec3<S>& u) {
    return {{w[0] * u[0], w[1] * u[1], w[2] * u[2]}};
}

// Its geodesics, as power series of a parameter in which their speed is steady: u'' = -lam W u with W that inverse and
// lam = (u'.u')^2 / C, where C = (u'.u') (u.W u) stays (Joachimsthal).
template <class S>
class GuidedSeries : public SeriesPieces<Vec3<S>> {
    using Base = SeriesPieces<Vec3<S>>;
    using Base::accuracy_, Base::start_, Base::c_, Base::at;
    using typename Base::Coefficients;

  public:
    using Base::pieces, Base::start;

    struct Point {
        Vec3<S> x, v;
    };

    void begin(const Metric<S>& metric, const Point& start, const SeriesAccuracy& accuracy) {
        accuracy_ = accuracy;
        c_.assign(1, coefficients(metric, start));
        start_ = {0.0, piece_length()};
        metric_ = metric;
    }

    // With the pieces of another one.
    template <class Other>
    void begin(const Metric<S>& metric, const Point& start, const GuidedSeries<Other>& like) {
        begin(metric, start, like.accuracy());
        start_[1] = like.end(0);
        while (pieces() < like.pieces()) {
            append();
            start_.back() = like.end(pieces() - 1);
        }
    }

    bool append() {
        if (pieces() == kMaxPieces) return false;
        const double from = start_.back();
        c_.push_back(coefficients(metric_, point(pieces() - 1, S(from))));
        start_.push_back(from + piece_length());
        return true;
    }

    Point point(int piece, const S& s) const {
        const auto& c = c_[at(piece)];
        const S t = s - S(start(piece));
        Point p{c[accuracy_.order], {{S(0.0), S(0.0), S(0.0)}}};
        for (std::size_t n = accuracy_.order; n-- > 0;) {
            p.v = p.v * t + p.x;
            p.x = p.x * t + c[n];
        }
        return p;
    }

    Point point(const S& s) const { return point(this->piece_at(value(s)), s); }

  private:
    Metric<S> metric_;

    Coefficients coefficients(const Metric<S>& metric, const Point& from) const {
        Coefficients x, v;
        std::array<S, kExact.order + 1> rho, lam;    // rho = u'.u'
        const S per_c = inverse(squared_norm(from.v) * dot(from.x, raise(metric, from.x)));
        const Vec3<S> zero{{S(0.0), S(0.0), S(0.0)}};
        x[0] = from.x;
        v[0] = from.v;
        for (std::size_t n = 0;; ++n) {
            const double per_n = 1.0 / static_cast<double>(n + 1);
            x[n + 1] = v[n] * per_n;
            if (n + 1 == accuracy_.order) break;
            rho[n] = S(0.0);
            S rho2(0.0);
            Vec3<S> lam_x = zero;
            for (std::size_t m = 0; m <= n; ++m) rho[n] = rho[n] + dot(v[m], v[n - m]);
            for (std::size_t m = 0; m <= n; ++m) rho2 = rho2 + rho[m] * rho[n - m];
            lam[n] = rho2 * per_c;
            for (std::size_t m = 0; m <= n; ++m) lam_x = lam_x + x[n - m] * lam[m];
            v[n + 1] = raise(metric, lam_x) * -per_n;
        }
        return x;
    }

    double piece_length() const {
        return series_reach(accuracy_, 1.0, [&](std::size_t n) { return value(c_.back()[n]).norm(); });
    }
};

struct GuidedRoot : Root {
    GuidedSeries<Variation> geodesic;
};

// The start of a guided geodesic.
template <class S, class T>
typename GuidedSeries<S>::Point leave_guided(const Horizon<T>& horizon, const S& psi) {
    const Vec3<S> on = horizon.at(psi), way = on - lifted<S>(horizon.end);
    return {on, way * inverse(sqrt(squared_norm(way)))};
}

// The guided string from this end to q, searched from s.psi on.
inline void solve(const Metric<double>& metric, const Horizon<double>& horizon, const Vec3d& q, GuidedRoot& s) {
    const auto varied = lifted<Variation>(metric);
    const auto shoot_with = [&](const SeriesAccuracy& accuracy) {
        s.geodesic.begin(varied, leave_guided(horizon, Variation::variable(s.psi, 0)), accuracy);
        const auto reached = run_to_horizon(s.geodesic, q, 1.0, s.length, [](const auto& here, Vec3d& x, Vec3d& v) {
            x = value(here.x);
            v = value(here.v);
        });
        Vec3d x_psi, v_psi;
        for (int i = 0; i < 3; ++i) {
            x_psi[i] = reached.here.x[i].g[0];
            v_psi[i] = reached.here.v[i].g[0];
        }
        const Vec3d raised = value(raise(metric, scalars<double>(reached.x)));
        const Vec3d turning = raised * (-reached.v.squaredNorm() / reached.x.dot(raised));
        return miss_of(reached, q, x_psi, v_psi, turning, s);
    };
    search(shoot_with, 1.0, false, s, kNever);
}

// The guided string tied to its ends: the solution with its derivatives.
template <class T>
struct TiedGuided {
    T psi, length;
    GuidedSeries<T> geodesic;

    TiedGuided(const Metric<T>& metric, const Horizon<T>& horizon, const Vec3<T>& q, const GuidedRoot& s)
        : psi(s.psi), length(s.length) {
        geodesic.begin(metric, leave_guided(horizon, psi), s.geodesic);
        // every step with the Jacobian held gives one more derivative
        for (int step = 0; step < kOrder<T>; ++step) {
            const auto end = geodesic.point(length);
            const T over = dot(end.x, q) - T(1.0), aside = dot(cross(end.x, end.v), q);
            const Eigen::Matrix2d& M = s.per_condition;
            psi = psi - over * M(0, 0) - aside * M(0, 1);
            length = length - over * M(1, 0) - aside * M(1, 1);
            geodesic.begin(metric, leave_guided(horizon, psi), s.geodesic);
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
