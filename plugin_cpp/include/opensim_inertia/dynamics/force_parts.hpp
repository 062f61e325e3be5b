// What inverse dynamics of all muscles is made of: forces of udot, of velocities and of gravity, and what of them the
// rates of the muscles' lengths alone make.
//
// Forces are linear in udot and in gravity. Where a path is straight from point to point, sums over an element's
// samples say what either makes, by the Jacobian of straight_terms.hpp; what is left of all forces is of velocities.
// Any other muscle is laid again at udot = 0.
#pragma once

#include <array>
#include <vector>

#include "opensim_inertia/dynamics/moved_bodies.hpp"

namespace opensim_inertia {

// Wrenches on bodies, about their origins, (6 bodies), and forces on coordinates (speeds).
struct CarriedForces {
    Vector wrench, tau;

    void clear(const State<double>& s) {
        wrench.setZero(6 * s.bodies);
        tau.setZero(s.speeds);
    }
    void add(const MuscleForces<double>& forces, const State<double>& s) { forces.add_to(s, wrench, tau); }
    void add(double factor, const CarriedForces& others) {
        wrench += factor * others.wrench;
        tau += factor * others.tau;
    }
    Vector projected(const State<double>& s) const {
        return tau + RowMap(s.jacobian, 6 * s.bodies, s.speeds).transpose() * wrench;
    }
};

// Sums over muscles at one state.
class ForceParts {
  public:
    // `rest` is `s` at udot = 0; both are kept.
    void start(const State<double>& rest, const State<double>& s) {
        rest_ = &rest;
        s_ = &s;
        for (CarriedForces& sum : sums_) sum.clear(s);
    }

    // Adds those of a muscle whose forces were found at udot, and which are then of no use; `kg` weighs half the square
    // of its length's rate.
    void add(MuscleForces<double>& forces, const Muscle& muscle, MovedBodies& bodies, const Vec3d& g, double kg) {
        auto& [rates, rates_at_rest, of_velocities, weight] = sums_;
        const double at_udot = kg * forces.laid.length.dd;
        const auto add_to_both = [&](CarriedForces& sum, double factor, CarriedForces& other, double other_factor) {
            one_.clear(*s_);
            one_.add(forces, *s_);
            sum.add(factor, one_);
            other.add(other_factor, one_);
        };
        forces.find_length();
        bodies.project(*s_, forces, gradient_);
        add_to_both(rates, at_udot, rates_at_rest, at_udot - kg * gradient_.dot(VecMap(s_->udot, s_->speeds)));
        forces.find(*rest_, muscle, g);
        one_.clear(*s_);
        one_.add(forces, *s_);
        weight.add(1, one_);
        forces.find_under(Vec3d::Zero());
        add_to_both(of_velocities, 1, weight, -1);
    }

    // (4, speeds): the force of the kinetic energy of the lengths' rates, its part that is of velocities, -h and -g_m
    template <class Out>
    void write(Out&& rows) const {
        for (std::size_t i = 0; i < sums_.size(); ++i) rows.row(static_cast<Eigen::Index>(i)) = sums_[i].projected(*s_);
    }

  private:
    const State<double>*rest_ = nullptr, *s_ = nullptr;
    Vector gradient_;
    std::array<CarriedForces, 4> sums_;
    CarriedForces one_;
};

}    // namespace opensim_inertia
