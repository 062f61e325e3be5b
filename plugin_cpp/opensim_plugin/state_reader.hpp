// Reader of Simbody's states for the evaluator.
#pragma once

#include <vector>

#include "evaluator.hpp"
#include "opensim.hpp"

namespace opensim_inertia::native {

class StateReader {
  public:
    // Raises OpenSim::Exception for a model that lacks a body or coordinate.
    StateReader(const Evaluator& evaluator, const OpenSim::Component& model);

    // Find places in the state, which is realized to Stage::Model. Raises OpenSim::Exception if the model's speeds are
    // others, or in another order, than those described.
    void locate(const SimTK::SimbodyMatterSubsystem& matter, const SimTK::State& s);

    // At a state realized to Stage::Velocity.
    void read(const SimTK::State& s, StateArrays& arrays) const;
    // At a state realized to Stage::Position, as if at rest.
    void read_pose(const SimTK::State& s, StateArrays& arrays) const;

    // Of one of the described bodies.
    SimTK::MobilizedBodyIndex mobod(int body) const { return mobods_[static_cast<std::size_t>(body)]; }

  private:
    // A speed and the described bodies that it moves.
    struct Mobility {
        SimTK::MobilizedBodyIndex mobod;
        SimTK::MobilizerUIndex own;
        std::vector<std::size_t> bodies;
    };

    const Evaluator& evaluator_;
    const SimTK::SimbodyMatterSubsystem* matter_ = nullptr;
    std::vector<const OpenSim::PhysicalFrame*> frames_, rotation_frames_;
    std::vector<const OpenSim::Coordinate*> coordinates_;
    std::vector<SimTK::MobilizedBodyIndex> mobods_, rotation_mobods_;
    std::vector<SimTK::QIndex> slots_;
    std::vector<Mobility> mobilities_;

    void correct_bias(const SimTK::State& s, StateArrays& arrays) const;
};

}    // namespace opensim_inertia::native
