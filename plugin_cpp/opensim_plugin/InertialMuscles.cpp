#include "InertialMuscles.h"

#include <algorithm>
#include <cmath>
#include <iostream>

#include "model_match.hpp"
#include "motion_cache.hpp"
#include "state_reader.hpp"

using namespace SimTK;
using namespace opensim_inertia::native;

namespace OpenSim {

namespace {

// States in a row of which forces are asked but no accelerations, as by InverseDynamicsSolver.
constexpr int kWithoutAccelerations = 5;

constexpr double kMuscleDensity = 1060;    // [kg/m^3]

}    // namespace

struct InertialMuscles::Connected {
    Evaluator evaluator;
    StateReader reader;
    SubsystemIndex subsystem;
    StateArrays placed, other;    // of the evaluator's state, and for what is asked besides
    MotionCache motion;
    SimTK::Vector udot, wrenches, slides;
    int without_accelerations = 0;

    Connected(const std::string& description, const Component& model)
        : evaluator(description), reader(evaluator, model), placed(evaluator.zero_arrays()), other(placed) {}
};

InertialMuscles::InertialMuscles() {
    constructProperty_enabled(true);
    constructProperty_given_accelerations(false);
    constructProperty_description("");
}
InertialMuscles::~InertialMuscles() = default;
InertialMuscles::InertialMuscles(const InertialMuscles&) = default;
InertialMuscles& InertialMuscles::operator=(const InertialMuscles&) = default;

void InertialMuscles::refuse(const std::string& why) const {
    throw OpenSim::Exception("InertialMuscles '" + getName() + "': " + why);
}

InertialMuscles::Connected& InertialMuscles::connected() const {
    if (!connected_.getT()) refuse("it is not part of an initialised model");
    return *connected_.getT();
}

void InertialMuscles::extendFinalizeFromProperties() {
    Super::extendFinalizeFromProperties();
    connected_.updT().reset();
}

void InertialMuscles::extendConnectToModel(Model& model) {
    Super::extendConnectToModel(model);
    const Component& root = getRoot();
    for (const InertialMuscles& other : root.getComponentList<InertialMuscles>())
        if (&other != this)
            refuse("the model has another one, '" + other.getName() +
                   "'; all inertial muscles of a model must be in "
                   "one component");
    try {
        connected_.updT() = std::make_unique<Connected>(get_description(), root);
        check_model(connected().evaluator.outline(), root);
    } catch (const std::exception& error) {
        connected_.updT().reset();
        refuse(error.what());
    }
}

void InertialMuscles::extendAddToSystem(MultibodySystem& system) const {
    Super::extendAddToSystem(system);
    connected().subsystem = add_inertia_subsystem(system, *this);
}

// Into `other`.
void InertialMuscles::read_other(const SimTK::State& s, bool moves) const {
    Connected& c = connected();
    if (moves)
        c.reader.read(s, c.other);
    else
        c.reader.read_pose(s, c.other);
}

// Places the evaluator at a state that is realized to Stage::Velocity, with the forces before this component's.
void InertialMuscles::place(const SimTK::State& s) const {
    Connected& c = connected();
    if (c.motion.is(s, getSystem())) return;
    c.motion.forget();
    c.reader.read(s, c.placed);
    c.evaluator.place(c.placed);
    c.motion.keep(s, getSystem());
}

void InertialMuscles::extendRealizeTopology(SimTK::State& s) const {
    Super::extendRealizeTopology(s);
    if (!is_last(getSystem(), connected().subsystem))
        refuse(
            "another component has added forces to the system after it, whose forces it cannot see; it must be the "
            "model's last component that adds a force subsystem");
}

void InertialMuscles::extendInitStateFromProperties(SimTK::State& s) const {
    Super::extendInitStateFromProperties(s);
    try {
        const SimbodyMatterSubsystem& matter = getSystem().getMatterSubsystem();
        connected().reader.locate(matter, s);
        connected().motion.locate(matter, s);
    } catch (const std::exception& error) {
        refuse(error.what());
    }
}

void InertialMuscles::note_acceleration(const SimTK::State&) const {
    if (!get_enabled()) return;
    if (get_given_accelerations())
        refuse(
            "this model was exported for OpenSim's Inverse Dynamics Tool and can do nothing else; export it with "
            "tool=\"forward\" to ask for accelerations");
    connected().without_accelerations = 0;
}

void InertialMuscles::add_forces(const SimTK::State& s, Accelerations known) const {
    if (!get_enabled()) return;
    Connected& c = connected();
    if (get_given_accelerations() && known == Accelerations::none)
        refuse(
            "this model was exported for OpenSim's Inverse Dynamics Tool, and no accelerations were put into the state "
            "(State::updUDot) as the tool does; export it with tool=\"forward\" for whatever has none");
    if (!get_given_accelerations() && known == Accelerations::given)
        refuse(
            "accelerations were put into the state, as OpenSim's Inverse Dynamics Tool does, and its result would be "
            "wrong with this model, which is for forward dynamics; export it with tool=\"inverse\" for that tool");
    try {
        place(s);
        find_accelerations(s, c);
    } catch (const std::exception& error) {
        c.motion.forget();
        refuse("at time " + std::to_string(s.getTime()) + " s: " + error.what());
    }
    const MultibodySystem& system = getSystem();
    const int bodies = static_cast<int>(c.evaluator.outline().bodies.size());
    c.wrenches.resize(6 * bodies);
    c.slides.resize(s.getNU());
    c.evaluator.loads(&c.udot[0], bodies ? &c.wrenches[0] : nullptr, &c.slides[0]);
    system.updMobilityForces(s, Stage::Dynamics) += c.slides;
    Vector_<SpatialVec>& on_bodies = system.updRigidBodyForces(s, Stage::Dynamics);
    for (int b = 0; b < bodies; ++b) {
        const double* w = &c.wrenches[6 * b];
        on_bodies[c.reader.mobod(b)] += SpatialVec(Vec3(w[0], w[1], w[2]), Vec3(w[3], w[4], w[5]));
    }
}

// Fill in c.udot.
void InertialMuscles::find_accelerations(const SimTK::State& s, Connected& c) const {
    const MultibodySystem& system = getSystem();
    if (get_given_accelerations()) {
        c.udot = s.updUDot();
        return;
    }
    const SimbodyMatterSubsystem& matter = system.getMatterSubsystem();
    const Vector_<SpatialVec>& on_bodies = system.getRigidBodyForces(s, Stage::Dynamics);
    const SimTK::Vector& on_mobilities = system.getMobilityForces(s, Stage::Dynamics);
    const std::vector<int>& known = c.motion.known();
    c.udot.resize(s.getNU());
    if (!known.empty()) {
        Vector_<SpatialVec> of_bodies;
        matter.calcAccelerationIgnoringConstraints(s, on_mobilities, on_bodies, c.udot, of_bodies);
    }
    if (static_cast<int>(known.size()) == s.getNU()) return;
    if (++c.without_accelerations == kWithoutAccelerations)
        std::cerr << "[warning] InertialMuscles '" << getName()
                  << "': forces are asked for without accelerations. OpenSim's InverseDynamicsSolver does so, and its "
                     "result is wrong with this model; export it with tool=\"inverse\" for that solver, and put the "
                     "accelerations into the state's updUDot(), too\n";
    c.motion.factor(s, matter, c.evaluator);
    c.motion.solve(s, matter, on_mobilities, on_bodies, c.evaluator, c.udot);
}

double InertialMuscles::potential_energy(const SimTK::State& s) const {
    if (!get_enabled()) return 0;
    Connected& c = connected();
    read_other(s, false);
    return c.evaluator.excess(c.other).energies.potential;
}

double InertialMuscles::getTotalMass(const SimTK::State&) const { return connected().evaluator.total_mass(); }

double InertialMuscles::getKineticEnergy(const SimTK::State& s) const {
    Connected& c = connected();
    read_other(s, true);
    return c.evaluator.energies(c.other).kinetic;
}

double InertialMuscles::getPotentialEnergy(const SimTK::State& s) const {
    Connected& c = connected();
    read_other(s, false);
    return c.evaluator.energies(c.other).potential;
}

double InertialMuscles::getModelKineticEnergy(const SimTK::State& s) const {
    Connected& c = connected();
    read_other(s, true);
    const double bodies = getSystem().getMatterSubsystem().calcKineticEnergy(s);
    return bodies + (get_enabled() ? c.evaluator.excess(c.other).energies.kinetic : 0);
}

Vec3 InertialMuscles::getModelMassCenterPosition(const SimTK::State& s) const {
    Connected& c = connected();
    read_other(s, false);
    const SimbodyMatterSubsystem& matter = getSystem().getMatterSubsystem();
    const Vec3 bodies = matter.calcSystemMassCenterLocationInGround(s);
    if (!get_enabled()) return bodies;
    const double mass = matter.calcSystemMass(s);
    const Excess excess = c.evaluator.excess(c.other);
    return (mass * bodies + Vec3(&excess.moment[0])) / (mass + excess.mass);
}

Vec3 InertialMuscles::getModelMassCenterVelocity(const SimTK::State& s) const {
    Connected& c = connected();
    read_other(s, true);
    const SimbodyMatterSubsystem& matter = getSystem().getMatterSubsystem();
    const Vec3 bodies = matter.calcSystemMassCenterVelocityInGround(s);
    if (!get_enabled()) return bodies;
    const double mass = matter.calcSystemMass(s);
    const Excess excess = c.evaluator.excess(c.other);
    return (mass * bodies + Vec3(&excess.momentum[0])) / (mass + excess.mass);
}

void InertialMuscles::generateDecorations(bool fixed, const ModelDisplayHints& hints, const SimTK::State& s,
                                          Array_<DecorativeGeometry>& appendTo) const {
    Super::generateDecorations(fixed, hints, s, appendTo);
    if (fixed || !get_enabled()) return;
    Connected& c = connected();
    read_other(s, false);
    for (const DrawnPoint& point : c.evaluator.drawn_points(c.other)) {
        const double radius = std::cbrt(0.75 * point.mass / (kMuscleDensity * SimTK::Pi));
        appendTo.push_back(DecorativeSphere(radius)
                               .setTransform(Vec3(point.place[0], point.place[1], point.place[2]))
                               .setColor(Vec3(0.6, 0.1, 0.1))
                               .setOpacity(0.6));
    }
}

}    // namespace OpenSim
