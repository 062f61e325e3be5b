#include "inertia_subsystem.hpp"

#include <simbody/internal/ForceSubsystemGuts.h>

namespace opensim_inertia::native {

using namespace SimTK;

namespace {

class InertiaGuts : public ForceSubsystem::Guts {
  public:
    explicit InertiaGuts(const InertiaForces& forces)
        : ForceSubsystem::Guts("InertialMuscles", "1"), forces_(&forces) {}
    InertiaGuts* cloneImpl() const override { return new InertiaGuts(*this); }
    Real calcPotentialEnergy(const State& s) const override { return forces_->potential_energy(s); }
    int realizeSubsystemDynamicsImpl(const State& s) const override {
        forces_->add_forces(s);
        return 0;
    }
    int realizeSubsystemAccelerationImpl(const State& s) const override {
        forces_->note_acceleration(s);
        return 0;
    }

  private:
    const InertiaForces* forces_;
};

class Inertia : public ForceSubsystem {
  public:
    Inertia(MultibodySystem& system, const InertiaForces& forces) {
        adoptSubsystemGuts(new InertiaGuts(forces));
        index = SubsystemIndex(system.addForceSubsystem(*this));
    }
    SubsystemIndex index;
};

}    // namespace

SubsystemIndex add_inertia_subsystem(MultibodySystem& system, const InertiaForces& forces) {
    return Inertia(system, forces).index;
}

bool is_last(const MultibodySystem& system, SubsystemIndex subsystem) {
    for (SubsystemIndex i(subsystem + 1); i < system.getNumSubsystems(); ++i)
        if (ForceSubsystem::isInstanceOf(system.getSubsystem(i))) return false;
    return true;
}

}    // namespace opensim_inertia::native
