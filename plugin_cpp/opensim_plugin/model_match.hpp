// Check whether a model is the described one.
#pragma once

#include "opensim.hpp"
#include "outline.hpp"

namespace opensim_inertia::native {

// Raises OpenSim::Exception, which says what has changed, where the model differs from what was described.
void check_model(const Outline& outline, const OpenSim::Component& model);

}    // namespace opensim_inertia::native
