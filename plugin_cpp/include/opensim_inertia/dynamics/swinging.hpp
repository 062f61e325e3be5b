// What bellies that swing across their paths need of the paths (docs/theory/wobble.md): the first moment of the mass
// weighted by the mode, and the chord from end to end, along the motion; generalized forces of what acts on both; and
// the equations of displacements along a recorded motion, with the forces that it needs because of them.
#pragma once

#include "opensim_inertia/dynamics/kernel.hpp"
#include "opensim_inertia/dynamics/swing_loads.hpp"
#include "opensim_inertia/muscle/swinging_belly.hpp"

namespace opensim_inertia {

class Swinging {
  public:
    static constexpr Eigen::Index kMotion = 19;    // moment and chord, each with rate and acceleration; belly's length
    static constexpr Eigen::Index kEquation = 10;

    // All of them are modes of bellies. `motion` asks for muscle, shape and body alone.
    Swinging(const Kernel& kernel, std::vector<SwingingMass> swings) : k_(kernel), swings_(std::move(swings)) {
        for (const SwingingMass& swing : swings_) {
            const Muscle& muscle = k_.muscle(swing.muscle);
            const std::string whose = "kernel: muscle " + std::to_string(swing.muscle);
            if (!muscle.mass.continuous) throw std::invalid_argument(whose + " has points of mass, which do not swing");
            if (swing.body < 0 || swing.body >= k_.bodies())
                throw std::invalid_argument(whose + " is to swing in the frame of a body that is not there");
        }
    }

    // At several states, with accelerations udot (states, speeds): (states swings, kMotion).
    Rows motion(const std::vector<const State<double>*>& states, const double* udot) const {
        Rows out;
        out.values.resize(rows(states), kMotion);
        each(
            states,
            [&](Workspace& work, SwingingBelly& belly, std::size_t t, RemarkCollection& remarks) {
                const State<double> s = states[t]->accelerated(udot + t * static_cast<std::size_t>(k_.speeds()));
                for (std::size_t i = 0; i < swings_.size(); ++i) {
                    lay(work, belly, s, swings_[i], t, remarks, false);
                    auto row = out.values.row(static_cast<Eigen::Index>(t * swings_.size() + i));
                    const Vec3<TimeJet<double>> chord = belly.ends[1].x - belly.ends[0].x;
                    row << value(belly.moment).transpose(), rate(belly.moment).transpose(),
                        acceleration(belly.moment).transpose(), value(chord).transpose(), rate(chord).transpose(),
                        acceleration(chord).transpose(), work.forces.laid.aponeurosis.v + work.forces.laid.fibre.v;
                }
            },
            out);
        return out;
    }

    // K and C (2, 2) and b (2,) of z'' = -(K + k) z - (C + c) z' + b, by rows, at several states with accelerations
    // udot (states, speeds): (states swings, kEquation).
    Rows equations(const std::vector<const State<double>*>& states, const double* udot) const {
        Rows out;
        out.values.resize(rows(states), kEquation);
        each(
            states,
            [&](Workspace& work, SwingingBelly& belly, std::size_t t, RemarkCollection& remarks) {
                const State<double> s = states[t]->accelerated(udot + t * static_cast<std::size_t>(k_.speeds()));
                for (std::size_t i = 0; i < swings_.size(); ++i) {
                    place(work, belly, s, swings_[i], t, remarks, false)
                        .equation.write(out.values.row(static_cast<Eigen::Index>(t * swings_.size() + i)).data());
                }
            },
            out);
        return out;
    }

    // What displacements along a motion exert.
    struct Answers {
        Matrix each;             // generalized forces that each of the first set makes the motion need, (states swings,
                                 // speeds)
        Matrix summed;           // of all of them by set, (sets states, speeds)
        Matrix displacements;    // d of the first set in ground, (states swings, 3)
        Remarks remarks;
    };

    // With accelerations udot (states, speeds), z and z' (sets, states, swings, 4), and k [1/s^2] and c [1/s] (sets,
    // states, swings).
    Answers answers(const std::vector<const State<double>*>& states, const double* udot, const double* y,
                    const double* stiffness, const double* damping, std::size_t sets) const {
        Answers out;
        out.each.resize(rows(states), k_.speeds());
        out.displacements.resize(rows(states), 3);
        out.summed.resize(static_cast<Eigen::Index>(sets * states.size()), k_.speeds());
        Rows remarked;
        each(
            states,
            [&](Workspace& work, SwingingBelly& belly, std::size_t t, RemarkCollection& remarks) {
                const State<double> s = states[t]->accelerated(udot + t * static_cast<std::size_t>(k_.speeds()));
                thread_local ExertedBySwinging exerted;
                exerted.clear(sets, k_.bodies(), k_.speeds());
                work.moved.find(s);
                for (std::size_t i = 0; i < swings_.size(); ++i) {
                    const SwungBelly swung = place(work, belly, s, swings_[i], t, remarks, true);
                    const bool is_straight = StraightTerms::apply_to(work.forces.laid);
                    if (is_straight) exerted.summarize(work.forces.laid, belly);
                    const auto row = static_cast<Eigen::Index>(t * swings_.size() + i);
                    for (std::size_t from = 0; from < sets; from += kFour) {
                        SwingLoads loads;
                        for (std::size_t l = 0; l < kFour; ++l) {    // the last set fills what is left
                            const std::size_t set = std::min(from + l, sets - 1);
                            const std::size_t at = (set * states.size() + t) * swings_.size() + i;
                            loads.drive(l, y + 4 * at, stiffness[at], damping[at]);
                        }
                        if (!is_straight) {
                            find_loads(loads, swung);
                            for (std::size_t set = from; set < std::min(from + kFour, sets); ++set) {
                                const auto of_set = [&](const auto& x) { return SwingLoads::of_lane(x, set - from); };
                                load_samples(work, belly, of_set(loads.on_moment), of_set(loads.on_chord), set == 0);
                                work.forces.add_moment(swung.body, of_set(loads.on_body));
                                exerted.add(s, work.forces, set);
                                if (set > 0) continue;
                                work.carried.clear(s);
                                work.carried.add(work.forces, s);
                                work.moved.project(work.forces.bodies(), work.carried.wrench.data(), out.each.row(row));
                                out.each.row(row) += work.carried.tau.transpose();
                            }
                        } else if (from > 0) {
                            exerted.load(loads, swung, from);
                        } else {
                            exerted.load_first(loads, swung, work.moved, out.each.row(row));
                        }
                        if (from == 0) out.displacements.row(row) = SwingLoads::of_lane(loads.displacement, 0);
                    }
                }
                const Matrix& tau = exerted.project(s);
                for (std::size_t set = 0; set < sets; ++set)
                    out.summed.row(static_cast<Eigen::Index>(set * states.size() + t)) =
                        tau.row(static_cast<Eigen::Index>(set));
            },
            remarked);
        out.remarks = std::move(remarked.remarks);
        return out;
    }

  private:
    SwungBelly place(Workspace& work, SwingingBelly& belly, const State<double>& s, const SwingingMass& swing,
                     std::size_t t, RemarkCollection& remarks, bool to_load) const {
        lay(work, belly, s, swing, t, remarks, to_load);
        const Vec3<TimeJet<double>> chord = belly.ends[1].x - belly.ends[0].x;
        check_turn(s, swing, chord, k_.muscle(swing.muscle).path);
        const Vec3d pull = acceleration(belly.moment) - swing.moment * k_.gravity();
        return {swing.body, {s, swing, chord, to_load}, pull, swing.modal_mass};
    }

    // Lets f act on the moment and y on the chord of the muscle that was laid last.
    static void load_samples(Workspace& work, const SwingingBelly& belly, const Vec3d& f, const Vec3d& y,
                             bool is_first) {
        auto& samples = work.forces.laid.samples;
        if (is_first) {
            samples.assign(1, belly.ends[0]);
            samples.insert(samples.end(), belly.samples.begin(), belly.samples.end());
            samples.push_back(belly.ends[1]);
        }
        for (Sample<double>& sample : samples) accelerate(sample, f);
        accelerate(samples.front(), -y);
        accelerate(samples.back(), y);
        if (is_first)
            work.forces.find_as_laid(Vec3d::Zero());
        else
            work.forces.find_of_samples_again();
    }

    const Kernel& k_;
    std::vector<SwingingMass> swings_;

    Eigen::Index rows(const std::vector<const State<double>*>& states) const {
        return static_cast<Eigen::Index>(states.size() * swings_.size());
    }

    template <class Work>
    void each(const std::vector<const State<double>*>& states, const Work& work, Rows& out) const {
        out.remarks = k_.for_each_state(states, {}, [&](Workspace& own, std::size_t t, RemarkCollection& remarks) {
            thread_local SwingingBelly belly;
            work(own, belly, t, remarks);
        });
    }

    void lay(Workspace& work, SwingingBelly& belly, const State<double>& s, const SwingingMass& swing, std::size_t t,
             RemarkCollection& remarks, bool with_samples) const {
        const Muscle& muscle = k_.muscle(swing.muscle);
        work.forces.laid.lay_bare(s, muscle);
        k_.straighten_bare(work, s, swing.muscle, remarks, t);
        belly.find(muscle.path, work.forces.laid, muscle.mass.total, swing.shape, with_samples);
    }

    static void accelerate(Sample<double>& sample, const Vec3d& a) {
        for (int c = 0; c < 3; ++c) sample.x[c].dd = a[c];
    }
};

}    // namespace opensim_inertia
