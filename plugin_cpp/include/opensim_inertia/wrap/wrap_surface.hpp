// A wrap object as the kernel knows it.
#pragma once

#include <memory>
#include <string_view>

#include "opensim_inertia/scalar/types.hpp"

namespace opensim_inertia {

class PathNetwork;

// A kind of surface. Each kind is defined beside its formula, and `kSurfaces` in wrap_formulas.hpp lists them all.
struct SurfaceTraits {
    std::string_view name;     // Python's word for it
    int least_sizes, sizes;    // numbers in `WrapSurface::size`: those that must be given, and all
    bool planar;               // whether a planar network can lead paths over it
    bool (*contains)(const Vec3d& size, const Vec3d& x);    // whether a place lies inside; null: it has no inside
};

using SurfaceKind = const SurfaceTraits*;

struct WrapSurface {
    SurfaceKind kind = nullptr;
    Vec3d size = Vec3d::Zero();    // as the kind's definition says [m]
    double smoothing = 0;          // half width h of the transition at touch [m]; 0: the exact path, with its kink

    // The side on which the path passes. Where it turns about an axis (cylinder, torus): sense of that turn, +1 or -1.
    // Elsewhere: the short way, or the one on the side of `active`.
    double turn = 1;
    // OpenSim's quadrant: the half space in which the path wraps; over an ellipsoid in space scaled by its semi-axes.
    // Zero: all of it.
    Vec3d active = Vec3d::Zero();
    bool long_way = true;    // the path holds its side: also when the chord passes clear on the other

    int body = 0;
    Mat3d rotation = Mat3d::Identity();    // of the surface's frame in the body's
    Vec3d origin = Vec3d::Zero();

    std::shared_ptr<const PathNetwork> network;    // takes the formula's place

    bool has_quadrant() const { return active.squaredNorm() > 0; }
};

// Over an ellipsoid the path goes the long way round where its chord passes on the far side of the centre as the
// quadrant sees it: within 45 degrees, unless it stays on its side; else a path that slips sideways keeps to the short
// way.
inline bool passes_beyond(const WrapSurface& s, const Vec3d& foot) {
    const double least = s.long_way ? 0 : 0.7071;
    return foot.dot(s.active) < -least * foot.norm() * s.active.norm();
}

}    // namespace opensim_inertia
