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

constexpr int kOscillators = 8;
#if defined(__GNUC__)
#define OPENSIM_INERTIA_INLINED [[gnu::always_inline]]
#else
#define OPENSIM_INERTIA_INLINED
#endif

// A number of each of kOscillators oscillators, which are stepped side by side. Compilers that know vectors larger than
// the processor's split them; they align them for the oldest processor, `alignas` for all.
struct alignas(64) Oscillating {
#if defined(__GNUC__)
    using Values = double __attribute__((vector_size(8 * kOscillators)));
#else
    using Values = Eigen::Array<double, kOscillators, 1>;
#endif
    Values v;

    double operator[](int l) const { return v[l]; }
    void set(int l, double x) { v[l] = x; }
    OPENSIM_INERTIA_INLINED void operator+=(const Oscillating& b) { v = v + b.v; }
    OPENSIM_INERTIA_INLINED void operator-=(const Oscillating& b) { v = v - b.v; }
    OPENSIM_INERTIA_INLINED void operator+=(double b) { v = v + b; }
    OPENSIM_INERTIA_INLINED friend Oscillating operator+(const Oscillating& a, const Oscillating& b) {
        return {a.v + b.v};
    }
    OPENSIM_INERTIA_INLINED friend Oscillating operator-(const Oscillating& a, const Oscillating& b) {
        return {a.v - b.v};
    }
    OPENSIM_INERTIA_INLINED friend Oscillating operator*(const Oscillating& a, const Oscillating& b) {
        return {a.v * b.v};
    }
    OPENSIM_INERTIA_INLINED friend Oscillating operator*(const Oscillating& a, double b) { return {a.v * b}; }
    OPENSIM_INERTIA_INLINED friend Oscillating operator/(double a, const Oscillating& b) { return {a / b.v}; }
};

// A step of so many oscillators.
template <int N>
struct StepOfMany {
    static constexpr std::size_t kSize = 3 * N, kCoefficients = 2 * N * N + N;
    std::array<Oscillating, 2 * N> y;    // z and z', where the oscillators are
    // At the three Gauss points: K and C by rows, then b; and how k and c exceed the step's own.
    std::array<std::array<Oscillating, kCoefficients>, 3> coefficients;
    std::array<Oscillating, 3> stiffer, more_damped;
    std::array<std::array<Oscillating, 10>, 4> weights;        // see LinearStep
    std::array<std::array<Oscillating, kSize + 1>, kSize> a;    // (1 + E) r = right-hand side, at the Gauss points
    std::array<Oscillating, kSize> r;

    // Returns the sum of the squares of E, of all oscillators.
    OPENSIM_INERTIA_INLINED double write_equations() {
        Oscillating squares = y[0] * 0.0;
        for (std::size_t i = 0; i < 3; ++i) {
            const auto& w = weights[i];
            const auto& from = coefficients[i];
            std::array<Oscillating, N> z, rate;
            for (std::size_t b = 0; b < N; ++b) {
                z[b] = w[0] * y[b] + w[1] * y[N + b];
                rate[b] = w[2] * y[b] + w[3] * y[N + b];
            }
            for (std::size_t row = 0; row < N; ++row) {
                auto& out = a[N * i + row];
                Oscillating right = from[2 * N * N + row];
                for (std::size_t b = 0; b < N; ++b) {
                    Oscillating K = from[N * row + b], C = from[N * N + N * row + b];
                    if (b == row) {
                        K += stiffer[i];
                        C += more_damped[i];
                    }
                    right -= K * z[b] + C * rate[b];
                    for (std::size_t j = 0; j < 3; ++j) {
                        const Oscillating entry = w[4 + j] * K + w[7 + j] * C;
                        squares += entry * entry;
                        out[N * j + b] = entry;
                    }
                }
                out[N * i + row] += 1.0;
                out[kSize] = right;
            }
        }
        double sum = 0;
        for (int l = 0; l < kOscillators; ++l) sum += squares[l];
        return sum;
    }

    // Finds r without a change of rows.
    OPENSIM_INERTIA_INLINED void eliminate() {
        std::array<Oscillating, kSize> per;
        for (std::size_t p = 0; p < kSize; ++p) {
            per[p] = 1.0 / a[p][p];
            for (std::size_t row = p + 1; row < kSize; ++row) {
                const Oscillating factor = a[row][p] * per[p];
                for (std::size_t b = p + 1; b <= kSize; ++b) a[row][b] -= factor * a[p][b];
            }
        }
        for (std::size_t p = kSize; p-- > 0;) {
            Oscillating sum = a[p][kSize];
            for (std::size_t b = p + 1; b < kSize; ++b) sum -= a[p][b] * r[b];
            r[p] = sum * per[p];
        }
    }

    // The same of one oscillator, with a change of rows.
    void solve_one(int l) {
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
            Oscillating value = w[0] * y[b] + w[1] * y[N + b], rate = w[2] * y[b] + w[3] * y[N + b];
            for (std::size_t j = 0; j < 3; ++j) {
                value += w[4 + j] * r[N * j + b];
                rate += w[7 + j] * r[N * j + b];
            }
            y[b] = value;
            y[N + b] = rate;
        }
    }

    OPENSIM_INERTIA_INLINED void advance() {
        // rows need not change places where E is so small that the sum over none of its rows exceeds a half
        if (write_equations() < 0.25 / kSize) {
            eliminate();
        } else {
            for (int l = 0; l < kOscillators; ++l) solve_one(l);
        }
        reach_end();
    }
};

OPENSIM_INERTIA_CLONES inline void advance(StepOfMany<2>& step) { step.advance(); }
OPENSIM_INERTIA_CLONES inline void advance(StepOfMany<3>& step) { step.advance(); }

// out = the sum of `count` rows, weighted
OPENSIM_INERTIA_CLONES inline void combine(std::size_t width, std::size_t count, const Oscillating* rows,
                                           const double* weights, Oscillating* __restrict out) {
    for (std::size_t a = 0; a < width; ++a) {
        Oscillating sum = rows[a] * weights[0];
        for (std::size_t w = 1; w < count; ++w) sum += rows[w * width + a] * weights[w];
        out[a] = sum;
    }
}

// Steps of so many oscillators.
template <int N>
class LinearSteps {
  public:
    StepOfMany<N> step;    // y and the coefficients of the next step are to be set

    // Over a time h, with k and c at the three Gauss points. What follows from h, k and c alone is kept for the next
    // step.
    void advance(double h, const std::array<Oscillating, 3>& k, const std::array<Oscillating, 3>& c) {
        for (int l = 0; l < kOscillators; ++l) {
            LinearStep& own = steps_[static_cast<std::size_t>(l)];
            if (own.weigh(h, (5 * k[0][l] + 8 * k[1][l] + 5 * k[2][l]) / 18,
                          (5 * c[0][l] + 8 * c[1][l] + 5 * c[2][l]) / 18)) {
                for (std::size_t i = 0; i < 4; ++i)
                    for (std::size_t w = 0; w < 10; ++w) step.weights[i][w].set(l, own.points[i][w]);
                k_.set(l, own.stiffness());
                c_.set(l, own.damping());
            }
        }
        for (std::size_t i = 0; i < 3; ++i) {
            step.stiffer[i] = k[i] - k_;
            step.more_damped[i] = c[i] - c_;
        }
        opensim_inertia::advance(step);
    }

  private:
    std::array<LinearStep, kOscillators> steps_;
    Oscillating k_, c_;    // of the step
};

}    // namespace opensim_inertia
