// Three hinges at one state, body 1 of which carries surfaces.
#pragma once

#include "moved_state.hpp"
#include "opensim_inertia/wrap/wrap_formulas.hpp"

inline const Mechanism kChain = Mechanism::three_hinges();
inline const Vector kQ = (Vector(3) << 0.3, -0.5, 0.4).finished();
inline const Vector kU = (Vector(3) << 1.1, -0.7, 0.9).finished();
inline const Vector kUdot = (Vector(3) << -2.0, 3.0, 1.0).finished();
inline const Vec3d kOrigin(0.02, -0.1, 0.01);    // of surfaces in body 1

// The station in a body of a place that surfaces see at p, at kQ.
inline Vec3d station(int body, const Vec3d& p) {
    const Pose pose(kChain, kQ, kU);
    Mat3d R;
    for (int i = 0; i < 3; ++i) R.col(i) = pose.carried(body, Vec3d::Unit(i)) - pose.carried(body, Vec3d::Zero());
    return R.transpose() * (pose.carried(1, kOrigin + p) - pose.carried(body, Vec3d::Zero()));
}
