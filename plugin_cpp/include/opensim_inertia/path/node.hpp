// A node: a path point at a state.
#pragma once

#include "opensim_inertia/path/path_point.hpp"
#include "opensim_inertia/scalar/time_jet.hpp"
#include "opensim_inertia/state/state.hpp"

namespace opensim_inertia {

// How a node slides in its body with a coordinate: `direction` per unit speed, in ground.
template <class Real>
struct Slide {
    int speed;
    Vec<Real> direction;
};

// A node at a state. Its Jacobian is  lin(body) - [arm]x ang(body) + sum of slides.
template <class Real>
struct Node {
    int body;
    Vec<Real> arm;            // from the body's origin, ground
    Vec3<TimeJet<Real>> x;    // position, velocity, acceleration in ground
    std::vector<Slide<Real>> slides;
    bool is_free = false;      // placed by the caller
    bool is_bridge = false;    // then its Jacobian follows from its neighbours', see wrap/bridge.hpp
};

// A node that a body carries.
template <class Real>
inline Node<Real> carry(const State<Real>& s, int body, const Vec<Real>& station) {
    Node<Real> n;
    n.body = body;
    n.arm = s.R(body) * station;
    const Vec<Real> w = s.omega(body), turn = w.cross(n.arm);
    n.x = jets<Real>(s.p(body) + n.arm, s.v(body) + turn, s.a(body) + s.alpha(body).cross(n.arm) + w.cross(turn));
    return n;
}

// The same, where its station moves in the body with the velocity and acceleration given (in the body's frame).
template <class Real>
inline Node<Real> carry(const State<Real>& s, int body, const Vec<Real>& station, const Vec<Real>& dstation,
                        const Vec<Real>& ddstation) {
    Node<Real> n = carry(s, body, station);
    const Mat<Real> R = s.R(body);
    const Vec<Real> slip = R * dstation, a = 2.0 * s.omega(body).cross(slip) + R * ddstation;
    for (int i = 0; i < 3; ++i) {
        n.x[i].d += slip[i];
        n.x[i].dd += a[i];
    }
    return n;
}

template <class Real>
inline Node<Real> place(const State<Real>& s, const PathPoint& point) {
    if (point.moving.empty()) return carry<Real>(s, point.body, point.station.cast<Real>());
    Vec<Real> f, df, ddf, derivative;
    std::array<int, 3> speed{-1, -1, -1};
    for (int i = 0; i < 3; ++i) {
        const ScalarFunction& function = point.moving[static_cast<std::size_t>(i)];
        const int c = function.coordinate;
        const auto y = function(c < 0 ? Real(0.0) : s.q[c]);
        f[i] = y.f;
        df[i] = ddf[i] = derivative[i] = 0.0;
        if (c < 0) continue;
        speed[static_cast<std::size_t>(i)] = c;
        derivative[i] = y.df;
        df[i] = y.df * s.u[c];
        ddf[i] = y.ddf * s.u[c] * s.u[c];
        if (s.udot) ddf[i] += y.df * s.udot[c];
    }
    const Mat<Real> Q = point.moving_rotation.cast<Real>();
    Node<Real> n = carry<Real>(s, point.body, point.moving_origin.cast<Real>() + Q * f, Q * df, Q * ddf);
    const Mat<Real> RQ = s.R(point.body) * Q;
    for (int i = 0; i < 3; ++i) {
        const int c = speed[static_cast<std::size_t>(i)];
        if (c >= 0) n.slides.push_back({c, RQ.col(i) * derivative[i]});
    }
    return n;
}

inline Node<double> place(const State<double>& s, const FreePoint& point) {
    const Vec3d dp = point.dstation * VecMap(s.u, s.speeds);
    Vec3d ddp = point.ddstation;
    if (s.udot) ddp += point.dstation * VecMap(s.udot, s.speeds);
    Node<double> n = carry<double>(s, point.body, point.station, dp, ddp);
    n.is_free = true;
    const Matrix slide = s.R(point.body) * point.dstation;
    for (int c = 0; c < s.speeds; ++c)
        if (slide.col(c).any()) n.slides.push_back({c, slide.col(c)});
    return n;
}

}    // namespace opensim_inertia
