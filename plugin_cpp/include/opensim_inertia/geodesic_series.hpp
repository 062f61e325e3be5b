// Geodesics of an ellipsoid |x/a| = 1 as power series in arc length.
//
// x'' = -lam g with g = x/a^2 and lam = (x'.x'/a^2) / g^2. By Joachimsthal's integral C = g^2 (x'.x'/a^2) this is
// lam = (x'.x'/a^2)^2 / C: the recurrence needs products only.
#pragma once

#include <algorithm>
#include <type_traits>

#include "gradient.hpp"

namespace opensim_inertia {

constexpr int kSeriesOrder = 18, kMaxPieces = 40;

// A point of the surface and the unit direction in which the geodesic passes it.
template <class T>
struct GeodesicState {
    Vec3<T> x, v;
};

// The geodesic from a state, in pieces whose lengths keep the truncation below 1e-15 of the size; each piece is made
// when it is first needed.
template <class T>
class GeodesicSeries {
  public:
    void begin(const Vec3d& a, const GeodesicState<T>& start) {
        set_surface(a);
        append(start);
        start_[1] = piece_length(0);
    }

    // With the pieces of another one.
    template <class S>
    void begin(const Vec3d& a, const GeodesicState<T>& start, const GeodesicSeries<S>& like) {
        set_surface(a);
        append(start);
        for (int p = 1; p <= like.pieces(); ++p) {
            start_[at(p)] = like.start(p);
            if (p < like.pieces()) append(state(p - 1, T(like.start(p))));
        }
    }

    int pieces() const { return pieces_; }
    double start(int piece) const { return start_[at(piece)]; }
    double end(int piece) const { return start_[at(piece + 1)]; }

    bool append() {
        if (pieces_ == kMaxPieces) return false;
        append(state(pieces_ - 1, T(end(pieces_ - 1))));
        start_[at(pieces_)] = start(pieces_ - 1) + piece_length(pieces_ - 1);
        return true;
    }

    int piece_at(double s) const {
        int p = 0;
        while (p + 1 < pieces_ && s > end(p)) ++p;
        return p;
    }

    // S may be double whatever T is.
    template <class S>
    Vec3<S> place(int piece, const S& s) const {
        const auto& c = c_[at(piece)];
        const S t = s - S(start(piece));
        Vec3<S> x = lift<S>(c[kSeriesOrder]);
        for (std::size_t n = kSeriesOrder; n-- > 0;) x = x * t + lift<S>(c[n]);
        return x;
    }

    template <class S>
    GeodesicState<S> state(int piece, const S& s) const {
        const auto& c = c_[at(piece)];
        const S t = s - S(start(piece));
        Vec3<S> x = lift<S>(c[kSeriesOrder]), v{{S(0.0), S(0.0), S(0.0)}};
        for (std::size_t n = kSeriesOrder; n-- > 0;) {
            v = v * t + x;
            x = x * t + lift<S>(c[n]);
        }
        return {x, v};
    }

    // Moves the geodesic by y along a variation of it that has the same pieces.
    void move(const GeodesicSeries<Gradient<1>>& variation, const T& y) {
        for (std::size_t p = 0; p < at(pieces_); ++p)
            for (std::size_t n = 0; n <= kSeriesOrder; ++n)
                for (int i = 0; i < 3; ++i) c_[p][n][i] = c_[p][n][i] + y * variation.coefficient(p, n)[i].g[0];
    }

    const Vec3<T>& coefficient(std::size_t piece, std::size_t n) const { return c_[piece][n]; }

  private:
    Vec3d w_;
    double size_;
    int pieces_ = 0;
    std::array<double, kMaxPieces + 1> start_;
    std::array<std::array<Vec3<T>, kSeriesOrder + 1>, kMaxPieces> c_;

    static std::size_t at(int i) { return static_cast<std::size_t>(i); }

    template <class S>
    static Vec3<S> lift(const Vec3<T>& x) {
        if constexpr (std::is_same_v<S, double>)
            return scalars(value(x));
        else
            return {{S(x[0]), S(x[1]), S(x[2])}};
    }

    void set_surface(const Vec3d& a) {
        w_ = a.cwiseProduct(a).cwiseInverse();
        size_ = a.maxCoeff();
        pieces_ = 0;
        start_[0] = 0;
    }

    void append(const GeodesicState<T>& s) {
        using Coefficients = std::array<Vec3<T>, kSeriesOrder + 1>;
        Coefficients& x = c_[at(pieces_)];
        Coefficients v;
        std::array<T, kSeriesOrder + 1> rho, lam;    // rho = x'.x'/a^2
        x[0] = s.x;
        v[0] = s.v;
        const Vec3<T> g = weighted(s.x);
        const T per_c = inverse(squared_norm(g) * dot(s.v, weighted(s.v)));
        for (int n = 0;; ++n) {
            x[at(n + 1)] = v[at(n)] * (1.0 / (n + 1));
            if (n + 1 == kSeriesOrder) break;
            // products of series; equal terms of the squares once
            Vec3<T> v2{{T(0.0), T(0.0), T(0.0)}}, lam_x = v2;
            T rho2(0.0);
            for (int m = 0; 2 * m < n; ++m)
                for (int i = 0; i < 3; ++i) v2[i] = v2[i] + v[at(m)][i] * v[at(n - m)][i];
            v2 = v2 + v2;
            if (n % 2 == 0)
                for (int i = 0; i < 3; ++i) v2[i] = v2[i] + v[at(n / 2)][i] * v[at(n / 2)][i];
            rho[at(n)] = dot(v2, w_);
            for (int m = 0; 2 * m < n; ++m) rho2 = rho2 + rho[at(m)] * rho[at(n - m)];
            rho2 = rho2 + rho2;
            if (n % 2 == 0) rho2 = rho2 + rho[at(n / 2)] * rho[at(n / 2)];
            lam[at(n)] = rho2 * per_c;
            for (int m = 0; m <= n; ++m)
                for (int i = 0; i < 3; ++i) lam_x[i] = lam_x[i] + lam[at(m)] * x[at(n - m)][i];
            v[at(n + 1)] = weighted(lam_x) * (-1.0 / (n + 1));
        }
        ++pieces_;
    }

    Vec3<T> weighted(const Vec3<T>& x) const { return {{x[0] * w_[0], x[1] * w_[1], x[2] * w_[2]}}; }

    double piece_length(int piece) const {
        const auto& c = c_[at(piece)];
        double length = 3 * size_;
        for (const int n : {kSeriesOrder - 1, kSeriesOrder}) {
            const double magnitude = value(c[at(n)]).norm();
            if (magnitude > 0) length = std::min(length, std::pow(1e-15 * size_ / magnitude, 1.0 / n));
        }
        return length;
    }
};

}    // namespace opensim_inertia
