// Forces of muscles on their carriers at a group of states that are solved at once, and their parts by udot, by gravity
// and by the rates of the lengths.
#pragma once

#include <array>
#include <initializer_list>

#include "opensim_inertia/dynamics/answers.hpp"
#include "opensim_inertia/dynamics/mass_speeds.hpp"
#include "opensim_inertia/dynamics/muscle_forces.hpp"
#include "opensim_inertia/dynamics/straight_forces.hpp"

namespace opensim_inertia {

class ForcesAbreast {
  public:
    std::size_t first = 0, count = 0;    // the first state's number, and how many there are

    // Begins with states, at udot = 0, from number `from` on; udot, (states, speeds), is of these. The last of fewer
    // states than the group could hold stands for those that are missing. Empties all sums.
    void start(const State<double>* const* rest, std::size_t from, std::size_t states, const double* udot,
               const Vec3d& gravity) {
        first = from;
        count = std::min<std::size_t>(states, kAbreast);
        for (std::size_t l = 0; l < kAbreast; ++l) {
            at_[l] = *rest[std::min(l, count - 1)];
            states_.states[l] = &at_[l];
        }
        gravity_ = three(gravity);
        accelerate(udot);
        for (Carried& sum : sums_) sum.clear(at_[0]);
    }
    const State<double>& at(std::size_t l) const { return at_[l]; }    // at udot

    // Lays a path that is straight from point to point at all states at which it has the points that it has at state
    // `as`: those that are alike. Then a belly on it, and whether it fits at all of these.
    OPENSIM_INERTIA_CLONES void lay(const Path& path, int as) { forces_.lay(states_, path, as); }
    OPENSIM_INERTIA_CLONES bool lay_belly(const MaterialMap<>& map) { return forces_.lay_belly(map); }
    bool is_alike(std::size_t l) const { return forces_.is_alike(static_cast<int>(l)); }
    double length(std::size_t l) const { return number(forces_.length.v, static_cast<int>(l)); }
    bool is_held(std::size_t l) const { return forces_.is_held(static_cast<int>(l)); }

    // One muscle's with each of several maps, of which k is one.
    void clear(std::size_t maps) {
        found_.resize(maps);
        for (Carried& one : found_) one.clear(at_[0]);
    }
    // Adds the forces of so much mass as it was laid. `kg`: null, or its parts are added to their sums, with half the
    // square of the length's rate so heavy.
    OPENSIM_INERTIA_CLONES void add(double total, const double* kg, std::size_t k) {
        using Forces = StraightForces;
        forces_.find(total, gravity_, kg != nullptr);
        forces_.add_to(found_[k], Forces::kAll);
        if (!kg) return;
        const V at_udot = *kg * forces_.length.dd, at_rest = *kg * (forces_.length.dd - forces_.length.through_udot);
        forces_.add_to(sums_[kInertia], Forces::kInertia);
        forces_.add_to(sums_[kWeight], Forces::kWeight);
        forces_.add_to(sums_[kRates], Forces::kLength, &at_udot);
        forces_.add_to(sums_[kRatesAtRest], Forces::kLength, &at_rest);
    }
    // Adds a muscle's forces at state l.
    void add(std::size_t l, const MuscleForces<double>& forces, std::size_t k) {
        forces.add_to(CarriedAt{found_[k], static_cast<int>(l)});
    }
    // Adds the parts of a muscle whose forces at state l were found.
    void add_parts(std::size_t l, MuscleForces<double>& forces, const Vec3d& g, double kg) {
        const int state = static_cast<int>(l);
        const auto through_udot = [&](int b) -> NodeMotions<double>::Twist {
            const auto& body = states_.bodies[static_cast<std::size_t>(b)];
            const auto own = [&](const Three<V>& x) -> Three<double> {
                return {number(x.x, state), number(x.y, state), number(x.z, state)};
            };
            return {own(body.alpha_through_udot), own(body.through_udot)};
        };
        const auto& parts = forces.find_parts(through_udot, at_[l].udot, g, kg);
        for (std::size_t part = 0; part < MuscleForces<double>::kParts; ++part) {
            CarriedAt sum{sums_[kInertia + part], state};
            const auto own = [&](const auto& x) -> Three<double> { return {x.x[part], x.y[part], x.z[part]}; };
            for (const auto& w : parts.wrenches) sum.add(w.body, own(w.moment), own(w.force));
            for (const auto& on : parts.on_speeds) sum.pull(on.speed, on.pull[part]);
        }
    }
    // Subtracts forces of frozen mass; with parts, from their sums as well.
    OPENSIM_INERTIA_CLONES void subtract(const std::vector<FrozenMass>& frozen, bool with_parts, std::size_t k) {
        for (const FrozenMass& m : frozen) subtract(m, with_parts, found_[k]);
    }
    // Gives the generalized forces rows of zeros, one for each state and so far apart.
    void project(std::size_t k, double* row, std::size_t apart) { project(found_[k], row, apart); }

    // Adds the muscle to the sum of all.
    OPENSIM_INERTIA_CLONES void add_to_sum() { sums_[kAll].add(found_[0]); }
    void project_sum(double* row, std::size_t apart) { project(sums_[kAll], row, apart); }
    // Wrenches on bodies and forces on coordinates, (6 bodies + speeds).
    void write_sum(double* row, std::size_t apart) const {
        for (std::size_t l = 0; l < count; ++l, row += apart) {
            double* to = row;
            for (const auto* numbers : {&sums_[kAll].wrench, &sums_[kAll].tau})
                for (const Kept& x : numbers->all()) *to++ = number(x.v, static_cast<int>(l));
        }
    }
    // Gives the sums of parts (4, speeds) of zeros, of each state, see Kernel::inverse_parts.
    void write_parts(double* rows) {
        const Eigen::Index speeds = at_[0].speeds;
        Matrix of_udot = Matrix::Zero(static_cast<Eigen::Index>(count), speeds);
        int part = 0;
        for (const Sum sum : {kRates, kRatesAtRest, kAll, kWeight})
            project(sums_[sum], rows + part++ * speeds, static_cast<std::size_t>(4 * speeds));
        project(sums_[kInertia], of_udot.data(), static_cast<std::size_t>(speeds));
        for (Eigen::Index l = 0; l < of_udot.rows(); ++l) {
            Eigen::Map<Matrix> parts(rows + 4 * l * speeds, 4, speeds);
            parts.row(2) -= of_udot.row(l) + parts.row(3);
        }
    }

  private:
    using V = Abreast;
    using Carried = CarriedAbreast;
    enum Sum { kAll, kInertia, kWeight, kRates, kRatesAtRest, kSums };    // the parts as MuscleForces orders them

    std::array<State<double>, kAbreast> at_;
    Three<double> gravity_{};
    StatesAbreast states_;
    StraightForces forces_;
    std::vector<Carried> found_;
    Carried sums_[kSums];

    OPENSIM_INERTIA_CLONES void accelerate(const double* udot) { states_.find(udot, count, gravity_); }

    OPENSIM_INERTIA_CLONES void project(Carried& carried, double* row, std::size_t apart) {
        states_.project(carried);
        for (std::size_t l = 0; l < count; ++l)
            for (const int c : carried.tau.used)
                row[l * apart + static_cast<std::size_t>(c)] = number(carried.tau.at(c, 1)->v, static_cast<int>(l));
    }

    OPENSIM_INERTIA_INLINED void subtract(const FrozenMass& m, bool with_parts, Carried& from) {
        const auto& body = states_.bodies[static_cast<std::size_t>(m.body)];
        const Three<double> c = three(m.moment);
        const Three<V> moment = cross(c, body.own_through_udot) + turned(m, body.own_alpha_through_udot),
                       force = m.mass * body.own_through_udot - cross(c, body.own_alpha_through_udot);
        const Three<V> heavy_moment = -1.0 * cross(c, body.own_gravity), heavy_force = -m.mass * body.own_gravity;
        const Three<V> rest_moment = cross(c, body.own_acceleration) + turned(m, body.own_alpha) +
                                     cross(body.own_omega, turned(m, body.own_omega)),
                       rest_force = m.mass * body.own_acceleration - cross(c, body.own_alpha) -
                                    cross(body.own_omega, cross(c, body.own_omega));
        const auto take = [&](Carried& sum, const Three<V>& of_moment, const Three<V>& of_force)
                              OPENSIM_INERTIA_INLINED_LAMBDA {
                                  sum.add(m.body, -1.0 * body.to_ground(of_moment), -1.0 * body.to_ground(of_force));
                              };
        take(from, rest_moment + moment + heavy_moment, rest_force + force + heavy_force);
        if (!with_parts) return;
        take(sums_[kInertia], moment, force);
        take(sums_[kWeight], heavy_moment, heavy_force);
    }

    OPENSIM_INERTIA_INLINED static Three<V> turned(const FrozenMass& m, const Three<V>& a) {
        const auto row = [&](int i) OPENSIM_INERTIA_INLINED_LAMBDA -> V {
            return m.inertia(i, 0) * a.x + m.inertia(i, 1) * a.y + m.inertia(i, 2) * a.z;
        };
        return {row(0), row(1), row(2)};
    }
};

// Whether a muscle's path is straight from point to point at a group of states, and its mass continuous.
inline bool is_straight(const Muscle& muscle, int i, const ForcesAbreast& group) {
    if (!muscle.path.sites.empty() || muscle.path.is_given || !muscle.mass.continuous) return false;
    for (std::size_t l = 0; l < group.count; ++l)
        if (group.at(l).path(i)) return false;
    return true;
}

// Adds forces of such a muscle with each of some maps. `one` raises the error if its belly does not fit.
inline void add_straight_forces(ForcesAbreast& group, MuscleForces<double>& one, const Muscle& muscle, int i,
                                const std::vector<const MaterialMap<>*>& maps, const double* kg, const Vec3d& gravity,
                                RemarkCollection& remarks) {
    std::array<bool, kAbreast> is_done{};
    for (std::size_t as = 0; as < group.count; ++as) {
        if (is_done[as]) continue;
        group.lay(muscle.path, static_cast<int>(as));
        for (std::size_t k = 0; k < maps.size(); ++k) {
            const bool fits = group.lay_belly(*maps[k]);
            for (std::size_t l = as; l < group.count; ++l) {
                if (!group.is_alike(l)) continue;
                is_done[l] = true;
                if (!fits) one.find(group.at(l), muscle, *maps[k], gravity);
                remarks.note_length(i, group.at(l), group.length(l), group.first + l);
                if (group.is_held(l)) remarks.note_held(i);
            }
            group.add(muscle.mass.total, kg, k);
        }
    }
}

}    // namespace opensim_inertia
