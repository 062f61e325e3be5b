// A muscle as the kernel knows it.
#pragma once

#include "opensim_inertia/muscle/frozen_mass.hpp"
#include "opensim_inertia/muscle/mass_distribution.hpp"
#include "opensim_inertia/muscle/material_map.hpp"
#include "opensim_inertia/path/path.hpp"

namespace opensim_inertia {

struct Muscle {
    Path path;
    MaterialMap<> map;
    MassDistribution mass;
    std::vector<FrozenMass> frozen;    // where the published model has the mass, which is subtracted

    // Of the path and of the frozen mass.
    Carriers carriers() const {
        Carriers found = path.carriers();
        for (const FrozenMass& m : frozen)
            if (std::ranges::find(found.bodies, m.body) == found.bodies.end()) found.bodies.push_back(m.body);
        return found;
    }

    // Raises std::invalid_argument for a body or coordinate that a state does not have.
    void check(int bodies, int speeds) const {
        path.check(bodies, speeds);
        for (const FrozenMass& m : frozen)
            if (m.body >= bodies)
                throw std::invalid_argument("muscle '" + path.name + "' is frozen to body " + std::to_string(m.body) +
                                            ", there are " + std::to_string(bodies));
    }
};

}    // namespace opensim_inertia
