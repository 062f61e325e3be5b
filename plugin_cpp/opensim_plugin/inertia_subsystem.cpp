#include "inertia_subsystem.hpp"

#include <simbody/internal/ForceSubsystemGuts.h>

#include <cmath>
#include <cstring>
#include <vector>

namespace opensim_inertia::native {

using namespace SimTK;

namespace {

// What a state's cache had for accelerations when nobody but Simbody can have written there.
struct NotedAccelerations {
    Vector udot;
    ResetOnCopy<bool> is_own;    // of this state, and not of the one that it was copied from
};

class InertiaGuts : public ForceSubsystem::Guts {
  public:
    explicit InertiaGuts(const InertiaForces& forces)
        : ForceSubsystem::Guts("InertialMuscles", "1"), forces_(&forces) {}
    InertiaGuts* cloneImpl() const override { return new InertiaGuts(*this); }
    Real calcPotentialEnergy(const State& s) const override { return forces_->potential_energy(s); }
    int realizeSubsystemTopologyImpl(State& s) const override {
        noted_ = allocateLazyCacheEntry(s, Stage::Instance, new Value<NotedAccelerations>());
        return 0;
    }
    int realizeSubsystemInstanceImpl(const State& s) const override {
        if (noted(s).udot.size() == 0) s.updUDot() = NaN;    // else memory that nobody has written to
        return realizeSubsystemTimeImpl(s);
    }
    int realizeSubsystemTimeImpl(const State& s) const override {
        if (!noted(s).is_own) note(s);
        return 0;
    }
    int realizeSubsystemDynamicsImpl(const State& s) const override {
        forces_->add_forces(s, known_accelerations(s));
        return 0;
    }
    int realizeSubsystemAccelerationImpl(const State& s) const override {
        forces_->note_acceleration(s);
        note(s);    // the matter subsystem, which comes before, has found them
        return 0;
    }

  private:
    const InertiaForces* forces_;
    mutable CacheEntryIndex noted_;

    NotedAccelerations& noted(const State& s) const {
        return Value<NotedAccelerations>::updDowncast(updCacheEntry(s, noted_));
    }

    void note(const State& s) const {
        NotedAccelerations& now = noted(s);
        now.udot = s.updUDot();
        now.is_own = true;
    }

    // Without those of locks and prescribed motions, which Simbody puts there before.
    Accelerations known_accelerations(const State& s) const {
        const Vector &now = s.updUDot(), &before = noted(s).udot;
        const auto& matter = MultibodySystem::downcast(getSystem()).getMatterSubsystem();
        std::vector<char> is_known(static_cast<std::size_t>(now.size()), 0);
        for (UIndex u : matter.getKnownUDotIndex(s)) is_known[static_cast<std::size_t>(u)] = 1;
        Accelerations found = Accelerations::left;
        for (int u = 0; u < now.size(); ++u) {
            if (is_known[static_cast<std::size_t>(u)]) continue;
            if (std::isnan(now[u])) return Accelerations::none;
            if (std::memcmp(&before[u], &now[u], sizeof(double)) != 0) found = Accelerations::given;
        }
        return found;
    }
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
