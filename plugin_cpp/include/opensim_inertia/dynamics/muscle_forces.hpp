// One muscle's part of inverse dynamics at a state: wrenches on the bodies it touches and forces on sliding
// coordinates.
#pragma once

#include "opensim_inertia/dynamics/node_forces.hpp"

namespace opensim_inertia {

// Wrenches on bodies, about their origins, (6 bodies), and forces on coordinates (speeds).
template <class Real>
struct CarriedForces {
    VectorOf<Real> wrench, tau;

    void clear(Eigen::Index bodies, Eigen::Index speeds) {
        wrench.setZero(6 * bodies);
        tau.setZero(speeds);
    }
    void add(int body, const Vec<Real>& moment, const Vec<Real>& force) {
        wrench.template segment<3>(6 * body) += moment;
        wrench.template segment<3>(6 * body + 3) += force;
    }
    void pull(int speed, const Real& force) { tau[speed] += force; }
    // The generalized forces; few bodies have a wrench.
    Vector projected(const State<double>& s) const {
        Vector all = tau;
        for (int b = 0; b < s.bodies; ++b) {
            const Eigen::Matrix<double, 6, 1> own = wrench.template segment<6>(6 * b);
            if (own.any()) all.noalias() += RowMap(s.jacobian + 6 * b * s.speeds, 6, s.speeds).transpose() * own;
        }
        return all;
    }
};

template <class Real>
class MuscleForces {
  public:
    LaidMuscle<Real> laid;

    void find(const State<Real>& s, const Muscle& muscle, const Vec3d& gravity) {
        find(s, muscle, muscle.map.template as<Real>(), gravity);
    }

    void find(const State<Real>& s, const Muscle& muscle, const MaterialMap<Real>& map, const Vec3d& gravity) {
        state_ = &s;
        laid.lay(s, muscle, map);
        if (laid.is_divided()) return divide(muscle, map, gravity);
        forces_.sum(laid, gravity);
    }

    // The muscle that was found last, at the same state, which is still there, with another map.
    void find_again(const Muscle& muscle, const MaterialMap<Real>& map, const Vec3d& gravity) {
        laid.lay_again(muscle, map);
        if (laid.is_divided()) return divide(muscle, map, gravity);
        forces_.sum_again(laid, gravity);
    }

    // Of the muscle laid straight past all surfaces.
    void find_straight(const State<Real>& s, const Muscle& muscle, const MaterialMap<Real>& map, const Vec3d& gravity) {
        laid.lay_straight(s, muscle, map);
        find_as_laid(gravity);
    }

    // Of `laid` as it is, which is not divided.
    void find_as_laid(const Vec3d& gravity) { forces_.sum(laid, gravity); }

    // The muscle's mass on several paths, where it is divided.
    const DividedMuscle<Real>& divided() const { return divided_; }

    // The same, lying as it did, of samples that say by their weights and accelerations what acts at their places.
    void find_of_samples_again() { forces_.sum_again(laid, Vec3d::Zero()); }

    void add_moment(int body, const Vec<Real>& moment) {
        forces_.wrenches.push_back({body, moment, Vec<Real>::Zero()});
    }

    // Largest of the spans, see SpanTerms.
    double stretch() const { return forces_.stretch; }

    // Of the spans of `laid`, if that is not divided.
    AllSpanGradients<Real>& gradients() { return forces_.gradients(); }

    // Adds all of them, by sum.add(body, moment about its origin, force) and sum.pull(speed, force).
    template <class Sum>
    void add_to(Sum&& sum) const {
        for (const Wrench<Real>& w : forces_.wrenches) sum.add(w.body, w.moment, w.force);
        for (std::size_t i = 0; i < laid.nodes.size(); ++i) {
            const Node<Real>& node = laid.nodes[i];
            const Vec<Real> force = Eigen::Map<const Vec<Real>>(forces_.force.data() + 3 * i);
            sum.add(node.body, node.arm.cross(force), force);
            for (const Slide<Real>& slide : node.slides) sum.pull(slide.speed, slide.direction.dot(force));
        }
    }

  private:
    NodeForces<Real> forces_;
    DividedMuscle<Real> divided_;
    const State<Real>* state_ = nullptr;

    void divide(const Muscle& muscle, const MaterialMap<Real>& map, const Vec3d& gravity) {
        divided_.divide(*state_, muscle, map, laid);
        forces_.sum(laid, divided_, gravity);
    }
};

}    // namespace opensim_inertia
