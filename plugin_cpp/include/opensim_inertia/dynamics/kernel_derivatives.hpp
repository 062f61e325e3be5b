// Derivatives of tau of inverse dynamics, by the kernel's formula in dual numbers.
#pragma once

#include "opensim_inertia/dynamics/kernel.hpp"
#include "opensim_inertia/state/directions.hpp"

namespace opensim_inertia {

class KernelDerivatives {
  public:
    explicit KernelDerivatives(const Kernel& kernel) : k_(kernel) {}

    // Of Kernel::inverse at s, which holds udot, along d, (directions, speeds).
    Matrix inverse_along(const State<double>& s, const Directions& d, const std::vector<int>& which) const;

    // Of each muscle's own tau by its map's `proximal`, `phi` and `aponeurosis`, (3 muscles, speeds). `frozen`: the
    // derivatives of each muscle's frozen mass by these three.
    Matrix inverse_by_map(const State<double>& s, const std::vector<int>& which,
                          const std::vector<FrozenMuscles>& frozen) const;

    // Of each muscle's mass as a rigid body by the same, (4 x 3 muscles, 4).
    Matrix pseudo_inertia_by_map(const State<double>& s, const std::vector<int>& which,
                                 const std::vector<MassWindow>& windows) const;

  private:
    const Kernel& k_;
};

}    // namespace opensim_inertia
