// What the kernel is told about one state. All vectors in ground, SI units; a body's spatial vector is (angular, linear
// of its origin).
#pragma once

#include "types.hpp"

namespace opensim_inertia {

using RowMap = Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
using VecMap = Eigen::Map<const Vector>;

struct State {
    int bodies, speeds;
    const double* q;           // (speeds) coordinate values in speed order
    const double* u;           // (speeds)
    const double* rotation;    // (bodies, 3, 3) row-major, body to ground
    const double* position;    // (bodies, 3) body origins
    const double* jacobian;    // (6 bodies, speeds) system Jacobian, row-major
    const double* bias;        // (bodies, 6) Jdot u

    // derived once per state
    Matrix velocity;        // (bodies, 6) J u
    Matrix acceleration;    // (bodies, 6) J udot + Jdot u; udot = 0 where only the bias is wanted
    const double* udot = nullptr;

    void derive() {
        const RowMap J(jacobian, 6 * bodies, speeds);
        velocity.resize(bodies, 6);
        acceleration.resize(bodies, 6);
        Eigen::Map<Vector>(velocity.data(), 6 * bodies).noalias() = J * VecMap(u, speeds);
        Eigen::Map<Vector> A(acceleration.data(), 6 * bodies);
        A = VecMap(bias, 6 * bodies);
        if (udot) A.noalias() += J * VecMap(udot, speeds);
    }

    Mat3d R(int b) const { return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(rotation + 9 * b); }
    Vec3d p(int b) const { return Eigen::Map<const Vec3d>(position + 3 * b); }
    Vec3d omega(int b) const { return Eigen::Map<const Vec3d>(velocity.data() + 6 * b); }
    Vec3d v(int b) const { return Eigen::Map<const Vec3d>(velocity.data() + 6 * b + 3); }
    Vec3d alpha(int b) const { return Eigen::Map<const Vec3d>(acceleration.data() + 6 * b); }
    Vec3d a(int b) const { return Eigen::Map<const Vec3d>(acceleration.data() + 6 * b + 3); }
};

}    // namespace opensim_inertia
