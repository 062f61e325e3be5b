// Path points as the model defines them, and the nodes they become at a state.
#pragma once

#include <vector>

#include "scalar_function.hpp"
#include "state.hpp"

namespace opensim_inertia {

// A point of a path: fixed to a body, or moving in it with coordinates, or present only in a coordinate's range.
struct PathPoint {
    int body = 0;
    Vec3d station = Vec3d::Zero();                // in the body's frame; where `moving` is empty
    std::vector<ScalarFunction> moving;           // three functions: OpenSim's MovingPathPoint
    Mat3d moving_rotation = Mat3d::Identity();    // from the frame the point hangs on to the body
    Vec3d moving_origin = Vec3d::Zero();
    int condition = -1;    // coordinate index: OpenSim's ConditionalPathPoint
    double low = 0, high = 0;

    // OpenSim's activation rule, with its tolerance (ConditionalPathPoint::isActive)
    bool active(const double* q) const {
        constexpr double tolerance = 1e-5;
        return condition < 0 || (q[condition] >= low - tolerance && q[condition] <= high + tolerance);
    }
};

// A point whose place in its body changes with the speeds in a way that the caller has differentiated (wrapping).
struct FreePoint {
    int body = 0;
    Vec3d station = Vec3d::Zero();
    Matrix dstation;                    // (3, speeds) in the body's frame, per unit speed
    Vec3d ddstation = Vec3d::Zero();    // second derivative along u at udot = 0, in the body's frame
};

// A node at a state. Its Jacobian is  lin(body) - [arm]x ang(body) + sum of slide(column).
struct Node {
    int body;
    Vec3d arm;          // from the body's origin, ground
    Vec3<TimeJet> x;    // position, velocity, acceleration in ground
    std::array<int, 3> slide_speed{-1, -1, -1};
    std::array<Vec3d, 3> slide{Vec3d::Zero(), Vec3d::Zero(), Vec3d::Zero()};
    const FreePoint* free = nullptr;
    bool is_bridge = false;    // then its Jacobian follows from its neighbours', see bridge.hpp
};

// A node that a body carries.
inline Node carry(const State& s, int body, const Vec3d& station) {
    Node n;
    n.body = body;
    n.arm = s.R(body) * station;
    const Vec3d w = s.omega(body), turn = w.cross(n.arm);
    const Vec3d x = s.p(body) + n.arm, v = s.v(body) + turn, a = s.a(body) + s.alpha(body).cross(n.arm) + w.cross(turn);
    for (int i = 0; i < 3; ++i) n.x[i] = TimeJet(x[i], v[i], a[i]);
    return n;
}

// The same, where its station moves in the body with the velocity and acceleration given (in the body's frame).
inline Node carry(const State& s, int body, const Vec3d& station, const Vec3d& dstation, const Vec3d& ddstation) {
    Node n = carry(s, body, station);
    const Mat3d R = s.R(body);
    const Vec3d slip = R * dstation, a = 2 * s.omega(body).cross(slip) + R * ddstation;
    for (int i = 0; i < 3; ++i) {
        n.x[i].d += slip[i];
        n.x[i].dd += a[i];
    }
    return n;
}

inline Node place(const State& s, const PathPoint& point) {
    if (point.moving.empty()) return carry(s, point.body, point.station);
    Vec3d f = Vec3d::Zero(), df = Vec3d::Zero(), ddf = Vec3d::Zero(), slope = Vec3d::Zero();
    std::array<int, 3> speed{-1, -1, -1};
    for (int i = 0; i < 3; ++i) {
        const ScalarFunction& function = point.moving[static_cast<std::size_t>(i)];
        const int c = function.coordinate;
        const auto y = function(c < 0 ? 0.0 : s.q[c]);
        f[i] = y.f;
        if (c < 0) continue;
        speed[static_cast<std::size_t>(i)] = c;
        slope[i] = y.df;
        df[i] = y.df * s.u[c];
        ddf[i] = y.ddf * s.u[c] * s.u[c] + (s.udot ? y.df * s.udot[c] : 0.0);
    }
    const Mat3d& Q = point.moving_rotation;
    Node n = carry(s, point.body, point.moving_origin + Q * f, Q * df, Q * ddf);
    const Mat3d RQ = s.R(point.body) * Q;
    for (int i = 0; i < 3; ++i) {
        n.slide_speed[static_cast<std::size_t>(i)] = speed[static_cast<std::size_t>(i)];
        n.slide[static_cast<std::size_t>(i)] = RQ.col(i) * slope[i];
    }
    return n;
}

inline Node place(const State& s, const FreePoint& point) {
    const Vec3d dp = point.dstation * VecMap(s.u, s.speeds);
    Vec3d ddp = point.ddstation;
    if (s.udot) ddp += point.dstation * VecMap(s.udot, s.speeds);
    Node n = carry(s, point.body, point.station, dp, ddp);
    n.free = &point;
    return n;
}

}    // namespace opensim_inertia
