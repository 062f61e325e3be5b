// Inertia and forces of muscles, summed in the coordinates of what carries them (node_jacobians.hpp).
#pragma once

#include <algorithm>
#include <vector>

#include "opensim_inertia/dynamics/node_jacobians.hpp"

namespace opensim_inertia {

// Sums over muscles in the carriers' coordinates, projected to the speeds once per state.
class CarrierSum {
  public:
    Vector bias, gravity;    // (6 bodies + speeds)

    CarrierSum(int bodies, int speeds)
        : bias(6 * bodies + speeds),
          gravity(6 * bodies + speeds),
          nb_(bodies),
          nu_(speeds),
          inertia_(6 * bodies + speeds, 6 * bodies + speeds) {
        inertia_.setZero();
    }

    void clear() {
        bias.setZero();
        gravity.setZero();
        for (int i : used_)
            for (int j : used_) inertia_(i, j) = 0;
        used_.clear();
        is_used_.assign(static_cast<std::size_t>(6 * nb_ + nu_), false);
    }

    // terms: inertia (width, width), upper triangle; bias and gravity (width)
    template <class Terms>
    void add(const NodeJacobians& J, const Terms& terms) {
        const std::vector<int>& ids = J.ids;
        for (int id : ids)
            if (!is_used_[static_cast<std::size_t>(id)]) {
                is_used_[static_cast<std::size_t>(id)] = true;
                used_.push_back(id);
            }
        for (std::size_t a = 0; a < ids.size(); ++a) {
            bias[ids[a]] += terms.bias[a];
            gravity[ids[a]] += terms.gravity[a];
            double* row = inertia_.data() + static_cast<std::ptrdiff_t>(ids[a]) * inertia_.cols();
            const double* from = terms.inertia.data() + a * J.width;
            for (std::size_t b = a; b < ids.size(); ++b) row[ids[b]] += from[b];
        }
    }

    // dM = M^T inertia M, h = M^T bias, g_m = M^T gravity with M = [J; 1]
    void project(const State<double>& s, Matrix& dM, Vector& h, Vector& g) {
        const RowMap J(s.jacobian, 6 * nb_, nu_);
        h.noalias() = J.transpose() * bias.head(6 * nb_) + bias.tail(nu_);
        g.noalias() = J.transpose() * gravity.head(6 * nb_) + gravity.tail(nu_);
        std::sort(used_.begin(), used_.end());
        find_columns(s);
        half_.setZero(nu_, nu_);
        row_.resize(nu_);
        for (std::size_t a = 0; a < used_.size(); ++a) {
            const int i = used_[a];
            const double* G = inertia_.data() + static_cast<std::ptrdiff_t>(i) * inertia_.cols();
            row_.setZero();    // row i of (inertia M), the diagonal in half
            for (std::size_t b = a; b < used_.size(); ++b) {
                const int j = used_[b];
                const double weight = a == b ? 0.5 * G[j] : G[j];
                if (weight != 0) add_row(s, j, weight);
            }
            if (i >= 6 * nb_) {
                half_.row(i - 6 * nb_) += row_.transpose();
                continue;
            }
            const double* Ji = s.jacobian + static_cast<std::ptrdiff_t>(i) * nu_;
            for (int c : columns_[static_cast<std::size_t>(i / 6)])
                if (Ji[c] != 0) half_.row(c) += Ji[c] * row_.transpose();
        }
        dM = half_ + half_.transpose();
    }

    // What the mass exerts on its carriers at the accelerations udot (speeds), after `project`:
    // bias + gravity - inertia [J udot; udot], (6 bodies + speeds).
    void loads(const State<double>& s, const double* udot, Vector& out) const {
        out = bias + gravity;
        const RowMap J(s.jacobian, 6 * nb_, nu_);
        const VecMap accelerations(udot, nu_);
        std::vector<double> moved;
        for (int i : used_) moved.push_back(i < 6 * nb_ ? J.row(i).dot(accelerations) : udot[i - 6 * nb_]);
        for (std::size_t a = 0; a < used_.size(); ++a) {
            const int i = used_[a];
            const double* G = inertia_.data() + static_cast<std::ptrdiff_t>(i) * inertia_.cols();
            out[i] -= G[i] * moved[a];
            for (std::size_t b = a + 1; b < used_.size(); ++b) {
                const int j = used_[b];
                out[i] -= G[j] * moved[b];
                out[j] -= G[j] * moved[a];
            }
        }
    }

  private:
    int nb_, nu_;
    Matrix inertia_, half_;
    Vector row_;
    std::vector<int> used_;
    std::vector<char> is_used_;
    std::vector<std::vector<int>> columns_;    // speeds that move each used body

    void find_columns(const State<double>& s) {
        columns_.resize(static_cast<std::size_t>(nb_));
        for (int i : used_) {
            if (i >= 6 * nb_ || i % 6) continue;
            auto& columns = columns_[static_cast<std::size_t>(i / 6)];
            columns.clear();
            for (int c = 0; c < nu_; ++c)
                for (int r = 0; r < 6; ++r)
                    if (s.jacobian[(i + r) * nu_ + c] != 0) {
                        columns.push_back(c);
                        break;
                    }
        }
    }

    // row_ += weight M_j
    void add_row(const State<double>& s, int j, double weight) {
        if (j >= 6 * nb_) {
            row_[j - 6 * nb_] += weight;
            return;
        }
        const double* Jj = s.jacobian + static_cast<std::ptrdiff_t>(j) * nu_;
        for (int c : columns_[static_cast<std::size_t>(j / 6)]) row_[c] += weight * Jj[c];
    }
};

}    // namespace opensim_inertia
