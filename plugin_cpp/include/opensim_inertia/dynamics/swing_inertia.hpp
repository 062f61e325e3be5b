// The inertia of mass that swings, bellies across their paths and masses on springs on segments, as the carriers of
// muscles feel it where displacements are free (docs/theory/wobble.md).
//
// With d = B z, B = R E, and the Jacobians J of the sum of m phi X and D of d, Lagrange's equations of q and z are
//   J^T ddot d + D^T y = tau,   B^T y + k z + c zdot = 0,   y = (sum m phi X)'' + mu ddot d - s g
// As z' ' = z0'' - (1 / mu) B^T W udot with W = J + mu D and z0'' that at udot = 0, carriers feel the inertia
//   (1 / mu) (W^T (1 - B B^T) W - J^T J)
// and the force - J^T ddot d - D^T y at udot = 0.
#pragma once

#include <memory>
#include <vector>

#include "opensim_inertia/dynamics/kernel.hpp"
#include "opensim_inertia/dynamics/swing_frame.hpp"

namespace opensim_inertia {

class SwingInertia {
  public:
    // Raises std::invalid_argument for what the kernel's muscles or states do not have.
    SwingInertia(const Kernel& kernel, std::vector<SwingingMass> masses);
    ~SwingInertia();

    // How many there are of all masses; coordinates and their rates follow each other in the order of the masses.
    std::size_t coordinates() const;

    // Evaluates the muscles and what swings at a state; energies are the muscles' without swinging. `z`, `rate`:
    // coordinates; `tension`: of the kernel's muscles [N].
    Terms evaluate(const State<double>& s, const double* z, const double* rate, const double* tension);

    // zddot (coordinates) at the state evaluated last with udot = 0, and M_qz^T / mu (coordinates, speeds), by which it
    // falls with udot.
    void couplings(const State<double>& s, double* at_rest, Matrix& gain) const;

  private:
    struct Work;
    const std::unique_ptr<Work> work_;
};

}    // namespace opensim_inertia
