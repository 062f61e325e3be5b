// How the arrays of a mechanism's state change along its coordinate c, by differences but for the twists.
#pragma once

#include "differences.hpp"
#include "mechanism.hpp"
#include "opensim_inertia/state/directions.hpp"

class MovedState {
  public:
    MovedState(const Mechanism& m, const Vector& q, const Vector& u, int c, double step)
        : along_(Vector::Unit(m.speeds(), c)), none_(Vector::Zero(m.speeds())) {
        const int nb = m.bodies(), nu = m.speeds();
        const auto jacobian = [&](const Vector& at) {
            const Pose moved(m, at, u);
            const State<double>& there = moved;
            return Matrix(RowMap(there.jacobian, 6 * nb, nu));
        };
        const auto bias = [&](const Vector& at) {
            const Pose moved(m, at, u);
            const State<double>& there = moved;
            return Matrix(RowMap(there.bias, nb, 6));
        };
        twist_ = jacobian(q).col(c);
        dJ_ = derivative([&](double t) { return jacobian(q + t * along_); }, step);
        by_q_ = derivative([&](double t) { return bias(q + t * along_); }, step);
    }

    const Vector& along() const { return along_; }

    Directions coordinate() const {
        return {1, along_.data(), none_.data(), twist_.data(), dJ_.data(), by_q_.data(), by_q_.data()};
    }

  private:
    Vector along_, none_, twist_;
    Matrix dJ_, by_q_;
};
