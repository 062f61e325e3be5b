// One muscle's part of inverse dynamics at a state: wrenches on the bodies it touches and forces on sliding
// coordinates.
#pragma once

#include "opensim_inertia/dynamics/node_forces.hpp"

namespace opensim_inertia {

// Adds a force on a node to wrenches on bodies, about their origins, (6 bodies) and to forces on coordinates (speeds).
template <class Real>
void add_force(const State<Real>& s, const Node<Real>& node, const Vec<Real>& force, VectorOf<Real>& wrench,
               VectorOf<Real>& tau) {
    wrench.template segment<3>(6 * node.body) += node.arm.cross(force);
    wrench.template segment<3>(6 * node.body + 3) += force;
    for (const Slide<Real>& slide : node.slides) tau[slide.speed] += slide.direction.dot(force);
    if constexpr (!Differentiating<Real>)
        if (node.free) tau.noalias() += node.free->dstation.transpose() * (s.R(node.body).transpose() * force);
}

// Subtracts wrenches of frozen mass on bodies, (6 bodies).
template <class Real>
void subtract(const State<Real>& s, const std::vector<FrozenMass>& frozen, const Vec3d& gravity,
              VectorOf<Real>& wrench) {
    for (const FrozenMass& m : frozen) wrench.template segment<6>(6 * m.body) -= m.wrench(s, gravity);
}

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
    const AllSpanGradients<Real>& gradients() const { return forces_.gradients(); }

    // Adds wrenches on bodies, about their origins, to `wrench` (6 bodies) and forces on coordinates to `tau` (speeds).
    void add_to(const State<Real>& s, VectorOf<Real>& wrench, VectorOf<Real>& tau) const {
        for (const Wrench<Real>& w : forces_.wrenches) {
            wrench.template segment<3>(6 * w.body) += w.moment;
            wrench.template segment<3>(6 * w.body + 3) += w.force;
        }
        for (std::size_t i = 0; i < laid.nodes.size(); ++i)
            add_force<Real>(s, laid.nodes[i], Eigen::Map<const Vec<Real>>(forces_.force.data() + 3 * i), wrench, tau);
    }

    // Bodies on which the muscle exerts something, each once.
    std::vector<int> bodies() const {
        std::vector<int> found;
        const auto add = [&](int body) {
            if (std::find(found.begin(), found.end(), body) == found.end()) found.push_back(body);
        };
        for (const Wrench<Real>& w : forces_.wrenches) add(w.body);
        for (const Node<Real>& node : laid.nodes) add(node.body);
        return found;
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
