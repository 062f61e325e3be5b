// The kernel: mass points, added mass matrix, quadratic velocity vector and gravity of all muscles at given states.
//
// Inertia and forces are differences: mass that slides along the paths, less the same mass frozen to its donors.
// A kernel has no memory: what it returns depends on the arguments only, and any number of threads may use it at once.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "opensim_inertia/dynamics/answers.hpp"
#include "opensim_inertia/muscle/belly.hpp"
#include "opensim_inertia/muscle/muscle.hpp"

namespace opensim_inertia {

class CarrierSum;
class WorkspacePool;
struct Workspace;

class Kernel {
  public:
    // Raises std::invalid_argument for a muscle on a body or coordinate that a state does not have.
    Kernel(int bodies, int speeds, const Vec3d& gravity, std::vector<Muscle> muscles);
    ~Kernel();

    int bodies() const { return nb_; }
    int speeds() const { return nu_; }
    const Vec3d& gravity() const { return gravity_; }
    std::size_t size() const { return muscles_.size(); }
    const std::vector<int>& every() const { return every_; }    // all muscles' numbers

    const Muscle& muscle(int i) const;

    // Raises std::invalid_argument for a state of another model, std::out_of_range for a muscle that is not there.
    void check(const State<double>& s, const std::vector<int>& which) const;

    // Without subtracting frozen mass: terms of the muscles themselves.
    Terms evaluate(const State<double>& s, const std::vector<int>& which, bool subtract_frozen = true) const;

    // The same; `sum` then knows what all of it exerts on its carriers. also(i, workspace, sum), which may add to it,
    // is called for each muscle with mass, laid as workspace.laid says, and after them with -1.
    using Also = std::function<void(int, Workspace&, CarrierSum&)>;
    Terms evaluate(const State<double>& s, const std::vector<int>& which, CarrierSum& sum, const Also& also = {}) const;

    // With the rigid bodies' mass matrix (speeds, speeds) and accelerations (speeds).
    Equations equations(const State<double>& s, const double* mass_matrix, const double* udot0,
                        const std::vector<int>& which) const;

    // tau = dM udot - h - g_m, without forming dM, at several states, (states, speeds); udot alike.
    Rows inverse(const States& states, const double* udot, const std::vector<int>& which) const;

    // The same before it is projected: wrenches on bodies, about their origins, and forces on coordinates by which path
    // points slide, (states, 6 bodies + speeds).
    Rows inverse_on_carriers(const States& states, const double* udot, const std::vector<int>& which) const;

    // Each muscle's own tau, (states muscles, speeds).
    Rows inverse_each(const States& states, const double* udot, const std::vector<int>& which) const;

    // `inverse_each`, and what its sums over muscles are made of, (4 states, speeds): the force of half the square of
    // the lengths' rates with weights [kg] of `which`, its part that is of velocities, -h and -g_m.
    RowsAndParts inverse_parts(const States& states, const double* udot, const std::vector<int>& which,
                               const std::vector<double>& weights) const;

    // `inverse_each` with other maps in place of the muscles' own, several sets of them, (sets states muscles, speeds).
    // Each set has a map and frozen mass for each muscle of `which`. Paths, which no map changes, are laid once.
    Rows inverse_of_maps(const States& states, const double* udot, const std::vector<int>& which,
                         const std::vector<std::vector<MaterialMap<>>>& sets,
                         const std::vector<FrozenMuscles>& frozen) const;

    // Where a muscle's mass is divided between several paths, of the one on which most of it lies.
    MaterialPoints mass_points(const State<double>& s, int i, const std::vector<Material<double>>& material,
                               bool want_jacobian) const;

    // Each muscle's mass as a rigid body with other maps, as inverse_of_maps takes them, (4 sets muscles, 4); of a
    // muscle that is asked for with a window what lies in it, if there are `windows`, one for each of `which`.
    Rows pseudo_inertia_of_maps(const State<double>& s, const std::vector<int>& which,
                                const std::vector<std::vector<MaterialMap<>>>& sets,
                                const std::vector<MassWindow>& windows) const;

    // Whether a muscle's mass lies straight past all surfaces.
    bool is_straightened(const State<double>& s, int i) const;

    // The same of a muscle of which workspace.forces.laid has the path: its belly then lies straight there. Where mass
    // is divided no belly swings.
    bool straighten_bare(Workspace& work, const State<double>& s, int i, RemarkCollection& remarks,
                         std::size_t state) const;

    // Lengths of the path, of the belly and of the fibres [m], and whether these are held (1 or 0), (muscles, 4).
    Matrix lengths(const State<double>& s, const std::vector<int>& which) const;

    // Derivatives of the paths' lengths with respect to the bodies' twists (angular, linear of the origin, in ground)
    // and, the bodies held, the speeds, (muscles, 6 bodies + speeds).
    Matrix length_gradients(const State<double>& s, const std::vector<int>& which) const;

    // Each muscle's mass as a rigid body, (4 muscles, 4), or what lies in a window of it, see pseudo_inertia_of_maps.
    Rows pseudo_inertia(const State<double>& s, const std::vector<int>& which,
                        const std::vector<MassWindow>& windows = {}) const;

    // Calls work(workspace, number of the state, remarks) for each state. Returns the remarks.
    using Work = std::function<void(Workspace&, std::size_t, RemarkCollection&)>;
    Remarks for_each_state(const States& states, const std::vector<int>& which, const Work& work) const;

  private:
    struct Call;    // what the functions above share
    const int nb_, nu_;
    const Vec3d gravity_;
    std::vector<Muscle> muscles_;
    std::vector<int> every_;
    const std::unique_ptr<WorkspacePool> workspaces_;
};

}    // namespace opensim_inertia
