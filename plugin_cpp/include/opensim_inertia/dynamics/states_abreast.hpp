// States side by side: motions of bodies, and Jacobians of those that a speed moves.
#pragma once

#include <algorithm>
#include <vector>

#include "opensim_inertia/muscle/frozen_mass.hpp"
#include "opensim_inertia/scalar/abreast.hpp"

namespace opensim_inertia {

// Numbers of which few are not zero.
class FewNumbers {
  public:
    std::vector<int> used;    // their groups, each once

    void clear(std::size_t groups, std::size_t each) {
        if (is_used_.size() != groups) {
            numbers_.assign(each * groups, Kept{});
            is_used_.assign(groups, 0);
        } else {
            for (const int i : used) {
                is_used_[static_cast<std::size_t>(i)] = 0;
                std::fill_n(at(i, each), each, Kept{});
            }
        }
        used.clear();
    }
    OPENSIM_INERTIA_INLINED Kept* use(int i, std::size_t each) {
        if (!is_used_[static_cast<std::size_t>(i)]) {
            is_used_[static_cast<std::size_t>(i)] = 1;
            used.push_back(i);
        }
        return at(i, each);
    }
    OPENSIM_INERTIA_INLINED Kept* at(int i, std::size_t each) {
        return numbers_.data() + static_cast<std::size_t>(i) * each;
    }
    OPENSIM_INERTIA_INLINED void add(const FewNumbers& others, std::size_t each) {
        for (const int i : others.used) {
            Kept* sum = use(i, each);
            for (std::size_t r = 0; r < each; ++r)
                sum[r].v += others.numbers_[static_cast<std::size_t>(i) * each + r].v;
        }
    }
    const std::vector<Kept>& all() const { return numbers_; }

  private:
    std::vector<Kept> numbers_;
    std::vector<char> is_used_;
};

// Wrenches on bodies, about their origins, and forces on coordinates.
struct CarriedAbreast {
    using V = Abreast;
    FewNumbers wrench, tau;    // (6 bodies), (speeds)

    void clear(const State<double>& s) {
        wrench.clear(static_cast<std::size_t>(s.bodies), 6);
        tau.clear(static_cast<std::size_t>(s.speeds), 1);
    }
    OPENSIM_INERTIA_INLINED void add(int body, const Three<V>& moment, const Three<V>& force) {
        Kept* w = wrench.use(body, 6);
        for (int c = 0; c < 3; ++c) {
            w[c].v += moment[c];
            w[3 + c].v += force[c];
        }
    }
    OPENSIM_INERTIA_INLINED void pull(int speed, const V& force) { tau.use(speed, 1)->v += force; }
    OPENSIM_INERTIA_INLINED void add(const CarriedAbreast& others) {
        wrench.add(others.wrench, 6);
        tau.add(others.tau, 1);
    }
};

// The same at one of the states.
struct CarriedAt {
    CarriedAbreast& all;
    int l;

    void add(int body, const Three<double>& moment, const Three<double>& force) {
        Kept* w = all.wrench.use(body, 6);
        for (int c = 0; c < 3; ++c) {
            add_number(w[c], moment[c]);
            add_number(w[3 + c], force[c]);
        }
    }
    void pull(int speed, double force) {
        if (force != 0) add_number(*all.tau.use(speed, 1), force);
    }

  private:
    void add_number(Kept& sum, double x) { set_number(sum.v, l, number(sum.v, l) + x); }
};

class StatesAbreast {
  public:
    using V = Abreast;

    struct Body {
        V R[9];
        Three<V> position, omega, velocity, alpha, acceleration;    // in ground
        Three<V> alpha_through_udot, through_udot;                  // of the accelerations
        // in the body's axes, as Simbody has them: accelerations at udot = 0 and through it; gravity
        Three<V> own_omega, own_alpha, own_acceleration, own_alpha_through_udot, own_through_udot, own_gravity;

        OPENSIM_INERTIA_INLINED Three<V> to_ground(const Three<V>& a) const {
            return {R[0] * a.x + R[1] * a.y + R[2] * a.z, R[3] * a.x + R[4] * a.y + R[5] * a.z,
                    R[6] * a.x + R[7] * a.y + R[8] * a.z};
        }
        OPENSIM_INERTIA_INLINED Three<V> to_body(const Three<V>& a) const {
            return {R[0] * a.x + R[3] * a.y + R[6] * a.z, R[1] * a.x + R[4] * a.y + R[7] * a.z,
                    R[2] * a.x + R[5] * a.y + R[8] * a.z};
        }
    };
    std::vector<Body> bodies;
    State<double>* states[kAbreast];

    // Accelerates the states by udot, (states, speeds), of which there are `count`; the last may stand for more of
    // them.
    OPENSIM_INERTIA_INLINED void find(const double* udot, std::size_t count, const Three<double>& gravity) {
        bodies.resize(static_cast<std::size_t>(states[0]->bodies));
        find_columns();
        const std::size_t speeds = moves_.size();
        udot_.resize(speeds);
        for (std::size_t l = 0; l < kAbreast; ++l) {
            const double* its_udot = udot + std::min(l, count - 1) * speeds;
            states[l]->udot = its_udot;
            for (std::size_t c = 0; c < speeds; ++c) set_number(udot_[c].v, static_cast<int>(l), its_udot[c]);
        }
        for (std::size_t b = 0; b < bodies.size(); ++b) {
            Body& body = bodies[b];
            accelerate(body, b);
            for (int l = 0; l < kAbreast; ++l) read(body, l, static_cast<int>(b));
            body.alpha = body.alpha + body.alpha_through_udot;
            body.acceleration = body.acceleration + body.through_udot;
            body.own_omega = body.to_body(body.omega);
            body.own_alpha = body.to_body(body.own_alpha);
            body.own_acceleration = body.to_body(body.own_acceleration);
            body.own_alpha_through_udot = body.to_body(body.alpha_through_udot);
            body.own_through_udot = body.to_body(body.through_udot);
            body.own_gravity = body.to_body({V{} + gravity.x, V{} + gravity.y, V{} + gravity.z});
        }
    }

    // Adds J^T wrench to forces on coordinates, body by body in one order: a state's sums do not depend on the others.
    OPENSIM_INERTIA_INLINED void project(CarriedAbreast& carried) const {
        std::ranges::sort(carried.wrench.used);
        for (int b : carried.wrench.used) {
            const Kept* w = carried.wrench.at(b, 6);
            for (std::size_t k = first_[static_cast<std::size_t>(b)]; k < first_[static_cast<std::size_t>(b) + 1];
                 ++k) {
                const Kept* J = columns_.data() + 6 * k;
                V sum = J[0].v * w[0].v;
                for (int r = 1; r < 6; ++r) sum += J[r].v * w[r].v;
                carried.pull(speeds_[k], sum);
            }
        }
    }

  private:
    std::vector<std::size_t> first_;    // of each body's columns, and their number
    std::vector<int> speeds_;           // that move it
    std::vector<Kept> columns_;         // six numbers each
    std::vector<double> moves_;         // the largest number of each column of a body
    std::vector<Kept> udot_;

    OPENSIM_INERTIA_INLINED void accelerate(Body& body, std::size_t b) {
        V sums[6] = {};
        for (std::size_t k = first_[b]; k < first_[b + 1]; ++k)
            for (std::size_t r = 0; r < 6; ++r)
                sums[r] += columns_[6 * k + r].v * udot_[static_cast<std::size_t>(speeds_[k])].v;
        body.alpha_through_udot = {sums[0], sums[1], sums[2]};
        body.through_udot = {sums[3], sums[4], sums[5]};
    }

    // What a state says of a body, as it is at udot = 0, and then at udot.
    OPENSIM_INERTIA_INLINED void read(Body& body, int l, int b) const {
        State<double>& s = *states[l];
        for (int i = 0; i < 9; ++i) set_number(body.R[i], l, s.rotation[9 * b + i]);
        for (int c = 0; c < 3; ++c) {
            set_number(body.position[c], l, s.position[3 * b + c]);
            set_number(body.omega[c], l, s.velocity(b, c));
            set_number(body.velocity[c], l, s.velocity(b, 3 + c));
            set_number(body.alpha[c], l, s.acceleration(b, c));
            set_number(body.acceleration[c], l, s.acceleration(b, 3 + c));
            set_number(body.own_alpha[c], l, s.simbody_acceleration(b, c));
            set_number(body.own_acceleration[c], l, s.simbody_acceleration(b, 3 + c));
            for (auto* accelerations : {&s.acceleration, &s.simbody_acceleration}) {
                (*accelerations)(b, c) += number(body.alpha_through_udot[c], l);
                (*accelerations)(b, 3 + c) += number(body.through_udot[c], l);
            }
        }
    }

    OPENSIM_INERTIA_INLINED void find_columns() {
        const int nu = states[0]->speeds;
        first_.assign(1, 0);
        speeds_.clear();
        columns_.clear();
        for (std::size_t b = 0; b < bodies.size(); ++b) {
            const std::size_t row = 6 * b * static_cast<std::size_t>(nu);
            moves_.assign(static_cast<std::size_t>(nu), 0.0);
            for (const State<double>* s : states)
                for (std::size_t r = 0; r < 6; ++r) {
                    const double* J = s->jacobian + row + r * static_cast<std::size_t>(nu);
                    double* largest = moves_.data();
                    for (int c = 0; c < nu; ++c) {
                        const double size = std::abs(J[c]);
                        largest[c] = size > largest[c] ? size : largest[c];
                    }
                }
            for (int c = 0; c < nu; ++c) {
                if (!(moves_[static_cast<std::size_t>(c)] > 0)) continue;
                speeds_.push_back(c);
                const std::size_t at = columns_.size();
                columns_.resize(at + 6);
                for (int l = 0; l < kAbreast; ++l)
                    for (std::size_t r = 0; r < 6; ++r)
                        set_number(
                            columns_[at + r].v, l,
                            states[l]->jacobian[row + r * static_cast<std::size_t>(nu) + static_cast<std::size_t>(c)]);
            }
            first_.push_back(speeds_.size());
        }
    }
};

}    // namespace opensim_inertia
