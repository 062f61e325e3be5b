// Input of the kernel at one state. All vectors in ground, SI units; a body's spatial vector is (angular, linear
// of its origin).
#pragma once

#include <memory>

#include "opensim_inertia/state/given_path.hpp"

namespace opensim_inertia {

// A view of the arrays; `derive` makes the rest of them.
template <class Real>
struct State {
    int bodies = 0, speeds = 0;
    const Real* q = nullptr;           // (speeds) coordinate values in speed order
    const Real* u = nullptr;           // (speeds)
    const Real* rotation = nullptr;    // (bodies, 3, 3) row-major, body to ground
    const Real* position = nullptr;    // (bodies, 3) body origins
    // of these a state of doubles is made; else they are not looked at
    const double* jacobian = nullptr;               // (6 bodies, speeds) system Jacobian, row-major
    const double* bias = nullptr;                   // (bodies, 6) Jdot u
    const double* simbody_bias = nullptr;           // as Simbody has it, which is wrong at some joints; none: the same
    std::shared_ptr<const GivenPaths> paths;        // none: nullptr
    std::shared_ptr<const GivenLengths> lengths;    // none: nullptr

    // derived once per state
    MatrixOf<Real> velocity;                // (bodies, 6) J u
    MatrixOf<Real> acceleration;            // (bodies, 6) J udot + Jdot u
    MatrixOf<Real> simbody_acceleration;    // the same as Simbody has it
    const double* udot = nullptr;           // (speeds); none: zero

    void derive()
        requires(!Differentiating<Real>)
    {
        velocity.resize(bodies, 6);
        acceleration.resize(bodies, 6);
        Eigen::Map<Vector>(velocity.data(), 6 * bodies).noalias() =
            RowMap(jacobian, 6 * bodies, speeds) * VecMap(u, speeds);
        Eigen::Map<Vector>(acceleration.data(), 6 * bodies) = VecMap(bias, 6 * bodies);
        simbody_acceleration = acceleration;
        if (simbody_bias)
            Eigen::Map<Vector>(simbody_acceleration.data(), 6 * bodies) = VecMap(simbody_bias, 6 * bodies);
    }

    // The same state with accelerations, which are kept as a pointer.
    State accelerated(const double* accelerations) const
        requires(!Differentiating<Real>)
    {
        State s = *this;
        s.udot = accelerations;
        const Vector moved = RowMap(jacobian, 6 * bodies, speeds) * VecMap(accelerations, speeds);
        Eigen::Map<Vector>(s.acceleration.data(), 6 * bodies) += moved;
        Eigen::Map<Vector>(s.simbody_acceleration.data(), 6 * bodies) += moved;
        return s;
    }

    // The path that the state brings for a muscle; nullptr if it brings none.
    const GivenPath* path(int muscle) const {
        if (!paths) return nullptr;
        const auto found = paths->find(muscle);
        return found == paths->end() ? nullptr : found->second.get();
    }

    Mat<Real> R(int b) const { return Eigen::Map<const Eigen::Matrix<Real, 3, 3, Eigen::RowMajor>>(rotation + 9 * b); }
    Vec<Real> p(int b) const { return at(position + 3 * b); }
    Vec<Real> omega(int b) const { return at(velocity.data() + 6 * b); }
    Vec<Real> v(int b) const { return at(velocity.data() + 6 * b + 3); }
    Vec<Real> alpha(int b) const { return at(acceleration.data() + 6 * b); }
    Vec<Real> a(int b) const { return at(acceleration.data() + 6 * b + 3); }
    Vec<Real> simbody_alpha(int b) const { return at(simbody_acceleration.data() + 6 * b); }
    Vec<Real> simbody_a(int b) const { return at(simbody_acceleration.data() + 6 * b + 3); }

  private:
    static Vec<Real> at(const Real* x) { return Eigen::Map<const Vec<Real>>(x); }
};

using States = std::vector<const State<double>*>;

}    // namespace opensim_inertia
