// What inverse dynamics of muscles whose paths bend is made of: forces of velocities and of gravity, and what of them
// the rates of the muscles' lengths alone make. A muscle's terms on what carries it say so; for straight muscles see
// straight_forces.hpp.
#pragma once

#include <array>
#include <vector>

#include "opensim_inertia/dynamics/mass_speeds.hpp"
#include "opensim_inertia/dynamics/muscle_forces.hpp"

namespace opensim_inertia {

// Wrenches on bodies, about their origins, (6 bodies), and forces on coordinates (speeds).
struct CarriedForces {
    Vector wrench, tau;

    void clear(const State<double>& s) {
        wrench.setZero(6 * s.bodies);
        tau.setZero(s.speeds);
    }
    void add(const MuscleForces<double>& forces, const State<double>& s) { forces.add_to(s, wrench, tau); }
    // On a muscle's carriers, by their ids.
    void add(const std::vector<int>& ids, double factor, const double* force) {
        for (const int id : ids) (id < wrench.size() ? wrench[id] : tau[id - wrench.size()]) += factor * *force++;
    }
    Vector projected(const State<double>& s) const {
        return tau + RowMap(s.jacobian, 6 * s.bodies, s.speeds).transpose() * wrench;
    }
};

// Sums over muscles at one state.
class ForceParts {
  public:
    // `rest` is `s`, which is kept, at udot = 0.
    void start(const State<double>& rest, const State<double>& s) {
        s_ = &s;
        moved_ = Eigen::Map<const Vector>(s.acceleration.data(), 6 * s.bodies) -
                 Eigen::Map<const Vector>(rest.acceleration.data(), 6 * s.bodies);
        for (CarriedForces& sum : sums_) sum.clear(s);
    }

    // Adds those of a muscle whose forces were found at udot, and if it could be fast its terms; `kg` weighs half the
    // square of its length's rate.
    void add(const MuscleForces<double>& forces, NodeJacobians& J, CarrierTerms& terms, const Vec3d& g, double kg) {
        const double at_udot = kg * forces.laid.length.dd;
        const auto sum = [&](const LaidMuscle<double>& laid, const AllSpanGradients<double>* gradients) {
            J.find(*s_, laid);
            terms.sum(laid, J, g, gradients);
            add_terms(J, terms);
        };
        if (forces.laid.is_divided()) {
            for (const LaidMuscle<double>& part : forces.divided().parts) sum(part, nullptr);
            J.find(*s_, forces.laid);
            terms.sum_on_ends(forces.laid, J, forces.divided().ends, g);
            add_terms(J, terms);
        } else if (MassSpeeds::could_be_fast(forces.laid, forces.stretch())) {
            add_terms(J, terms);
        } else {
            sum(forces.laid, &forces.gradients());
        }
        const double* length = terms.gradient_of_length().data();
        sums_[0].add(J.ids, at_udot, length);
        sums_[1].add(J.ids, at_udot - kg * VecMap(length, acceleration_.size()).dot(acceleration_), length);
    }

    // (4, speeds): the force of the kinetic energy of the lengths' rates, its part that is of velocities, -h and -g_m
    template <class Out>
    void write(Out&& rows) const {
        for (std::size_t i = 0; i < sums_.size(); ++i) rows.row(static_cast<Eigen::Index>(i)) = sums_[i].projected(*s_);
    }

  private:
    const State<double>* s_ = nullptr;
    Vector moved_, acceleration_, of_udot_;    // of the bodies and of a muscle's carriers through udot; its forces
    std::array<CarriedForces, 4> sums_;

    // Of velocities and of gravity.
    void add_terms(const NodeJacobians& J, const CarrierTerms& terms) {
        const auto width = static_cast<Eigen::Index>(J.width);
        acceleration_.setZero(width);
        for (std::size_t a = 0; a < J.ids.size(); ++a) {
            const Eigen::Index id = J.ids[a];
            acceleration_[static_cast<Eigen::Index>(a)] =
                id < moved_.size() ? moved_[id] : s_->udot[id - moved_.size()];
        }
        const RowMap inertia(terms.inertia.data(), width, width);
        of_udot_.noalias() = inertia.selfadjointView<Eigen::Upper>() * acceleration_;
        sums_[2].add(J.ids, -1, of_udot_.data());
        sums_[2].add(J.ids, -1, terms.bias.data());
        sums_[3].add(J.ids, -1, terms.gravity.data());
    }
};

}    // namespace opensim_inertia
