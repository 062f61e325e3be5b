// The equations of constrained motion, with known accelerations if any:
//   A udot + G^T mu = f,   G udot = b
// factored once and solved for several f and b.
#pragma once

#include <stdexcept>
#include <vector>

#include "opensim_inertia/scalar/types.hpp"

namespace opensim_inertia::native {

class BorderedSystem {
  public:
    // A (n, n) is symmetric; G (m, n), whose rows may depend on each other. Raises std::runtime_error if A is not
    // positive definite.
    void factor(const Eigen::MatrixXd& A, const Eigen::MatrixXd& G, const std::vector<int>& known) {
        known_ = known;
        const Eigen::Index n = A.rows(), m = G.rows();
        Eigen::MatrixXd free = A;
        scaled_ = G.transpose();
        by_known_.resize(n, static_cast<Eigen::Index>(known.size()));
        bound_by_known_.resize(m, by_known_.cols());
        for (std::size_t k = 0; k < known.size(); ++k) {
            by_known_.col(static_cast<Eigen::Index>(k)) = A.col(known[k]);
            bound_by_known_.col(static_cast<Eigen::Index>(k)) = G.col(known[k]);
        }
        for (int k : known) {
            free.row(k).setZero();
            free.col(k).setZero();
            free(k, k) = 1;
            scaled_.row(k).setZero();
        }
        factor_.compute(free);
        if (factor_.info() != Eigen::Success)
            throw std::runtime_error(
                "the mass matrix is not positive definite: a body that can move has no mass or "
                "inertia, or the state is not finite");
        if (m == 0) return;
        factor_.matrixL().solveInPlace(scaled_);
        constraints_.setThreshold(kDependent);
        constraints_.compute(scaled_.transpose());
    }

    Eigen::Index constraints() const { return scaled_.cols(); }

    // Fills in the accelerations that are not known.
    void solve(Eigen::VectorXd f, Eigen::VectorXd b, Eigen::Ref<Eigen::VectorXd> udot) const {
        Eigen::VectorXd& x = f;
        for (std::size_t k = 0; k < known_.size(); ++k)
            x.noalias() -= by_known_.col(static_cast<Eigen::Index>(k)) * udot[known_[k]];
        for (int k : known_) x[k] = 0;
        factor_.matrixL().solveInPlace(x);
        if (scaled_.cols() > 0) {    // in these coordinates the smallest correction is the least squares one
            Eigen::VectorXd& missing = b;
            for (std::size_t k = 0; k < known_.size(); ++k)
                missing.noalias() -= bound_by_known_.col(static_cast<Eigen::Index>(k)) * udot[known_[k]];
            missing.noalias() -= scaled_.transpose() * x;
            x += constraints_.solve(missing);
        }
        factor_.matrixU().solveInPlace(x);
        for (int k : known_) x[k] = udot[k];
        udot = x;
    }

  private:
    // Rows of G count as dependent below this share of the largest pivot, in the metric of A.
    static constexpr double kDependent = 1e-9;

    std::vector<int> known_;
    Eigen::MatrixXd scaled_;    // L^-1 G^T
    Eigen::MatrixXd by_known_, bound_by_known_;
    Eigen::LLT<Eigen::MatrixXd> factor_;
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> constraints_;
};

}    // namespace opensim_inertia::native
