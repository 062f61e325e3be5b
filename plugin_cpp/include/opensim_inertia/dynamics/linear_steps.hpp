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

    // Steps of one recording differ by the rounding of its times, and k and c of equal rows by their own.
    static constexpr double kSame = 1e-12;

    // Where the Gauss points are, as shares of the step.
    static double gauss(std::size_t i) { return 0.5 + (static_cast<double>(i) - 1) * std::sqrt(0.15); }
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

// A step of four oscillators.
template <int N>
struct StepOfMany {
    using Values = FourNumbers::Values;
    static constexpr std::size_t kSize = 3 * N, kCoefficients = 2 * N * N + N;
    std::array<FourNumbers, 2 * N> y;    // z and z', where the oscillators are
    using Coefficients = std::array<std::array<FourNumbers, kCoefficients>, 3>;
    const Coefficients* coefficients = nullptr;    // at the three Gauss points: K and C by rows, then b
    // How k and c exceed the step's own there.
    std::array<FourNumbers, 3> stiffer, more_damped;
    std::array<std::array<FourNumbers, 10>, 4> weights;         // see LinearStep
    std::array<std::array<FourNumbers, kSize + 1>, kSize> a;    // (1 + E) r = right-hand side, at the Gauss points
    std::array<FourNumbers, kSize> r;

    // Returns the sum of the squares of E, of all oscillators.
    OPENSIM_INERTIA_INLINED double write_equations() {
        Values squares = FourNumbers(0.0).v;
        for (std::size_t i = 0; i < 3; ++i) {
            const auto& w = weights[i];
            const auto& from = (*coefficients)[i];
            std::array<FourNumbers, N> z, rate;
            for (std::size_t b = 0; b < N; ++b) {
                z[b].v = w[0].v * y[b].v + w[1].v * y[N + b].v;
                rate[b].v = w[2].v * y[b].v + w[3].v * y[N + b].v;
            }
            for (std::size_t row = 0; row < N; ++row) {
                auto& out = a[N * i + row];
                Values right = from[2 * N * N + row].v;
                for (std::size_t b = 0; b < N; ++b) {
                    Values K = from[N * row + b].v, C = from[N * N + N * row + b].v;
                    if (b == row) {
                        K = K + stiffer[i].v;
                        C = C + more_damped[i].v;
                    }
                    right = right - K * z[b].v - C * rate[b].v;
                    for (std::size_t j = 0; j < 3; ++j) {
                        const Values entry = w[4 + j].v * K + w[7 + j].v * C;
                        squares = squares + entry * entry;
                        out[N * j + b].v = entry;
                    }
                }
                out[N * i + row].v = out[N * i + row].v + 1.0;
                out[kSize].v = right;
            }
        }
        double sum = 0;
        for (std::size_t l = 0; l < kFour; ++l) sum += squares[l];
        return sum;
    }

    // Finds r without a change of rows.
    OPENSIM_INERTIA_INLINED void eliminate() {
        std::array<FourNumbers, kSize> per;
        for (std::size_t p = 0; p < kSize; ++p) {
            per[p].v = 1.0 / a[p][p].v;
            for (std::size_t row = p + 1; row < kSize; ++row) {
                const Values factor = a[row][p].v * per[p].v;
                for (std::size_t b = p + 1; b <= kSize; ++b) a[row][b].v = a[row][b].v - factor * a[p][b].v;
            }
        }
        for (std::size_t p = kSize; p-- > 0;) {
            Values sum = a[p][kSize].v;
            for (std::size_t b = p + 1; b < kSize; ++b) sum = sum - a[p][b].v * r[b].v;
            r[p].v = sum * per[p].v;
        }
    }

    // The same of one oscillator, with a change of rows.
    void solve_one(std::size_t l) {
        Eigen::Matrix<double, 3 * N, 3 * N> system;
        Eigen::Matrix<double, 3 * N, 1> right;
        for (int row = 0; row < 3 * N; ++row) {
            const auto& from = a[static_cast<std::size_t>(row)];
            for (int b = 0; b < 3 * N; ++b) system(row, b) = from[static_cast<std::size_t>(b)][l];
            right[row] = from[kSize][l];
        }
        right = system.partialPivLu().solve(right).eval();
        for (int row = 0; row < 3 * N; ++row) r[static_cast<std::size_t>(row)].set(l, right[row]);
    }

    OPENSIM_INERTIA_INLINED void reach_end() {
        const auto& w = weights[3];
        for (std::size_t b = 0; b < N; ++b) {
            Values value = w[0].v * y[b].v + w[1].v * y[N + b].v, rate = w[2].v * y[b].v + w[3].v * y[N + b].v;
            for (std::size_t j = 0; j < 3; ++j) {
                value = value + w[4 + j].v * r[N * j + b].v;
                rate = rate + w[7 + j].v * r[N * j + b].v;
            }
            y[b].v = value;
            y[N + b].v = rate;
        }
    }

    OPENSIM_INERTIA_INLINED void advance() {
        // rows need not change places where E is so small that the sum over none of its rows exceeds a half
        if (write_equations() < 0.25 / kSize) {
            eliminate();
        } else {
            for (std::size_t l = 0; l < kFour; ++l) solve_one(l);
        }
        reach_end();
    }
};

OPENSIM_INERTIA_CLONES inline void advance(StepOfMany<2>& step) { step.advance(); }
OPENSIM_INERTIA_CLONES inline void advance(StepOfMany<3>& step) { step.advance(); }

// out = the sum of `count` rows of so many numbers of all oscillators, weighted
inline void combine(std::size_t width, std::size_t count, const FourNumbers* rows, const double* weights,
                    FourNumbers* out) {
    constexpr std::size_t kQuintic = 6;    // rows of a spline of the fifth degree
    const std::size_t n = width * kFour;
    const auto* from = reinterpret_cast<const double*>(rows);
    auto* to = reinterpret_cast<double*>(out);
    if (count == kQuintic) {
        const double* at[kQuintic];
        for (std::size_t w = 0; w < kQuintic; ++w) at[w] = from + w * n;
        return combine_rows(n, at, weights, to);
    }
    std::fill(to, to + n, 0.0);
    for (std::size_t w = 0; w < count; ++w) add_scaled(to, weights[w], from + w * n, n);
}

// Steps of four oscillators.
template <int N>
class LinearSteps {
  public:
    StepOfMany<N> step;    // y and the coefficients of the next step are to be set

    // Over a time h, with k and c that are linear from its start to its end. What follows from h, k and c alone is kept
    // for the next step.
    void advance(double h, const std::array<FourNumbers, 2>& k, const std::array<FourNumbers, 2>& c) {
        if (!(std::abs(h - h_) <= LinearStep::kSame * h_ && same(k, last_k_) && same(c, last_c_))) weigh(h, k, c);
        opensim_inertia::advance(step);
    }

  private:
    std::array<LinearStep, kFour> steps_;
    double h_ = -1;
    std::array<FourNumbers, 2> last_k_, last_c_;

    static bool same(const std::array<FourNumbers, 2>& a, const std::array<FourNumbers, 2>& b) {
        for (std::size_t end = 0; end < 2; ++end)
            for (std::size_t l = 0; l < kFour; ++l)
                if (a[end][l] != b[end][l]) return false;
        return true;
    }

    void weigh(double h, const std::array<FourNumbers, 2>& k, const std::array<FourNumbers, 2>& c) {
        h_ = h, last_k_ = k, last_c_ = c;
        for (std::size_t l = 0; l < kFour; ++l) {
            LinearStep& own = steps_[l];
            if (own.weigh(h, 0.5 * (k[0][l] + k[1][l]), 0.5 * (c[0][l] + c[1][l])))
                for (std::size_t i = 0; i < 4; ++i)
                    for (std::size_t w = 0; w < 10; ++w) step.weights[i][w].set(l, own.points[i][w]);
            for (std::size_t i = 0; i < 3; ++i) {
                const double share = LinearStep::gauss(i);
                step.stiffer[i].set(l, (1 - share) * k[0][l] + share * k[1][l] - own.stiffness());
                step.more_damped[i].set(l, (1 - share) * c[0][l] + share * c[1][l] - own.damping());
            }
        }
    }
};

}    // namespace opensim_inertia
