// A muscle's path as the model defines it.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "opensim_inertia/path/path_point.hpp"
#include "opensim_inertia/state/carriers.hpp"
#include "opensim_inertia/wrap/wrap_surface.hpp"

namespace opensim_inertia {

// The path between the path points `first` .. `last` (active or not) may wrap over the surface.
struct WrapSite {
    WrapSurface surface;
    int first = 0, last = 0;
};

struct Path {
    std::string name;    // the muscle's, and its number in the kernel
    int number = 0;
    std::vector<PathPoint> points;
    std::vector<WrapSite> sites;    // in their order along the path
    bool is_given = false;          // it comes with each state, and there are no sites; a state may bring any path

    Carriers carriers() const {
        Carriers found;
        const auto add = [](std::vector<int>& to, int x) {
            if (x >= 0 && std::ranges::find(to, x) == to.end()) to.push_back(x);
        };
        for (const PathPoint& point : points) {
            add(found.bodies, point.body);
            for (const ScalarFunction& f : point.moving) add(found.coordinates, f.coordinate);
        }
        for (const WrapSite& site : sites) add(found.bodies, site.surface.body);
        return found;
    }

    // Raises std::invalid_argument, which names the muscle, for a body or coordinate that a state does not have.
    void check(int bodies, int speeds) const {
        const auto check_range = [&](const char* what, int i, int end) {
            if (i < 0 || i >= end)
                throw std::invalid_argument("muscle '" + name + "': " + what + " " + std::to_string(i) +
                                            " is out of range, there are " + std::to_string(end));
        };
        for (const PathPoint& point : points) {
            check_range("body", point.body, bodies);
            if (point.condition >= 0) check_range("coordinate", point.condition, speeds);
            for (const ScalarFunction& f : point.moving)
                if (f.coordinate >= 0) check_range("coordinate", f.coordinate, speeds);
        }
        for (const WrapSite& site : sites) check_range("body", site.surface.body, bodies);
    }
};

// A path on which no mass can be placed.
struct PathError : std::runtime_error {
    PathError(const Path& path, const std::string& what) : std::runtime_error("muscle '" + path.name + "': " + what) {}
};

}    // namespace opensim_inertia
