// The muscles' inertia as a plain class that hides the kernel and Eigen: this header is C++17 without either, for the
// side of the plugin that sees OpenSim.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "outline.hpp"

namespace opensim_inertia::native {

// A state, in the axes of the outline. In ground; a spatial vector is (angular, linear of the body's origin).
struct StateArrays {
    std::vector<double> q, u;            // (speeds)
    std::vector<double> rotation;        // (bodies, 3, 3) row-major
    std::vector<double> position;        // (bodies, 3)
    std::vector<double> jacobian;        // (6 bodies, speeds) row-major
    std::vector<double> bias;            // (bodies, 6)
    std::vector<double> simbody_bias;    // (bodies, 6), as Simbody has it for its bodies, which is wrong at some joints
};

struct Energies {
    double kinetic = 0, potential = 0;
};

// By how much a quantity of the model with its muscles exceeds that of the model's bodies.
struct Excess {
    double mass = 0;
    Numbers3 moment{}, momentum{};    // first moment of mass about ground's origin, and linear momentum
    Energies energies;
};

// Mass to be drawn.
struct DrawnPoint {
    Numbers3 place;
    double mass;
};

class Evaluator {
  public:
    // Raises std::runtime_error for a description that cannot be read.
    explicit Evaluator(const std::string& description);
    ~Evaluator();

    const Outline& outline() const;
    double total_mass() const;
    StateArrays zero_arrays() const;

    // What Simbody's angular acceleration lacks at a joint, in its child frame.
    Numbers3 lacking(std::size_t rotation, const StateArrays& arrays) const;

    // Of the muscles' mass.
    Energies energies(const StateArrays& arrays) const;
    // Of the muscles' mass less the same mass frozen to its donor segments.
    Excess excess(const StateArrays& arrays) const;
    std::vector<DrawnPoint> drawn_points(const StateArrays& arrays) const;

    // The functions below belong to the state of the last `place`, whose arrays must stay as they are. They raise
    // std::runtime_error where a path cannot carry mass, and where the mass matrix is not positive definite.
    void place(const StateArrays& arrays);
    // With the model's own mass matrix (speeds, speeds) and constraints G (constraints, speeds), both by columns.
    void factor(const double* mass_matrix, int constraints, const double* G, const std::vector<int>& known);
    // (M + dM) udot + G^T mu = force + h + g_m, G udot = bound; known accelerations are taken from udot (speeds).
    void solve(const double* force, const double* bound, double* udot) const;
    // What the muscles' mass exerts at udot: wrenches on bodies (bodies, 6), forces on coordinates (speeds).
    void loads(const double* udot, double* wrenches, double* forces) const;

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}    // namespace opensim_inertia::native
