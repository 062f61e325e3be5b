// The mass matrix of Simbody's bodies from their composite inertias; Simbody's own calcM runs an inverse dynamics for
// each column.
#pragma once

#include <vector>

#include "opensim.hpp"

namespace opensim_inertia::native {

class MassMatrix {
  public:
    // At a state realized to Stage::Model.
    void locate(const SimTK::SimbodyMatterSubsystem& matter, const SimTK::State& s);
    // At a state realized to Stage::Position, (speeds, speeds).
    void find(const SimTK::SimbodyMatterSubsystem& matter, const SimTK::State& s, SimTK::Matrix& M);

  private:
    // Of each mobilized body: its parent, and the range of its speeds.
    struct Node {
        SimTK::MobilizedBodyIndex parent;
        int first, end;
    };

    std::vector<Node> nodes_;
    std::vector<SimTK::SpatialVec> columns_;    // of each speed: the motion that it gives to its body, relative to the
                                                // parent
    SimTK::Array_<SimTK::SpatialInertia, SimTK::MobilizedBodyIndex> composite_;
};

}    // namespace opensim_inertia::native
