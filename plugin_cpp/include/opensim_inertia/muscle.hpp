// A muscle as the kernel knows it.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "mass_distribution.hpp"
#include "material_map.hpp"
#include "path_point.hpp"
#include "wrap_surface.hpp"

namespace opensim_inertia {

// An arc over a wrap surface: control points at the Chebyshev-Lobatto fractions of arc_basis.hpp.
struct FreeArc {
    std::vector<FreePoint> controls;
};

// The bodies and the sliding coordinates that a muscle's path depends on.
struct Carriers {
    std::vector<int> bodies, coordinates;
};

struct Muscle {
    std::string name;
    std::vector<PathPoint> points;
    MaterialMap<> map;
    MassDistribution mass;

    // Surfaces over which the kernel's own formula leads the path, in their order along it.
    std::vector<WrapSite> sites;

    // Or, a wrapping muscle's path at the present state, set by the caller: indices of `points`, or -1 - i for arc i.
    bool wraps = false;
    std::vector<int> sequence;
    std::vector<FreeArc> arcs;

    Carriers carriers() const {
        Carriers found;
        const auto add = [](std::vector<int>& to, int x) {
            if (x >= 0 && std::find(to.begin(), to.end(), x) == to.end()) to.push_back(x);
        };
        for (const PathPoint& point : points) {
            add(found.bodies, point.body);
            for (const ScalarFunction& f : point.moving) add(found.coordinates, f.coordinate);
        }
        for (const WrapSite& site : sites) add(found.bodies, site.surface.body);
        return found;
    }
};

// A path on which no mass can be placed.
struct PathError : std::runtime_error {
    PathError(const Muscle& muscle, const std::string& what)
        : std::runtime_error("muscle '" + muscle.name + "': " + what) {}
};

}    // namespace opensim_inertia
