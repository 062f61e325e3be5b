// Steps of driven linear oscillators, z'' = -(K + k) z - (C + c) z' + b, whose coefficients change with time.
//
// As y' = A(t) y + b(t) a step is exp(Omega) of the state with a one below it, Omega being Magnus' series to the sixth
// order from A and b at three Gauss points (Blanes, Casas, Oteo and Ros 2009, Phys. Rep. 470, eq. 253-257). It is exact
// where A and b do not change, however stiff k is.
#pragma once

#include <algorithm>
#include <cmath>

#include "opensim_inertia/scalar/types.hpp"

namespace opensim_inertia {

template <int N>
class LinearStep {
  public:
    static constexpr int kCoefficients = 2 * N * N + N;    // K and C by rows, then b
    using State = Eigen::Matrix<double, 2 * N, 1>;

    // From y = (z, z') over a time h, with the coefficients, k and c at the three Gauss points.
    static void advance(State& y, double h, const double* const at[3], const double k[3], const double c[3]) {
        const double fast = std::sqrt(std::max({std::abs(k[0]), std::abs(k[1]), std::abs(k[2]), 1 / (h * h)}));
        Square A[3];
        for (int i = 0; i < 3; ++i) A[i] = square(at[i], k[i], c[i], fast);
        const Square one = h * A[1], two = (std::sqrt(15.0) / 3 * h) * (A[2] - A[0]),
                     three = (10.0 / 3 * h) * (A[2] - 2.0 * A[1] + A[0]);
        const Square C1 = commutator(one, two), C2 = commutator(one, 2.0 * three + C1) / -60.0;
        const Square omega = one + three / 12.0 + commutator(-20.0 * one - three + C1, two + C2) / 240.0;
        Eigen::Matrix<double, kSize, 1> x;
        x << y.template head<N>(), y.template tail<N>() / fast, 1.0;
        x = exponential(omega, x);
        y << x.template head<N>(), x.template segment<N>(N) * fast;
    }

  private:
    static constexpr int kSize = 2 * N + 1;
    using Square = Eigen::Matrix<double, kSize, kSize>;
    using Column = Eigen::Matrix<double, kSize, 1>;

    // With rates in units of `fast`, in which all entries are alike.
    static Square square(const double* at, double k, double c, double fast) {
        using Block = Eigen::Map<const Eigen::Matrix<double, N, N, N == 1 ? Eigen::ColMajor : Eigen::RowMajor>>;
        Square A = Square::Zero();
        A.template block<N, N>(0, N).diagonal().setConstant(fast);
        A.template block<N, N>(N, 0) = Block(at) / -fast;
        A.template block<N, N>(N, 0).diagonal().array() -= k / fast;
        A.template block<N, N>(N, N) = -Block(at + N * N);
        A.template block<N, N>(N, N).diagonal().array() -= c;
        A.template block<N, 1>(N, 2 * N) = Eigen::Map<const Eigen::Matrix<double, N, 1>>(at + 2 * N * N) / fast;
        return A;
    }

    static Square commutator(const Square& a, const Square& b) { return a * b - b * a; }

    static Column exponential(const Square& omega, const Column& x) {
        const double norm = omega.template leftCols<2 * N>().cwiseAbs().colwise().sum().maxCoeff();
        if (norm < kMostActed) {    // on the column, in parts of at most one
            const int parts = std::max(1, static_cast<int>(std::ceil(norm)));
            Column y = x;
            for (int part = 0; part < parts; ++part) {
                Column term = y;
                for (int i = 1; i <= kTerms; ++i) {
                    term = (omega * term).eval() * (1.0 / (parts * i));
                    y += term;
                    if (term.cwiseAbs().maxCoeff() < kNothing * y.cwiseAbs().maxCoeff()) break;
                }
            }
            return y;
        }
        const int squarings = static_cast<int>(std::ceil(std::log2(norm)));
        const Square small = std::ldexp(1.0, -squarings) * omega;
        Square term = Square::Identity(), sum = term;
        for (int i = 1; i <= kTerms; ++i) {
            term = small * term / i;
            sum += term;
        }
        for (int i = 0; i < squarings; ++i) sum = sum * sum;
        return sum * x;
    }

    static constexpr double kMostActed = 16;
    static constexpr double kNothing = 1e-17;
    static constexpr int kTerms = 18;    // 1 / 19! is below rounding
};

}    // namespace opensim_inertia
