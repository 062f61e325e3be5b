// A muscle's path at one state, given by the caller if the kernel has no formula for it.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "opensim_inertia/scalar/types.hpp"

namespace opensim_inertia {

// A point whose place in its body changes with the speeds in a way that the caller has differentiated (wrapping).
struct FreePoint {
    int body = 0;
    Vec3d station = Vec3d::Zero();
    Matrix dstation;                    // (3, speeds) in the body's frame, per unit speed
    Vec3d ddstation = Vec3d::Zero();    // second derivative along u at udot = 0, in the body's frame
};

constexpr int kFewestControls = 3, kMostControls = 20;

// An arc over a wrap surface: control points at the Chebyshev-Lobatto fractions of arc_basis.hpp.
struct FreeArc {
    std::vector<FreePoint> controls;
};

struct GivenPath {
    std::vector<int> sequence;    // numbers of the muscle's path points, or -1 - i for arc i
    std::vector<FreeArc> arcs;
};

// By muscle number.
using GivenPaths = std::map<int, std::shared_ptr<const GivenPath>>;

// Lengths of paths [m] as OpenSim tells them, by muscle number.
using GivenLengths = std::map<int, double>;

}    // namespace opensim_inertia
