// Integrals of a sideways mode over the part of a belly that lies nearer to its proximal end than a distance c, in
// closed form.
//
// Material fills the square of (z, y), two coordinates that are chi and xi, evenly; it lies at the distance p z + b y
// and has the phase alpha z + beta y of phi = sin. Up to c that is a polygon: along its bottom, y = 0 and z up to z1,
// its top, y = 1 and z up to z0, and the line Y(z) = (c - p z) / b in between. Integrals over y leave sines and cosines
// times powers of z along these three edges.
//
// Along the motion c, p and b change, and the line moves towards greater y by v / b with v = c' - p' z - b' Y. So
//   G = int phi         G' = int phi v dz / b
//   H = int phi (c - p z - b y)     H' = c' G - p' int phi z - b' int phi y
// and the second derivatives follow in the same way.
#pragma once

#include <algorithm>
#include <cmath>

#include "opensim_inertia/muscle/belly.hpp"
#include "opensim_inertia/muscle/mode_shape.hpp"

namespace opensim_inertia {

class ModeIntegrals {
  public:
    using T = TimeJet<double>;

    // Of a belly of mass 1, up to a distance.
    struct Upto {
        T mass{0.0};               // G
        T behind{0.0};             // H, the integral of G over the distance
        double chi = 0, xi = 0;    // int phi chi, int phi xi
    };

    ModeIntegrals(const ModeShape& shape, const T& aponeurosis, const T& fibre) {
        constexpr double pi = std::numbers::pi;
        const double by_chi = pi * shape.aponeurosis;
        // y is the longer one, or the one along which phi changes
        y_is_xi_ = value(fibre) >= value(aponeurosis);
        if ((y_is_xi_ ? pi - by_chi : by_chi) < kLeastPhase * pi && std::min(aponeurosis.v, fibre.v) > 0)
            y_is_xi_ = !y_is_xi_;
        p_ = y_is_xi_ ? aponeurosis : fibre;
        b_ = y_is_xi_ ? fibre : aponeurosis;
        alpha_ = y_is_xi_ ? by_chi : pi - by_chi;
        beta_ = pi - alpha_;
        whole_bottom_ = Edge(0.0, alpha_, 0.0, 1.0);
    }

    // All of it.
    Upto all() const {
        const Edge top(beta_, alpha_, 0.0, 1.0);
        const Areas areas = this->areas(whole_bottom_, top, {}, 0.0);
        const auto moment = [&](double c, double p, double b) { return c * areas.one - p * areas.z - b * areas.y; };
        return give(
            T(areas.one),
            {moment(p_.v + b_.v, p_.v, b_.v), moment(p_.d + b_.d, p_.d, b_.d), moment(p_.dd + b_.dd, p_.dd, b_.dd)},
            areas);
    }

    // Up to a distance that is within the belly.
    Upto operator()(const T& c) const {
        const double p = p_.v, b = b_.v, per_b = 1 / b;
        const bool from_top = c.v > b, to_bottom = c.v < p;
        const double z0 = from_top ? std::min(1.0, (c.v - b) / p) : 0.0;
        const double z1 = to_bottom ? std::max(0.0, c.v / p) : 1.0;
        const Edge line(beta_ * c.v * per_b, alpha_ - beta_ * p * per_b, z0, z1);
        const Areas areas = this->areas(to_bottom ? Edge(0.0, alpha_, 0.0, z1) : whole_bottom_,
                                        from_top ? Edge(beta_, alpha_, 0.0, z0) : Edge(), line, c.v);
        // over the line: v = v0 + v1 z, and the same of accelerations
        const double v0 = c.d - b_.d * c.v * per_b, v1 = b_.d * p * per_b - p_.d;
        const double a0 = c.dd - b_.dd * c.v * per_b, a1 = b_.dd * p * per_b - p_.dd;
        const double flow = v0 * line.sine[0] + v1 * line.sine[1];
        const double squares = v0 * v0 * line.sine[0] + 2 * v0 * v1 * line.sine[1] + v1 * v1 * line.sine[2];
        double grows =
            beta_ * per_b * (v0 * v0 * line.cosine[0] + 2 * v0 * v1 * line.cosine[1] + v1 * v1 * line.cosine[2]);
        grows += a0 * line.sine[0] + a1 * line.sine[1] - 2 * b_.d * per_b * flow;
        const auto at_end = [&](double z, double phase) {
            const double v = v0 + v1 * z;
            return std::sin(phase) * v * v / p;
        };
        if (to_bottom) grows += at_end(z1, alpha_ * z1);
        if (from_top) grows -= at_end(z0, alpha_ * z0 + beta_);
        const auto moment = [&](double c_, double p_by, double b_by) {
            return c_ * areas.one - p_by * areas.z - b_by * areas.y;
        };
        return give({areas.one, flow * per_b, grows * per_b},
                    {moment(c.v, p, b), moment(c.d, p_.d, b_.d), moment(c.dd, p_.dd, b_.dd) + squares * per_b}, areas);
    }

  private:
    // Integrals of cos and sin (phase + slope z) z^k over z, k up to 2.
    struct Edge {
        double cosine[3] = {}, sine[3] = {};

        Edge() = default;
        Edge(double phase, double slope, double from, double to) {
            const double half = 0.5 * (to - from), middle = 0.5 * (from + to), x = slope * half;
            const double s = std::sin(phase + slope * middle), c = std::cos(phase + slope * middle);
            double even, odd, square;
            averages(x, even, odd, square);
            const double width = 2 * half, by_one = half * odd;
            const double by_square = middle * middle * even + half * half * square, mixed = 2 * middle * by_one;
            cosine[0] = width * even * c;
            sine[0] = width * even * s;
            cosine[1] = width * (middle * even * c - by_one * s);
            sine[1] = width * (middle * even * s + by_one * c);
            cosine[2] = width * (by_square * c - mixed * s);
            sine[2] = width * (by_square * s + mixed * c);
        }
    };

    struct Areas {
        double one, z, y;
    };

    // Below this share of the phase y is not the coordinate along which phi changes.
    static constexpr double kLeastPhase = 0.1;

    T p_, b_;
    double alpha_, beta_;
    bool y_is_xi_;
    Edge whole_bottom_;

    // The means over t in [-1, 1] of cos(x t), t sin(x t) and t^2 cos(x t).
    static void averages(double x, double& even, double& odd, double& square) {
        const double y = x * x;
        if (y > 1) {
            const double s = std::sin(x), c = std::cos(x);
            even = s / x;
            odd = (even - c) / x;
            square = even - 2 * odd / x;
            return;
        }
        // sums over k of (-y)^k / (2 k)!, divided by 2 k + 1; by (2 k + 1) (2 k + 3); and by 2 k + 3
        even = odd = square = 0;
        for (int k = kTerms - 1; k >= 0; --k) {
            const Term& term = terms()[k];
            even = term.even - y * even;
            odd = term.odd - y * odd;
            square = term.square - y * square;
        }
        odd *= x;
    }

    struct Term {
        double even, odd, square;
    };
    static constexpr int kTerms = 10;    // to rounding for |x| up to 1
    static const std::array<Term, kTerms>& terms() {
        static constexpr std::array<Term, kTerms> all = [] {
            std::array<Term, kTerms> found{};
            double per = 1;
            for (int k = 0; k < kTerms; ++k) {
                found[static_cast<std::size_t>(k)] = {per / (2 * k + 1), per / ((2 * k + 1) * (2 * k + 3.0)),
                                                      per / (2 * k + 3)};
                per /= (2 * k + 1) * (2 * k + 2.0);
            }
            return found;
        }();
        return all;
    }

    // int phi, int phi z and int phi y over the polygon of these edges.
    Areas areas(const Edge& bottom, const Edge& top, const Edge& line, double c) const {
        const double per = 1 / beta_;
        const double across = (c * line.cosine[0] - p_.v * line.cosine[1]) / b_.v;    // int Y cos over the line
        return {per * (bottom.cosine[0] - top.cosine[0] - line.cosine[0]),
                per * (bottom.cosine[1] - top.cosine[1] - line.cosine[1]),
                per * (per * (top.sine[0] + line.sine[0] - bottom.sine[0]) - top.cosine[0] - across)};
    }

    Upto give(const T& mass, const T& behind, const Areas& areas) const {
        return {mass, behind, y_is_xi_ ? areas.z : areas.y, y_is_xi_ ? areas.y : areas.z};
    }
};

}    // namespace opensim_inertia
