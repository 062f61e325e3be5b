// The force subsystem through which the component takes part in the equations of motion.
#pragma once

#include "opensim.hpp"

namespace opensim_inertia::native {

// The accelerations that a state's cache has before Stage::Acceleration: none (not all are numbers); what is left
// there, by Simbody from another place of the state or in a copy's memory; or others, which somebody has put there
// since.
enum class Accelerations { none, left, given };

// What is asked at each stage of a state.
class InertiaForces {
  public:
    virtual ~InertiaForces() = default;
    // At Stage::Dynamics, after all forces that were added to the system before.
    virtual void add_forces(const SimTK::State& s, Accelerations known) const = 0;
    // At Stage::Acceleration.
    virtual void note_acceleration(const SimTK::State& s) const = 0;
    virtual double potential_energy(const SimTK::State& s) const = 0;
};

// Add a subsystem to a system, which then owns it; `forces` must outlive the system.
SimTK::SubsystemIndex add_inertia_subsystem(SimTK::MultibodySystem& system, const InertiaForces& forces);

// Whether any force subsystem comes after this one, whose forces would not be seen.
bool is_last(const SimTK::MultibodySystem& system, SimTK::SubsystemIndex subsystem);

}    // namespace opensim_inertia::native
