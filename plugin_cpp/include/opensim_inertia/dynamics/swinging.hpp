// What bellies that swing across their paths need of the paths (docs/theory/wobble.md): the first moment of the mass
// weighted by the mode, and the chord from end to end, along the motion; generalized forces of what acts on both; and
// the equations of displacements along a recorded motion, with the forces that it needs because of them.
#pragma once

#include <vector>

#include "opensim_inertia/dynamics/kernel.hpp"
#include "opensim_inertia/dynamics/swing_frame.hpp"

namespace opensim_inertia {

class Swinging {
  public:
    static constexpr Eigen::Index kMotion = 19;    // moment and chord, each with rate and acceleration; belly's length
    static constexpr Eigen::Index kEquation = 10;

    // All of them are modes of bellies. `motion` asks for muscle, shape and body alone.
    Swinging(const Kernel& kernel, std::vector<SwingingMass> swings);

    // At several states, with accelerations udot (states, speeds): (states swings, kMotion).
    Rows motion(const States& states, const double* udot) const;

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
