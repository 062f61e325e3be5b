// A state picked out of Simbody's own arrays: those of all mobilized bodies, and transforms where they lie in memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "opensim_inertia/state/state.hpp"

namespace opensim_inertia {

class SystemState {
  public:
    // `transforms`: addresses of twelve doubles each, the rotation by columns and the position. `mobods`: the bodies'
    // places in the system's Jacobian (6 mobods, speeds) and biases. Everything is copied.
    SystemState(int speeds, const double* q, const double* u, const std::vector<std::uintptr_t>& transforms,
                const std::vector<int>& mobods, const double* jacobian, const double* bias, const double* simbody_bias)
        : bodies_(mobods.size()), speeds_(static_cast<std::size_t>(speeds)) {
        values_.resize(2 * speeds_ + bodies_ * (9 + 3 + 6 * speeds_ + 12));
        std::copy(q, q + speeds_, values_.begin());
        std::copy(u, u + speeds_, values_.data() + speeds_);
        double* R = values_.data() + rotation();
        double* p = values_.data() + position();
        double* J = values_.data() + jacobian_place();
        double *b = values_.data() + bias_place(), *own = b + 6 * bodies_;
        for (std::size_t body = 0; body < bodies_; ++body) {
            const auto* x = reinterpret_cast<const double*>(transforms[body]);
            for (std::size_t i = 0; i < 3; ++i)
                for (std::size_t j = 0; j < 3; ++j) *R++ = x[3 * j + i];
            p = std::copy(x + 9, x + 12, p);
            const std::size_t from = 6 * static_cast<std::size_t>(mobods[body]);
            J = std::copy(jacobian + from * speeds_, jacobian + (from + 6) * speeds_, J);
            b = std::copy(bias + from, bias + from + 6, b);
            own = std::copy(simbody_bias + from, simbody_bias + from + 6, own);
        }
    }

    // Good as long as this object, wherever it is moved.
    State<double> state() const {
        State<double> s;
        s.bodies = static_cast<int>(bodies_);
        s.speeds = static_cast<int>(speeds_);
        s.q = values_.data();
        s.u = values_.data() + speeds_;
        s.rotation = values_.data() + rotation();
        s.position = values_.data() + position();
        s.jacobian = values_.data() + jacobian_place();
        s.bias = values_.data() + bias_place();
        s.simbody_bias = s.bias + 6 * bodies_;
        s.derive();
        return s;
    }

  private:
    std::size_t bodies_, speeds_;
    std::vector<double> values_;    // q, u, rotation, position, jacobian, bias, Simbody's bias

    std::size_t rotation() const { return 2 * speeds_; }
    std::size_t position() const { return rotation() + 9 * bodies_; }
    std::size_t jacobian_place() const { return position() + 3 * bodies_; }
    std::size_t bias_place() const { return jacobian_place() + 6 * bodies_ * speeds_; }
};

}    // namespace opensim_inertia
