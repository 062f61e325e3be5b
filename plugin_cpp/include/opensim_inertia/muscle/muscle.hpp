// A muscle as the kernel knows it.
#pragma once

#include "opensim_inertia/muscle/mass_distribution.hpp"
#include "opensim_inertia/muscle/material_map.hpp"
#include "opensim_inertia/path/path.hpp"

namespace opensim_inertia {

struct Muscle {
    Path path;
    MaterialMap<> map;
    MassDistribution mass;
};

}    // namespace opensim_inertia
