// Muscles that have mass along their paths (Wang et al. 2022), as a component of OpenSim models.
#pragma once

#include <memory>

#include "evaluator.hpp"
#include "inertia_subsystem.hpp"
#include "opensim.hpp"

namespace OpenSim {

/** Muscles whose mass lies along their paths and slides with them. The Python package opensim_inertia makes this
component and writes its description; nobody writes one by hand. A model has at most one. */
class InertialMuscles : public ModelComponent, private opensim_inertia::native::InertiaForces {
    OpenSim_DECLARE_CONCRETE_OBJECT(InertialMuscles, ModelComponent);

  public:
    OpenSim_DECLARE_PROPERTY(enabled, bool, "Whether the muscles' inertia acts.");
    OpenSim_DECLARE_PROPERTY(given_accelerations, bool,
                             "Whether accelerations are those that OpenSim's Inverse Dynamics Tool has put into the "
                             "state; a model with this set cannot be integrated.");
    OpenSim_DECLARE_PROPERTY(description, std::string,
                             "The muscles and their mass, and what the model was when they were described. Written by "
                             "the Python package opensim_inertia.");
    OpenSim_DECLARE_OUTPUT(kinetic_energy, double, getKineticEnergy, SimTK::Stage::Velocity);
    OpenSim_DECLARE_OUTPUT(potential_energy, double, getPotentialEnergy, SimTK::Stage::Position);
    OpenSim_DECLARE_OUTPUT(total_mass, double, getTotalMass, SimTK::Stage::Topology);
    OpenSim_DECLARE_OUTPUT(model_kinetic_energy, double, getModelKineticEnergy, SimTK::Stage::Velocity);
    OpenSim_DECLARE_OUTPUT(model_com_position, SimTK::Vec3, getModelMassCenterPosition, SimTK::Stage::Position);
    OpenSim_DECLARE_OUTPUT(model_com_velocity, SimTK::Vec3, getModelMassCenterVelocity, SimTK::Stage::Velocity);

    InertialMuscles();
    ~InertialMuscles() override;
    InertialMuscles(const InertialMuscles&);
    InertialMuscles& operator=(const InertialMuscles&);

    /** Of the muscles' mass [J]. */
    double getKineticEnergy(const SimTK::State& s) const;
    double getPotentialEnergy(const SimTK::State& s) const;
    /** Of the muscles [kg]. */
    double getTotalMass(const SimTK::State& s) const;

    /** Of the whole model with its muscles where they are, in ground [J, m, m/s]. What OpenSim itself says of the
    model's mass is that of segments which carry their muscles' mass rigidly. */
    double getModelKineticEnergy(const SimTK::State& s) const;
    SimTK::Vec3 getModelMassCenterPosition(const SimTK::State& s) const;
    SimTK::Vec3 getModelMassCenterVelocity(const SimTK::State& s) const;

    /** Spheres of the size of the muscles' mass, where it lies. */
    void generateDecorations(bool fixed, const ModelDisplayHints& hints, const SimTK::State& s,
                             SimTK::Array_<SimTK::DecorativeGeometry>& appendTo) const override;

  private:
    struct Connected;    // what belongs to the model that the component is part of

    mutable SimTK::ResetOnCopy<std::unique_ptr<Connected>> connected_;

    void extendFinalizeFromProperties() override;
    void extendConnectToModel(Model& model) override;
    void extendAddToSystem(SimTK::MultibodySystem& system) const override;
    void extendRealizeTopology(SimTK::State& s) const override;
    void extendInitStateFromProperties(SimTK::State& s) const override;

    void add_forces(const SimTK::State& s, opensim_inertia::native::Accelerations known) const override;
    void note_acceleration(const SimTK::State& s) const override;
    double potential_energy(const SimTK::State& s) const override;

    Connected& connected() const;
    void find_accelerations(const SimTK::State& s, Connected& c) const;
    void read_other(const SimTK::State& s, bool moves) const;
    void place(const SimTK::State& s) const;
    [[noreturn]] void refuse(const std::string& why) const;
};

}    // namespace OpenSim
