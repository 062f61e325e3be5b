// A state picked out of Simbody's own arrays: those of all mobilized bodies, and transforms where they lie in memory.
#pragma once

#include <cstdint>
#include <vector>

#include "state.hpp"

namespace opensim_inertia {

class SystemState {
  public:
    // `transforms`: addresses of twelve doubles each, the rotation by columns and the position. `mobods`: the bodies'
    // places in the system's Jacobian (6 mobods, speeds) and bias. Everything is copied.
    SystemState(int speeds, const double* q, const double* u, const std::vector<std::uintptr_t>& transforms,
                const std::vector<int>& mobods, const double* jacobian, const double* bias)
        : bodies_(static_cast<int>(mobods.size())), speeds_(speeds), q_(q, q + speeds), u_(u, u + speeds) {
        const auto row = static_cast<std::size_t>(speeds);
        for (std::size_t b = 0; b < mobods.size(); ++b) {
            const auto* x = reinterpret_cast<const double*>(transforms[b]);
            for (std::size_t i = 0; i < 3; ++i)
                for (std::size_t j = 0; j < 3; ++j) rotation_.push_back(x[3 * j + i]);
            position_.insert(position_.end(), x + 9, x + 12);
            const std::size_t from = 6 * static_cast<std::size_t>(mobods[b]);
            jacobian_.insert(jacobian_.end(), jacobian + from * row, jacobian + (from + 6) * row);
            bias_.insert(bias_.end(), bias + from, bias + from + 6);
        }
    }

    // Good as long as this object.
    State<double> state() const {
        State<double> s{bodies_,          speeds_,          q_.data(),    u_.data(), rotation_.data(),
                        position_.data(), jacobian_.data(), bias_.data(), {},        {}};
        s.derive();
        return s;
    }

  private:
    int bodies_, speeds_;
    std::vector<double> q_, u_, rotation_, position_, jacobian_, bias_;
};

}    // namespace opensim_inertia
