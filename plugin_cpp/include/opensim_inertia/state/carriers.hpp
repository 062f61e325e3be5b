// Bodies and speeds that a quantity depends on.
#pragma once

#include <vector>

namespace opensim_inertia {

// The bodies that carry something, and the coordinates along which it slides in them.
struct Carriers {
    std::vector<int> bodies, coordinates;
};

}    // namespace opensim_inertia
