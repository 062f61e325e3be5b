// Cache of quantities that depend on positions, speeds, time, locks and constraints, but not on forces.
#pragma once

#include <vector>

#include "evaluator.hpp"
#include "mass_matrix.hpp"
#include "opensim.hpp"

namespace opensim_inertia::native {

class MotionCache {
  public:
    // At a state realized to Stage::Model.
    void locate(const SimTK::SimbodyMatterSubsystem& matter, const SimTK::State& s) { mass_.locate(matter, s); }

    // Whether the state moves as the one that is kept.
    bool is(const SimTK::State& s, const SimTK::MultibodySystem& system) const;
    void keep(const SimTK::State& s, const SimTK::MultibodySystem& system);
    void forget() { is_kept_ = false; }

    // Speeds whose accelerations are known, by locks or prescribed motions.
    const std::vector<int>& known() const { return known_; }

    // Let the evaluator factor the mass matrix of the state that is kept, once.
    void factor(const SimTK::State& s, const SimTK::SimbodyMatterSubsystem& matter, Evaluator& evaluator);
    // Accelerations with the muscles' mass; those that are known are taken from udot.
    void solve(const SimTK::State& s, const SimTK::SimbodyMatterSubsystem& matter, const SimTK::Vector& on_mobilities,
               const SimTK::Vector_<SimTK::SpatialVec>& on_bodies, const Evaluator& evaluator, SimTK::Vector& udot);

  private:
    bool is_kept_ = false, is_factored_ = false;
    double time_ = 0;
    std::vector<double> q_, u_;
    std::vector<int> known_;
    std::vector<char> disabled_;    // of the constraints
    MassMatrix mass_;
    SimTK::Matrix M_, G_;
    SimTK::Vector bound_, force_, zero_;
};

}    // namespace opensim_inertia::native
