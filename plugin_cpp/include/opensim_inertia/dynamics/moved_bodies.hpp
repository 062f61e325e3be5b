// Which speeds move each body at a state, and how: a limb's bodies are moved by few of a model's speeds.
#pragma once

#include <array>
#include <vector>

#include "opensim_inertia/state/state.hpp"

namespace opensim_inertia {

class MovedBodies {
  public:
    void find(const State<double>& s) {
        first_.assign(1, 0);
        speeds_.clear();
        columns_.clear();
        for (int b = 0; b < s.bodies; ++b) {
            const double* rows = s.jacobian + static_cast<std::size_t>(6 * b) * static_cast<std::size_t>(s.speeds);
            for (int c = 0; c < s.speeds; ++c) {
                std::array<double, 6> column;
                bool moves = false;
                for (std::size_t r = 0; r < 6; ++r) {
                    column[r] = rows[r * static_cast<std::size_t>(s.speeds) + static_cast<std::size_t>(c)];
                    moves = moves || column[r] != 0.0;
                }
                if (!moves) continue;
                speeds_.push_back(c);
                columns_.push_back(column);
            }
            first_.push_back(speeds_.size());
        }
        tau_.resize(s.speeds);
    }

    // Gives `out` (speeds) the generalized forces of wrenches on some bodies, each of which is there once.
    template <class Out>
    void project(const std::vector<int>& bodies, const double* wrench, Out&& out) {
        tau_.setZero();
        for (int b : bodies) add(b, wrench + 6 * b);
        out = tau_;
    }

  private:
    std::vector<std::size_t> first_;    // of each body's, and their number
    std::vector<int> speeds_;
    std::vector<std::array<double, 6>> columns_;    // of the body's Jacobian
    Vector tau_;

    void add(int body, const double* w) {
        for (std::size_t k = first_[static_cast<std::size_t>(body)]; k < first_[static_cast<std::size_t>(body) + 1];
             ++k) {
            const std::array<double, 6>& J = columns_[k];
            double sum = J[0] * w[0];
            for (std::size_t r = 1; r < 6; ++r) sum += J[r] * w[r];
            tau_[speeds_[k]] += sum;
        }
    }
};

}    // namespace opensim_inertia
