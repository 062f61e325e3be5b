// What inverse dynamics of all muscles is made of: forces of udot, of velocities and of gravity, and what of them the
// rates of the muscles' lengths alone make.
//
// Forces are linear in udot and in gravity. Where a path is straight from point to point, sums over an element's
// samples say what either makes, by the Jacobian of straight_terms.hpp; what is left of all forces is of velocities.
// Of any other muscle its terms on what carries it do.
#pragma once

#include <array>
#include <vector>

#include "opensim_inertia/dynamics/mass_speeds.hpp"
#include "opensim_inertia/dynamics/moved_bodies.hpp"

namespace opensim_inertia {

// Wrenches on bodies, about their origins, (6 bodies), and forces on coordinates (speeds).
struct CarriedForces {
    Vector wrench, tau;

    void clear(const State<double>& s) {
        wrench.setZero(6 * s.bodies);
        tau.setZero(s.speeds);
    }
    void add(const State<double>& s, const Node<double>& node, const Vec3d& force) {
        add_force(s, node, force, wrench, tau);
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

// Of one muscle.
class StraightParts {
  public:
    double length_acceleration = 0;                // what udot makes of it
    std::vector<Vec3d> inertia, weight, length;    // on each node: of udot, of gravity, and a unit against the length

    static bool apply_to(const LaidMuscle<double>& m) {
        return m.spans.empty() && !m.is_divided() &&
               std::ranges::all_of(m.elements, [](const Element& element) { return element.is_straight(); });
    }

    // `moved`: accelerations of the bodies (6 bodies) through udot (speeds)
    void find(const State<double>& s, const LaidMuscle<double>& m, const Vector& moved, const Vec3d& g) {
        find_lengths(s, m, moved);
        const MapDerivatives<double> derivatives = map_derivatives(m);
        for (auto* forces : {&inertia, &weight, &length}) forces->assign(m.nodes.size(), Vec3d::Zero());
        pulls_.assign(m.elements.size(), {0, 0});
        const double slips = derivatives.apart(m.slip);
        std::array<double, 2> pull{m.slip_weight * slips * slips * length_acceleration, 0};
        for_each_element(m.samples, [&](std::size_t k, std::size_t from, std::size_t to) {
            add_element(m, k, from, to, derivatives, g, pull);
        });
        for (std::size_t k = m.elements.size(); k-- > 0;) {
            const auto first = static_cast<std::size_t>(m.elements[k].first);
            const Vec3d& e = ways_[k].direction;
            add_pull(inertia, first, pull[0] * e);
            add_pull(weight, first, pull[1] * e);
            add_pull(length, first, e);
            for (std::size_t i = 0; i < 2; ++i) pull[i] += pulls_[k][i];
        }
    }

  private:
    // An element: its direction, 1 / length, how the acceleration of its end through udot differs from its start's, and
    // of the length before it.
    struct Way {
        Vec3d direction;
        double per_length;
        Vec3d apart;
        double start_acceleration;
    };

    std::vector<Vec3d> accelerations_;    // of the nodes through udot
    std::vector<Way> ways_;
    std::vector<std::array<double, 2>> pulls_;    // on the lengths before each element, of udot and of gravity

    static void add_pull(std::vector<Vec3d>& forces, std::size_t first, const Vec3d& pull) {
        forces[first] -= pull;
        forces[first + 1] += pull;
    }

    void find_lengths(const State<double>& s, const LaidMuscle<double>& m, const Vector& moved) {
        accelerations_.clear();
        for (const Node<double>& node : m.nodes) {
            const auto body = moved.segment<6>(6 * node.body);
            Vec3d a = body.tail<3>() + Vec3d(body.head<3>()).cross(node.arm);
            for (const Slide<double>& slide : node.slides) a += s.udot[slide.speed] * slide.direction;
            if (node.free) a += s.R(node.body) * (node.free->dstation * VecMap(s.udot, s.speeds));
            accelerations_.push_back(a);
        }
        ways_.clear();
        length_acceleration = 0;
        for (std::size_t k = 0; k < m.elements.size(); ++k) {
            const auto first = static_cast<std::size_t>(m.elements[k].first);
            const double per_length = 1 / ((k + 1 < m.start.size() ? m.start[k + 1] : m.length).v - m.start[k].v);
            const Vec3d e = per_length * real(m.seen_from_first[first]);
            ways_.push_back({e, per_length, accelerations_[first + 1] - accelerations_[first], length_acceleration});
            length_acceleration += e.dot(ways_.back().apart);
        }
    }

    // A sample's acceleration through udot is s (a - e S'') + tau (1 - e e^T) (b - a) + c' e L'', with those of the
    // element's ends a and b. Its force acts on them by the same factors.
    void add_element(const LaidMuscle<double>& m, std::size_t k, std::size_t from, std::size_t to,
                     const MapDerivatives<double>& derivatives, const Vec3d& g, std::array<double, 2>& pull) {
        const auto first = static_cast<std::size_t>(m.elements[k].first);
        const auto& [e, per_length, apart, start_acceleration] = ways_[k];
        double mass = 0, at = 0, transverse = 0, along = 0, along_squared = 0;    // of s^2, s tau, tau^2, s c', c'^2
        for (std::size_t i = from; i < to; ++i) {
            const Sample<double>& sample = m.samples[i];
            const double w = sample.weight, by_length = derivatives(sample);
            const double tau =
                per_length * (sample.is_spread ? m.apart(sample.material) : m.along(k, sample.material)).v;
            transverse += w * tau * tau;
            along_squared += w * by_length * by_length;
            if (sample.is_spread) continue;
            mass += w;
            at += w * tau;
            along += w * by_length;
        }
        const auto across = [&](const Vec3d& vector) { return Vec3d(vector - e * e.dot(vector)); };
        const Vec3d together = accelerations_[first] - start_acceleration * e, turning = across(apart);
        const Vec3d force = mass * together + at * turning + along * length_acceleration * e;
        const Vec3d on_end = across(at * together + transverse * turning), falls = -at * across(g);
        inertia[first] += force - on_end;
        inertia[first + 1] += on_end;
        weight[first] += -mass * g - falls;
        weight[first + 1] += falls;
        pull[0] += along * e.dot(together) + along_squared * length_acceleration;
        pull[1] -= along * e.dot(g);
        pulls_[k] = {-e.dot(force), mass * e.dot(g)};
    }
};

// Sums over muscles at one state.
class ForceParts {
  public:
    // `rest` is `s` at udot = 0; both are kept.
    void start(const State<double>& rest, const State<double>& s) {
        rest_ = &rest;
        s_ = &s;
        moved_ = Eigen::Map<const Vector>(s.acceleration.data(), 6 * s.bodies) -
                 Eigen::Map<const Vector>(rest.acceleration.data(), 6 * s.bodies);
        for (CarriedForces& sum : sums_) sum.clear(s);
    }

    // Adds those of a muscle whose forces were found at udot, and if it could be fast its terms; `kg` weighs half the
    // square of its length's rate.
    void add(const MuscleForces<double>& forces, const Muscle& muscle, NodeJacobians& J, CarrierTerms& terms,
             const Vec3d& g, double kg) {
        auto& [rates, rates_at_rest, of_velocities, weight] = sums_;
        for (const FrozenMass& m : muscle.frozen) {
            const auto of_velocity = m.wrench(*rest_, Vec3d(0, 0, 0));
            of_velocities.wrench.segment<6>(6 * m.body) -= of_velocity;
            weight.wrench.segment<6>(6 * m.body) -= m.wrench(*rest_, g) - of_velocity;
        }
        const double at_udot = kg * forces.laid.length.dd;
        if (StraightParts::apply_to(forces.laid)) {
            parts_.find(*s_, forces.laid, moved_, g);
            of_velocities.add(forces, *s_);
            const double at_rest = at_udot - kg * parts_.length_acceleration;
            for (std::size_t i = 0; i < forces.laid.nodes.size(); ++i) {
                const Node<double>& node = forces.laid.nodes[i];
                of_velocities.add(*s_, node, -parts_.inertia[i] - parts_.weight[i]);
                weight.add(*s_, node, parts_.weight[i]);
                rates.add(*s_, node, at_udot * parts_.length[i]);
                rates_at_rest.add(*s_, node, at_rest * parts_.length[i]);
            }
            return;
        }
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
        rates.add(J.ids, at_udot, length);
        rates_at_rest.add(J.ids, at_udot - kg * VecMap(length, acceleration_.size()).dot(acceleration_), length);
    }

    // (4, speeds): the force of the kinetic energy of the lengths' rates, its part that is of velocities, -h and -g_m
    template <class Out>
    void write(Out&& rows) const {
        for (std::size_t i = 0; i < sums_.size(); ++i) rows.row(static_cast<Eigen::Index>(i)) = sums_[i].projected(*s_);
    }

  private:
    const State<double>*rest_ = nullptr, *s_ = nullptr;
    Vector moved_, acceleration_, of_udot_;    // of the bodies and of a muscle's carriers through udot; its forces
    std::array<CarriedForces, 4> sums_;
    StraightParts parts_;

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
