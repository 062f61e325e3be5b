// Steps of driven linear oscillators, z'' = -(K + k) z - (C + c) z' + b, whose coefficients change with time.
//
// k and c, which may be stiff, are solved exactly: z'' = -k z - c z' + r with r = b - K z - C z', which changes as
// slowly as what drives the oscillator. r is the parabola through its values at three Gauss points of the step, and
// what it makes of z and z' there and at the step's end has a closed form (exponential collocation: Hochbruck and
// Ostermann 2005, Appl. Numer. Math. 53, 323-339). Where K, C and b do not change, and K and C are zero, a step is
// exact.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "opensim_inertia/dynamics/row_loops.hpp"
#include "opensim_inertia/scalar/types.hpp"

namespace opensim_inertia {

// What a step is made of that follows from h, k and c alone.
class LinearStep {
  public:
    // A time of the step: how z and z' there follow from those at its start, zz, zv, vz and vv, and from r at the Gauss
    // points, three numbers each.
    using Point = std::array<double, 10>;
    std::array<Point, 4> points;

    double stiffness() const { return k_; }
    double damping() const { return c_; }

    // Returns whether that changed anything.
    bool weigh(double h, double k, double c) {
        if (std::abs(h - h_) <= kSame * h_ && std::abs(k - k_) <= kSame * k_ && std::abs(c - c_) <= kSame * c_)
            return false;
        h_ = h, k_ = k, c_ = c;
        const double spread = std::sqrt(0.15);
        const double times[4] = {0.5 - spread, 0.5, 0.5 + spread, 1.0};
        // Of s / h the polynomials that are one at one Gauss point and zero at the others, lowest power first.
        const double a = -0.5 / spread, b = 1 / spread;
        const double basis[3][3] = {{a * (a - 1) / 2, b * (2 * a - 1) / 2, b * b / 2},
                                    {1 - a * a, -2 * a * b, -b * b},
                                    {a * (a + 1) / 2, b * (2 * a + 1) / 2, b * b / 2}};
        for (std::size_t i = 0; i < 4; ++i) {
            Point& p = points[i];
            const std::array<double, 3> m = moments(times[i] * h, p);
            for (std::size_t j = 0; j < 3; ++j) {
                p[4 + j] = basis[j][0] * m[0] + basis[j][1] * m[1] / h + basis[j][2] * m[2] / (h * h);
                p[7 + j] = basis[j][0] * p[1] + basis[j][1] * m[0] / h + basis[j][2] * 2 * m[1] / (h * h);
            }
        }
        return true;
    }

  private:
    double h_ = 0, k_ = -1, c_ = -1;

    // Steps of one recording differ by the rounding of its times, and k and c of equal rows by their own.
    static constexpr double kSame = 1e-12;

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
        p[0] = dg + c_ * g, p[1] = g, p[2] = -k_ * g, p[3] = dg;
        return m;
    }

    static constexpr int kTerms = 30;
    static constexpr double kSmall = 1e-8;
};

// Oscillators that are stepped side by side, in the lanes of the processor.
constexpr std::size_t kOscillators = 8;

// What a step is made of, each number of kOscillators oscillators. Of the Gauss points: K and C by rows, then b; how k and c
// exceed the step's own. Of them and the step's end: how z and z' follow from those at the start, zz, zv, vz and vv, and
// from r at the Gauss points, three numbers each.
template <int N>
struct StepLanes {
    static constexpr std::size_t kCoefficients = 2 * N * N + N, kWeights = 10;
    double coefficients[3][kCoefficients][kOscillators], stiffer[3][kOscillators], more_damped[3][kOscillators];
    double weights[4][kWeights][kOscillators];
    double y[2 * N][kOscillators];    // z and z'
    double r[3 * N][kOscillators];
};

// The equations of r at the Gauss points, (1 + E) r = right-hand side, solved by elimination without exchange of rows;
// returns the largest sum over a row of |E|, which says whether that was allowed.
template <int N>
[[gnu::always_inline]] inline double eliminate(StepLanes<N>& s) {
    constexpr int M = 3 * N;
    double a[M][M + 1][kOscillators], largest[kOscillators] = {};
    for (int i = 0; i < 3; ++i) {
        const auto& w = s.weights[i];
        double z[2 * N][kOscillators];
        for (int c = 0; c < N; ++c)
            for (std::size_t l = 0; l < kOscillators; ++l) {
                z[c][l] = w[0][l] * s.y[c][l] + w[1][l] * s.y[N + c][l];
                z[N + c][l] = w[2][l] * s.y[c][l] + w[3][l] * s.y[N + c][l];
            }
        for (int row = 0; row < N; ++row) {
            auto& out = a[N * i + row];
            double sum[kOscillators] = {};
            for (std::size_t l = 0; l < kOscillators; ++l) out[M][l] = s.coefficients[i][2 * N * N + row][l];
            for (int c = 0; c < N; ++c) {
                double K[kOscillators], C[kOscillators];
                const double own = c == row ? 1.0 : 0.0;
                for (std::size_t l = 0; l < kOscillators; ++l) {
                    K[l] = s.coefficients[i][N * row + c][l] + own * s.stiffer[i][l];
                    C[l] = s.coefficients[i][N * N + N * row + c][l] + own * s.more_damped[i][l];
                    out[M][l] -= K[l] * z[c][l] + C[l] * z[N + c][l];
                }
                for (int j = 0; j < 3; ++j)
                    for (std::size_t l = 0; l < kOscillators; ++l) {
                        const double entry = w[4 + j][l] * K[l] + w[7 + j][l] * C[l];
                        out[N * j + c][l] = entry;
                        sum[l] += std::abs(entry);
                    }
            }
            for (std::size_t l = 0; l < kOscillators; ++l) {
                out[N * i + row][l] += 1.0;
                largest[l] = std::max(largest[l], sum[l]);
            }
        }
    }
    for (int p = 0; p < M; ++p) {
        double per[kOscillators];
        for (std::size_t l = 0; l < kOscillators; ++l) per[l] = 1 / a[p][p][l];
        for (int row = p + 1; row < M; ++row) {
            double factor[kOscillators];
            for (std::size_t l = 0; l < kOscillators; ++l) factor[l] = a[row][p][l] * per[l];
            for (int c = p + 1; c <= M; ++c)
                for (std::size_t l = 0; l < kOscillators; ++l) a[row][c][l] -= factor[l] * a[p][c][l];
        }
        for (std::size_t l = 0; l < kOscillators; ++l) a[p][p][l] = per[l];
    }
    for (int p = M; p-- > 0;) {
        for (std::size_t l = 0; l < kOscillators; ++l) s.r[p][l] = a[p][M][l];
        for (int c = p + 1; c < M; ++c)
            for (std::size_t l = 0; l < kOscillators; ++l) s.r[p][l] -= a[p][c][l] * s.r[c][l];
        for (std::size_t l = 0; l < kOscillators; ++l) s.r[p][l] *= a[p][p][l];
    }
    double all = 0;
    for (std::size_t l = 0; l < kOscillators; ++l) all = std::max(all, largest[l]);
    return all;
}

// From y at the start of the step to that at its end.
template <int N>
[[gnu::always_inline]] inline void reach_end(StepLanes<N>& s) {
    const auto& w = s.weights[3];
    for (int c = 0; c < N; ++c)
        for (std::size_t l = 0; l < kOscillators; ++l) {
            double value = w[0][l] * s.y[c][l] + w[1][l] * s.y[N + c][l];
            double rate = w[2][l] * s.y[c][l] + w[3][l] * s.y[N + c][l];
            for (int j = 0; j < 3; ++j) {
                value += w[4 + j][l] * s.r[N * j + c][l];
                rate += w[7 + j][l] * s.r[N * j + c][l];
            }
            s.y[c][l] = value;
            s.y[N + c][l] = rate;
        }
}

OPENSIM_INERTIA_CLONES inline double eliminated(StepLanes<2>& s) { return eliminate(s); }
OPENSIM_INERTIA_CLONES inline double eliminated(StepLanes<3>& s) { return eliminate(s); }
OPENSIM_INERTIA_CLONES inline void to_end(StepLanes<2>& s) { reach_end(s); }
OPENSIM_INERTIA_CLONES inline void to_end(StepLanes<3>& s) { reach_end(s); }

// Steps of kOscillators oscillators.
template <int N>
class LinearSteps {
  public:
    StepLanes<N> lanes;    // y is where they are; coefficients are to be there before a step

    // Over a time h, with k and c at the three Gauss points. What follows from h, k and c alone is kept for the next
    // step.
    void advance(double h, const double (&k)[3][kOscillators], const double (&c)[3][kOscillators]) {
        for (std::size_t l = 0; l < kOscillators; ++l) {
            LinearStep& step = steps_[l];
            if (step.weigh(h, (5 * k[0][l] + 8 * k[1][l] + 5 * k[2][l]) / 18,
                           (5 * c[0][l] + 8 * c[1][l] + 5 * c[2][l]) / 18))
                for (std::size_t i = 0; i < 4; ++i)
                    for (std::size_t w = 0; w < step.points[i].size(); ++w) lanes.weights[i][w][l] = step.points[i][w];
            for (std::size_t i = 0; i < 3; ++i) {
                lanes.stiffer[i][l] = k[i][l] - step.stiffness();
                lanes.more_damped[i][l] = c[i][l] - step.damping();
            }
        }
        if (!(eliminated(lanes) < kDominant))
            for (std::size_t l = 0; l < kOscillators; ++l) solve_one(l);
        to_end(lanes);
    }

  private:
    std::array<LinearStep, kOscillators> steps_;

    // Rows whose other entries add up to less than this need no exchange.
    static constexpr double kDominant = 0.5;

    void solve_one(std::size_t l) {
        using Rows = Eigen::Matrix<double, N, N>;
        Eigen::Matrix<double, 3 * N, 3 * N> system;
        Eigen::Matrix<double, 3 * N, 1> r;
        Eigen::Matrix<double, N, 1> z, rate;
        for (int i = 0; i < N; ++i) z[i] = lanes.y[i][l], rate[i] = lanes.y[N + i][l];
        for (int i = 0; i < 3; ++i) {
            Rows K, C;
            for (int row = 0; row < N; ++row) {
                for (int c = 0; c < N; ++c) {
                    K(row, c) = lanes.coefficients[i][N * row + c][l];
                    C(row, c) = lanes.coefficients[i][N * N + N * row + c][l];
                }
                r[N * i + row] = lanes.coefficients[i][2 * N * N + row][l];
            }
            K.diagonal().array() += lanes.stiffer[i][l];
            C.diagonal().array() += lanes.more_damped[i][l];
            const LinearStep::Point& p = steps_[l].points[static_cast<std::size_t>(i)];
            for (int j = 0; j < 3; ++j)
                system.template block<N, N>(N * i, N * j) =
                    p[4 + static_cast<std::size_t>(j)] * K + p[7 + static_cast<std::size_t>(j)] * C;
            system.template block<N, N>(N * i, N * i).diagonal().array() += 1.0;
            r.template segment<N>(N * i) -= K * (p[0] * z + p[1] * rate) + C * (p[2] * z + p[3] * rate);
        }
        r = system.partialPivLu().solve(r).eval();
        for (int i = 0; i < 3 * N; ++i) lanes.r[i][l] = r[i];
    }
};

}    // namespace opensim_inertia
