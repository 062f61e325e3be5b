// What the kernel is told about one state. All vectors in ground, SI units; a body's spatial vector is (angular, linear
// of its origin).
#pragma once

#include "types.hpp"

namespace opensim_inertia {

using RowMap = Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
using VecMap = Eigen::Map<const Vector>;

template <class Real>
struct State {
    int bodies, speeds;
    const Real* q;           // (speeds) coordinate values in speed order
    const Real* u;           // (speeds)
    const Real* rotation;    // (bodies, 3, 3) row-major, body to ground
    const Real* position;    // (bodies, 3) body origins
    // of these a state of doubles is made; else they are not looked at
    const double* jacobian;    // (6 bodies, speeds) system Jacobian, row-major
    const double* bias;        // (bodies, 6) Jdot u

    // derived once per state
    MatrixOf<Real> velocity;        // (bodies, 6) J u
    MatrixOf<Real> acceleration;    // (bodies, 6) J udot + Jdot u; udot = 0 where only the bias is wanted
    const double* udot = nullptr;

    void derive()
        requires(!Differentiating<Real>)
    {
        const RowMap J(jacobian, 6 * bodies, speeds);
        velocity.resize(bodies, 6);
        acceleration.resize(bodies, 6);
        Eigen::Map<Vector>(velocity.data(), 6 * bodies).noalias() = J * VecMap(u, speeds);
        Eigen::Map<Vector> A(acceleration.data(), 6 * bodies);
        A = VecMap(bias, 6 * bodies);
        if (udot) A.noalias() += J * VecMap(udot, speeds);
    }

    Mat<Real> R(int b) const { return Eigen::Map<const Eigen::Matrix<Real, 3, 3, Eigen::RowMajor>>(rotation + 9 * b); }
    Vec<Real> p(int b) const { return at(position + 3 * b); }
    Vec<Real> omega(int b) const { return at(velocity.data() + 6 * b); }
    Vec<Real> v(int b) const { return at(velocity.data() + 6 * b + 3); }
    Vec<Real> alpha(int b) const { return at(acceleration.data() + 6 * b); }
    Vec<Real> a(int b) const { return at(acceleration.data() + 6 * b + 3); }

  private:
    static Vec<Real> at(const Real* x) { return Eigen::Map<const Vec<Real>>(x); }
};

}    // namespace opensim_inertia
