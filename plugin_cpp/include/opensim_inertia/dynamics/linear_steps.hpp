// Steps of driven linear oscillators, z'' = -(K + k) z - (C + c) z' + b, whose coefficients change with time.
//
// k and c, which may be stiff, are solved exactly: z'' = -k z - c z' + r with r = b - K z - C z', which changes as
// slowly as what drives the oscillator. r is the parabola through its values at three Gauss points of the step, and
// what it makes of z and z' there and at the step's end has a closed form (exponential collocation: Hochbruck and
// Ostermann 2005, Appl. Numer. Math. 53, 323-339). Where K, C and b do not change, and K and C are zero, a step is
// exact.
#pragma once

#include <array>
#include <cmath>

#include "opensim_inertia/scalar/types.hpp"

namespace opensim_inertia {

template <int N>
class LinearStep {
  public:
    static constexpr int kCoefficients = 2 * N * N + N;    // K and C by rows, then b
    using State = Eigen::Matrix<double, 2 * N, 1>;

    // From y = (z, z') over a time h, with the coefficients, k and c at the three Gauss points. What follows from h, k
    // and c alone is kept for the next step.
    void advance(State& y, double h, const double* const at[3], const double k[3], const double c[3]) {
        weigh(h, (5 * k[0] + 8 * k[1] + 5 * k[2]) / 18, (5 * c[0] + 8 * c[1] + 5 * c[2]) / 18);
        const Vector z = y.template head<N>(), rate = y.template tail<N>();
        Eigen::Matrix<double, 3 * N, 3 * N> system;
        Eigen::Matrix<double, 3 * N, 1> r;
        for (int i = 0; i < 3; ++i) {
            Square K = Block(at[i]), C = Block(at[i] + N * N);
            K.diagonal().array() += k[i] - k_;
            C.diagonal().array() += c[i] - c_;
            const Point& p = points_[i];
            for (int j = 0; j < 3; ++j)
                system.template block<N, N>(N * i, N * j) = p.of_value[j] * K + p.of_rate[j] * C;
            system.template block<N, N>(N * i, N * i).diagonal().array() += 1.0;
            r.template segment<N>(N * i) = Eigen::Map<const Vector>(at[i] + 2 * N * N) - K * (p.zz * z + p.zv * rate) -
                                           C * (p.vz * z + p.vv * rate);
        }
        r = system.partialPivLu().solve(r).eval();
        const Point& end = points_[3];
        Vector value = end.zz * z + end.zv * rate, rates = end.vz * z + end.vv * rate;
        for (int j = 0; j < 3; ++j) {
            value += end.of_value[j] * r.template segment<N>(N * j);
            rates += end.of_rate[j] * r.template segment<N>(N * j);
        }
        y << value, rates;
    }

  private:
    using Vector = Eigen::Matrix<double, N, 1>;
    using Square = Eigen::Matrix<double, N, N>;
    using Block = Eigen::Map<const Eigen::Matrix<double, N, N, N == 1 ? Eigen::ColMajor : Eigen::RowMajor>>;

    // A time of the step: how z and z' there follow from those at its start, and from r at the Gauss points.
    struct Point {
        double zz, zv, vz, vv;
        std::array<double, 3> of_value, of_rate;
    };

    double h_ = 0, k_ = -1, c_ = -1;
    std::array<Point, 4> points_;

    // Steps of one recording differ by the rounding of its times, and k and c of equal rows by their own.
    static constexpr double kSame = 1e-12;

    void weigh(double h, double k, double c) {
        if (std::abs(h - h_) <= kSame * h_ && std::abs(k - k_) <= kSame * k_ && std::abs(c - c_) <= kSame * c_) return;
        h_ = h, k_ = k, c_ = c;
        const double spread = std::sqrt(0.15);
        const double times[4] = {0.5 - spread, 0.5, 0.5 + spread, 1.0};
        // Of s / h the polynomials that are one at one Gauss point and zero at the others, lowest power first.
        const double a = -0.5 / spread, b = 1 / spread;
        const double basis[3][3] = {{a * (a - 1) / 2, b * (2 * a - 1) / 2, b * b / 2},
                                    {1 - a * a, -2 * a * b, -b * b},
                                    {a * (a + 1) / 2, b * (2 * a + 1) / 2, b * b / 2}};
        for (int i = 0; i < 4; ++i) {
            Point& p = points_[i];
            const std::array<double, 3> m = moments(times[i] * h, p);
            for (int j = 0; j < 3; ++j) {
                p.of_value[j] = basis[j][0] * m[0] + basis[j][1] * m[1] / h + basis[j][2] * m[2] / (h * h);
                p.of_rate[j] = basis[j][0] * p.zv + basis[j][1] * m[0] / h + basis[j][2] * 2 * m[1] / (h * h);
            }
        }
    }

    // With the response g to a unit impulse, g'' + c g' + k g = 0, the integrals of g(t - s) s^m over s from 0 to t.
    // Their rates are g and m times the integral before. Writes how z and z' at t follow from those at 0.
    std::array<double, 3> moments(double t, Point& p) const {
        std::array<double, 3> m{};
        double g = 0, dg = 0;
        if (k_ * t * t <= 1 && c_ * t <= 2) {    // by the series of g, whose terms are below rounding after kTerms
            double derivative = 0, next = 1, power = 1;    // of g at 0, and t^n / n!
            for (int n = 0; n < kTerms; ++n) {
                const double first = power * t / (n + 1), second = first * t / (n + 2), third = second * t / (n + 3);
                g += derivative * power;
                dg += next * power;
                m[0] += derivative * first;
                m[1] += derivative * second;
                m[2] += 2 * derivative * third;
                const double after = -c_ * next - k_ * derivative;
                derivative = next, next = after, power = first;
            }
        } else {
            const double half = c_ / 2, square = k_ - half * half, mu = std::sqrt(std::abs(square));
            double even = 0;
            if (square > 0) {
                const double e = std::exp(-half * t);
                g = mu * t < kSmall ? t * e : std::sin(mu * t) / mu * e;
                even = std::cos(mu * t) * e;
            } else {
                const double slow = std::exp((mu - half) * t), fast = std::exp((-mu - half) * t);
                g = mu * t < kSmall ? t * slow : (slow - fast) / (2 * mu);
                even = (slow + fast) / 2;
            }
            dg = even - half * g;
            m[0] = (1 - c_ * g - dg) / k_;
            m[1] = (t - c_ * m[0] - g) / k_;
            m[2] = (t * t - 2 * c_ * m[1] - 2 * m[0]) / k_;
        }
        p.zz = dg + c_ * g, p.zv = g, p.vz = -k_ * g, p.vv = dg;
        return m;
    }

    static constexpr int kTerms = 30;
    static constexpr double kSmall = 1e-8;
};

}    // namespace opensim_inertia
