// Muscles on the bodies of `Mechanism::three_hinges`.
#pragma once

#include "opensim_inertia/dynamics/kernel.hpp"

using namespace opensim_inertia;

inline const Vec3d kGravity(0.5, -9.80665, 0.3);

inline PathPoint fixed(int body, const Vec3d& station) {
    PathPoint p;
    p.body = body;
    p.station = station;
    return p;
}

inline PathPoint conditional(int body, const Vec3d& station, int coordinate, double low, double high) {
    PathPoint p = fixed(body, station);
    p.condition = coordinate;
    p.low = low;
    p.high = high;
    return p;
}

// x = 0.03 + 0.02 q - 0.05 q^2 + 0.01 q^3 along one axis of a frame turned in the body.
inline PathPoint moving(int body, int coordinate) {
    PathPoint p;
    p.body = body;
    p.moving_rotation = Eigen::AngleAxisd(0.4, Vec3d(1, 2, 2) / 3).toRotationMatrix();
    p.moving_origin = Vec3d(0.04, -0.1, 0.02);
    ScalarFunction x, none;
    x.coordinate = coordinate;
    x.terms = 4;
    x.pieces = {0.03, 0.02, -0.05, 0.01};
    none.terms = 1;
    none.pieces = {0};
    p.moving = {x, none, none};
    return p;
}

// Its moving point goes with a coordinate that does not move its body.
inline std::vector<PathPoint> cornered_path() {
    return {fixed(0, {0.02, 0.2, 0}), moving(1, 1), conditional(1, {0.05, -0.2, 0.03}, 0, -1, 1),
            conditional(2, {0.3, 0.3, 0.3}, 0, 1, 2), fixed(3, {0.02, -0.1, 0.05})};
}

inline Muscle muscle(std::vector<PathPoint> points, const MaterialMap<>& map, MassDistribution mass) {
    Muscle m;
    m.path.name = "made up";
    m.path.points = std::move(points);
    m.map = map;
    m.mass = std::move(mass);
    return m;
}

// phi, slack, proximal, shortest, hold_width, aponeurosis
inline const MaterialMap<> kUniform{0.6, 0, 0.3, 0, 0, 0}, kRigidTendon{1, 0.15, 0.4, 0, 0, 0},
    kAponeurosis{1, 0.15, 0.2, 0, 0, 0.5};

inline const std::vector<double> kChi{0.4, 0.9, 0.0, 0.6, 1.0}, kXi{0.03, 0.2, 0.5, 0.7, 0.96},
    kMasses{0.1, 0.05, 0.2, 0.08, 0.12};

inline MassDistribution point_masses() { return MassDistribution::points(kChi, kXi, kMasses); }

inline std::vector<Material<double>> material() {
    std::vector<Material<double>> all;
    for (std::size_t i = 0; i < kChi.size(); ++i) all.push_back({kChi[i], kXi[i]});
    return all;
}

// A surface on a body, between all of a muscle's points.
inline WrapSite site(SurfaceKind kind, const Vec3d& size, int body, const Vec3d& origin, double turn, int last) {
    WrapSurface s;
    s.kind = kind;
    s.size = size;
    s.smoothing = 3e-3;
    s.turn = turn;
    s.body = body;
    s.origin = origin;
    return {s, 0, last};
}
