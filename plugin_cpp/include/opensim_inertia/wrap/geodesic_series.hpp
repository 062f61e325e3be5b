// Geodesics of an ellipsoid |x/a| = 1 and the geodesics next to them, as power series in arc length.
//
// x'' = -lam g with g = x/a^2 and lam = (x'.x'/a^2) / g^2. Joachimsthal's integral C = g^2 (x'.x'/a^2) is constant.
// Hence lam = C / g^4 and g^2 lam' = -2 lam (g^2)'. Each coefficient of lam needs products only. A neighbour's distance
// y to the side follows Jacobi's equation y'' = -K y, and Gauss's curvature is K = lam / (C (abc)^2): the same form as
// each component of x has.
#pragma once

#include <algorithm>
#include <vector>

#include "opensim_inertia/scalar/four_numbers.hpp"

namespace opensim_inertia {

// A point of a geodesic and its derivative over arc length; in scaled space this is no unit vector.
template <class T>
struct GeodesicState {
    Vec3<T> x, v;
};

// The same, and two neighbours' distances to the side: one set off at a distance of 1, one turned by 1.
template <class S>
struct GeodesicPoint {
    GeodesicState<S> on;
    std::array<S, 2> beside, beside_rate;
};

// x, the two distances and a zero, which stays, side by side: a compiler can work on several at once.
constexpr std::size_t kLanes = 6;

template <class S>
struct Lanes {
    std::array<S, kLanes> v;

    Lanes() { v.fill(S(0.0)); }
    S& operator[](std::size_t i) { return v[i]; }
    const S& operator[](std::size_t i) const { return v[i]; }
    void add_product(const S& a, const Lanes& x) {
        for (std::size_t i = 0; i < kLanes; ++i) v[i] = v[i] + a * x.v[i];
    }
    void add_product(const Lanes& a, const Lanes& x) {
        for (std::size_t i = 0; i < kLanes; ++i) v[i] = v[i] + a.v[i] * x.v[i];
    }
    void scale(double a) {
        for (S& x : v) x = x * a;
    }
};

constexpr int kMaxPieces = 40;

// Order of the series, and the truncation that its pieces allow, in units of the size.
struct SeriesAccuracy {
    std::size_t order;
    double truncation;
};
constexpr SeriesAccuracy kExact{18, 1e-15}, kRough{12, 1e-8};

// Coefficients of x'' = -lam weights x, with lam = rho / g2, rho = sum measure x'^2, g2 = sum weights measure x^2.
// In space weights and measure are 1/a^2. In scaled space the measure is 1.
template <class S>
struct GeodesicMetric {
    Vec3<S> weights;
    Vec3d measure;
    double size;    // largest semi-axis, for truncation

    static GeodesicMetric of_surface(const Vec3d& a) {
        const Vec3d w = a.cwiseProduct(a).cwiseInverse();
        return {{{S(w[0]), S(w[1]), S(w[2])}}, w, a.maxCoeff()};
    }
};

// The geodesic from a state, in pieces short enough for the truncation wanted; each piece is made when it is first
// needed. S: double, or a scalar that differentiates.
template <class S>
class GeodesicSeries {
  public:
    const SeriesAccuracy& accuracy() const { return accuracy_; }
    int pieces() const { return static_cast<int>(c_.size()); }
    double start(int piece) const { return start_[at(piece)]; }
    double end(int piece) const { return start_[at(piece + 1)]; }

    void begin(const GeodesicMetric<S>& metric, const GeodesicState<S>& start, const SeriesAccuracy& accuracy) {
        set_metric(metric, accuracy);
        add_piece(first_point(start));
        start_.push_back(piece_length());
    }

    // With the pieces of another one.
    template <class Other>
    void begin(const GeodesicMetric<S>& metric, const GeodesicState<S>& start, const GeodesicSeries<Other>& like) {
        set_metric(metric, like.accuracy());
        add_piece(first_point(start));
        for (int p = 1; p <= like.pieces(); ++p) {
            start_.push_back(like.start(p));
            if (p < like.pieces()) add_piece(point(p - 1, S(like.start(p))));
        }
    }

    // One more, from the last one's end.
    bool append(const GeodesicPoint<S>& from) {
        if (pieces() == kMaxPieces) return false;
        add_piece(from);
        start_.push_back(start_.back() + piece_length());
        return true;
    }

    GeodesicPoint<S> point(const S& s) const {
        int piece = 0;
        while (piece + 1 < pieces() && value(s) > end(piece)) ++piece;
        return point(piece, s);
    }
    GeodesicPoint<S> point(int piece, const S& s) const {
        const auto& c = c_[at(piece)];
        const S t = s - S(start(piece));
        Lanes<S> x = c[accuracy_.order], v;
        for (std::size_t n = accuracy_.order; n-- > 0;) {
            Lanes<S> up = x, on = c[n];
            up.add_product(t, v);
            on.add_product(t, x);
            v = up;
            x = on;
        }
        const auto first = [](const Lanes<S>& y) { return Vec3<S>{{y[0], y[1], y[2]}}; };
        return {{first(x), first(v)}, {x[3], x[4]}, {v[3], v[4]}};
    }

  private:
    using Coefficients = std::array<Lanes<S>, kExact.order + 1>;
    GeodesicMetric<S> metric_;
    SeriesAccuracy accuracy_;
    std::vector<double> start_;    // of each piece, and the last one's end
    std::vector<Coefficients> c_;

    static std::size_t at(int i) { return static_cast<std::size_t>(i); }

    void set_metric(const GeodesicMetric<S>& metric, const SeriesAccuracy& accuracy) {
        metric_ = metric;
        accuracy_ = accuracy;
        c_.clear();
        start_.assign(1, 0.0);
    }

    static GeodesicPoint<S> first_point(const GeodesicState<S>& on) { return {on, {S(1.0), S(0.0)}, {S(0.0), S(1.0)}}; }

    OPENSIM_INERTIA_CLONES void add_piece(const GeodesicPoint<S>& from) {
        Coefficients& x = c_.emplace_back();
        std::array<S, kExact.order> g2, lam;
        const auto& [w, measure, size] = metric_;
        const Vec3<S> of_squares = scaled(w, 2 * measure);
        for (std::size_t i = 0; i < 3; ++i) {
            x[0][i] = from.on.x[static_cast<int>(i)];
            x[1][i] = from.on.v[static_cast<int>(i)];
        }
        for (std::size_t i = 0; i < 2; ++i) {
            x[0][3 + i] = from.beside[i];
            x[1][3 + i] = from.beside_rate[i];
        }
        S per_g2;
        Lanes<S> weights;    // x'' = -weight lam x
        for (std::size_t n = 0; n + 2 <= accuracy_.order; ++n) {
            // Products of series, equal terms of the squares once. Products with the newest coefficients come last: the
            // processor computes the others meanwhile.
            Lanes<S> half, lam_x;
            if (n % 2 == 0) {
                half.add_product(x[n / 2], x[n / 2]);
                half.scale(0.5);
            }
            for (std::size_t m = (n + 1) / 2; m-- > 0;) half.add_product(x[m], x[n - m]);
            g2[n] = of_squares[0] * half[0] + of_squares[1] * half[1] + of_squares[2] * half[2];
            if (n == 0) {
                const S rho = dot(from.on.v, scaled(from.on.v, measure));
                per_g2 = inverse(g2[0]);
                lam[0] = rho * per_g2;
                for (std::size_t i = 0; i < 3; ++i) weights[i] = w[static_cast<int>(i)];
                weights[3] = weights[4] = inverse(g2[0] * rho) * w[0] * w[1] * w[2];
            } else {
                S sum(0.0);
                for (std::size_t m = n; m-- > 0;) sum = sum + lam[m] * g2[n - m] * static_cast<double>(2 * n - m);
                lam[n] = sum * per_g2 * (-1 / static_cast<double>(n));
            }
            for (std::size_t m = 0; m <= n; ++m) lam_x.add_product(lam[m], x[n - m]);
            Lanes<S> down = weights;
            down.scale(-1 / static_cast<double>((n + 1) * (n + 2)));
            x[n + 2].add_product(down, lam_x);
        }
    }

    // How far the last piece may be taken.
    double piece_length() const {
        const auto& c = c_.back();
        double length = 3 * metric_.size;
        for (const std::size_t n : {accuracy_.order - 1, accuracy_.order}) {
            const double m = Vec3d(value(c[n][0]), value(c[n][1]), value(c[n][2])).norm();
            if (m > 0)
                length =
                    std::min(length, std::pow(accuracy_.truncation * metric_.size / m, 1 / static_cast<double>(n)));
        }
        return length;
    }
};

}    // namespace opensim_inertia
