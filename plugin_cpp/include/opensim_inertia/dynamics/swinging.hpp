// Bellies that swing across their paths along a recorded motion (docs/theory/wobble.md): the equations of their
// displacements, and the forces that it needs because of them.
#pragma once

#include <vector>

#include "opensim_inertia/dynamics/kernel.hpp"
#include "opensim_inertia/dynamics/swing_frame.hpp"

namespace opensim_inertia {

class Swinging {
  public:
    static constexpr Eigen::Index kEquation = 10;

    // All of them are modes of bellies.
    Swinging(const Kernel& kernel, std::vector<SwingingMass> swings);

    // K and C (2, 2) and b (2,) of z'' = -(K + k) z - (C + c) z' + b, by rows, at several states with accelerations
    // udot (states, speeds): (states swings, kEquation).
    Rows equations(const States& states, const double* udot) const;

    // What displacements along a motion exert.
    struct Answers {
        Matrix each;             // generalized forces that each of the first set makes the motion need, (states swings,
                                 // speeds)
        Matrix summed;           // of all of them by set, (sets states, speeds)
        Matrix displacements;    // d of the first set in ground, (states swings, 3)
        Remarks remarks;
    };

    // With accelerations udot (states, speeds), z and z' (sets, states, swings, 4), and k [1/s^2] and c [1/s] (sets,
    // states, swings).
    Answers answers(const States& states, const double* udot, const double* y, const double* stiffness,
                    const double* damping, std::size_t sets) const;

  private:
    struct Call;    // what the functions above share
    const Kernel& k_;
    std::vector<SwingingMass> swings_;
};

}    // namespace opensim_inertia
