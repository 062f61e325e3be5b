// A smooth arc through control points at Chebyshev-Lobatto fractions of its length.
//
// The control points stand at tau_j = (1 - cos(pi j / (n-1))) / 2, j = 0 .. n-1; the arc is the polynomial through
// them. For a helix that turns by pi, 13 control points are exact to 1e-11 of the radius, for a full turn 17 to 1e-10.
#pragma once

#include <cmath>
#include <numbers>
#include <vector>

#include "opensim_inertia/scalar/gauss_rule.hpp"
#include "opensim_inertia/scalar/types.hpp"

namespace opensim_inertia {

struct ArcBasis {
    int n;
    Matrix to_chebyshev;      // (n, n) control points -> coefficients of T_m(2 tau - 1)
    GaussRule rule;           // for lengths and for the continuous mass
    Matrix derivative;        // (rule, n) d/dtau at the rule's points
    Matrix end_derivative;    // (2, n) d/dtau at tau = 0 and 1

    explicit ArcBasis(int n_) : n(n_), to_chebyshev(n_, n_), rule(n_), derivative(n_, n_), end_derivative(2, n_) {
        Matrix T(n, n);
        for (int j = 0; j < n; ++j)
            for (int m = 0; m < n; ++m) T(j, m) = std::cos(m * std::acos(-std::cos(std::numbers::pi * j / (n - 1))));
        to_chebyshev = T.inverse();
        for (int g = 0; g < n; ++g) derivative.row(g) = derivatives(rule.x[static_cast<std::size_t>(g)]);
        end_derivative.row(0) = derivatives(0.0);
        end_derivative.row(1) = derivatives(1.0);
    }

    static const ArcBasis& of(int n) {
        thread_local std::map<int, ArcBasis> known;
        return known.try_emplace(n, n).first->second;
    }

  private:
    Eigen::RowVectorXd derivatives(double tau) const {    // T_m' = m U_(m-1), times d(2 tau - 1)/dtau
        const double x = 2 * tau - 1;
        Eigen::RowVectorXd d = Eigen::RowVectorXd::Zero(n);
        double u0 = 0, u1 = 1;
        for (int m = 1; m < n; ++m) {
            d[m] = 2 * m * u1;
            const double u2 = 2 * x * u1 - u0;
            u0 = u1;
            u1 = u2;
        }
        return d * to_chebyshev;
    }
};

}    // namespace opensim_inertia
