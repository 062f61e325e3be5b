// Strings over an ellipsoid that a groove guides, for where the shortest way flips. (docs/theory.md, "Flips")
//
// In scaled space, on the unit sphere, lengths are measured by the metric diag(a^2) + k N N', where N is the normal of
// the plane through both ends and the centre. The stiffness k makes ways aside longer and leaves that plane section as
// long as it is: it does not push the string to either side. The shortest string of this metric is tangent to the
// ellipsoid where it touches, as the ellipsoid's own is; k = 0 is the ellipsoid's own.
#pragma once

#include <memory>

#include "opensim_inertia/scalar/smooth_ramp.hpp"
#include "opensim_inertia/wrap/ellipsoid_shooting.hpp"

namespace opensim_inertia {

namespace ellipsoid {

// The inverse of the metric (1 - roundness) diag(a^2) + roundness + stiffness N N', in units of the largest semi-axis:
// diag(per_metric) - share pull pull'.
template <class S>
struct Guide {
    Vec3<S> per_metric, pull;
    S share;

    Guide(const Vec3d& a, const S& roundness, const Vec3<S>& normal, const S& stiffness) {
        for (int i = 0; i < 3; ++i) {
            const double own = std::pow(a[i] / a.maxCoeff(), 2);
            per_metric[i] = inverse(roundness * (1 - own) + S(own));
            pull[i] = normal[i] * per_metric[i];
        }
        share = stiffness * inverse(S(1.0) + stiffness * dot(normal, pull));
    }

    template <class Other>
    explicit Guide(const Guide<Other>& g)
        : per_metric(lifted<S>(g.per_metric)), pull(lifted<S>(g.pull)), share(S(g.share)) {}

    Vec3<S> raise(const Vec3<S>& u) const {
        const Vec3<S> across = pull * (dot(pull, u) * share);
        return Vec3<S>{{u[0] * per_metric[0], u[1] * per_metric[1], u[2] * per_metric[2]}} - across;
    }
};

// Its geodesics, as power series of a parameter in which their speed is steady: u'' = -lam W u with W that inverse and
// lam = (u'.u')^2 / C, where C = (u'.u') (u.W u) stays (Joachimsthal).
template <class S>
class GuidedSeries {
  public:
    struct Point {
        Vec3<S> x, v;
    };

    void begin(const Guide<S>& guide, const Point& start, const SeriesAccuracy& accuracy) {
        accuracy_ = accuracy;
        pieces_.assign(1, coefficients(guide, start));
        start_ = {0.0, piece_length()};
        guide_ = std::make_shared<Guide<S>>(guide);
    }

    // With the pieces of another one.
    template <class Other>
    void begin(const Guide<S>& guide, const Point& start, const GuidedSeries<Other>& like) {
        begin(guide, start, like.accuracy());
        start_[1] = like.end(0);
        while (pieces() < like.pieces()) {
            append();
            start_.back() = like.end(pieces() - 1);
        }
    }

    const SeriesAccuracy& accuracy() const { return accuracy_; }
    int pieces() const { return static_cast<int>(pieces_.size()); }
    double start(int piece) const { return start_[at(piece)]; }
    double end(int piece) const { return start_[at(piece) + 1]; }

    bool append() {
        if (pieces() == kMaxPieces) return false;
        const double from = start_.back();
        pieces_.push_back(coefficients(*guide_, point(pieces() - 1, S(from))));
        start_.push_back(from + piece_length());
        return true;
    }

    Point point(int piece, const S& s) const {
        const auto& c = pieces_[at(piece)];
        const S t = s - S(start(piece));
        Point p{c[accuracy_.order], {{S(0.0), S(0.0), S(0.0)}}};
        for (std::size_t n = accuracy_.order; n-- > 0;) {
            p.v = p.v * t + p.x;
            p.x = p.x * t + c[n];
        }
        return p;
    }

    Point point(const S& s) const {
        int piece = 0;
        while (piece + 1 < pieces() && value(s) > end(piece)) ++piece;
        return point(piece, s);
    }

  private:
    using Coefficients = std::array<Vec3<S>, kExact.order + 1>;

    SeriesAccuracy accuracy_;
    std::shared_ptr<const Guide<S>> guide_;
    std::vector<Coefficients> pieces_;
    std::vector<double> start_;

    static std::size_t at(int i) { return static_cast<std::size_t>(i); }

    Coefficients coefficients(const Guide<S>& guide, const Point& from) const {
        Coefficients x, v;
        std::array<S, kExact.order + 1> rho, lam;    // rho = u'.u'
        const S per_c = inverse(squared_norm(from.v) * dot(from.x, guide.raise(from.x)));
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
            v[n + 1] = guide.raise(lam_x) * -per_n;
        }
        return x;
    }

    double piece_length() const {
        return series_reach(accuracy_, 1.0, [&](std::size_t n) { return value(pieces_.back()[n]).norm(); });
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
inline void solve(const Guide<double>& guide, const Horizon<double>& horizon, const Vec3d& q, GuidedRoot& s) {
    const Guide<Variation> varied(guide);
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
        const Vec3d raised = value(guide.raise(scalars<double>(reached.x)));
        const Vec3d turning = raised * (-reached.v.squaredNorm() / reached.x.dot(raised));
        return miss_of(reached, q, x_psi, v_psi, turning, s);
    };
    search(shoot_with, 1.0, false, s);
}

// The guided string tied to its ends: the solution with its derivatives.
template <class T>
struct TiedGuided {
    T psi, length;
    GuidedSeries<T> geodesic;

    TiedGuided(const Guide<T>& guide, const Horizon<T>& horizon, const Vec3<T>& q, const GuidedRoot& s)
        : psi(s.psi), length(s.length) {
        geodesic.begin(guide, leave_guided(horizon, psi), s.geodesic);
        // every step with the Jacobian held gives one more derivative
        for (int step = 0; step < kOrder<T>; ++step) {
            const auto end = geodesic.point(length);
            const T over = dot(end.x, q) - T(1.0), aside = dot(cross(end.x, end.v), q);
            const Eigen::Matrix2d& M = s.per_condition;
            psi = psi - over * M(0, 0) - aside * M(0, 1);
            length = length - over * M(1, 0) - aside * M(1, 1);
            geodesic.begin(guide, leave_guided(horizon, psi), s.geodesic);
        }
    }
};

// How much the string is guided: a stiffness from 1, where it would flip, to 0 exactly outside a band about there.
// `free` and `held` are the angles by which it leaves the central plane at stiffness 0 and 1. Where the plane section is
// stable both are in proportion; where it flips `held` is 0 and `free` is not.
template <class T>
T stiffness(const Vec3d& a, const Vec3<T>& normal, const T& free, const T& held) {
    constexpr double band = 0.3, most = 0.6, rounding = 0.2;
    const auto size = [](const T& x) { return value(x) < 0 ? T(0.0) - x : x; };
    const T own = dot(normal, scaled(normal, Vec3d((a / a.maxCoeff()).array().square())));
    const T bounded = T(most) - smooth_ramp((T(most) - size(free)) * (1 / rounding)) * rounding;
    const T proportion = size(held) * (T(1.0) + own) * inverse(own * bounded);
    return T(1.0) - smooth_step(proportion * (2 / band) - T(1.0));
}

}    // namespace ellipsoid

}    // namespace opensim_inertia
