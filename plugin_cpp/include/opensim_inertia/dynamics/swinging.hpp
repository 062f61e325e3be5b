// What bellies that swing across their paths need of the paths (docs/theory/wobble.md): the first moment of the mass
// weighted by the mode, and the chord from end to end, along the motion; and generalized forces of what acts on both.
#pragma once

#include "opensim_inertia/dynamics/kernel.hpp"
#include "opensim_inertia/muscle/swinging_belly.hpp"

namespace opensim_inertia {

// A muscle of which one mode swings; and the body in whose frame it does.
struct Swing {
    int muscle;
    ModeShape shape;
    int body;
};

class Swinging {
  public:
    static constexpr Eigen::Index kMotion = 19;    // moment and chord, each with rate and acceleration; belly's length
    static constexpr Eigen::Index kLoads = 9;      // force on the moment, on the chord, and moment on the body

    Swinging(const Kernel& kernel, std::vector<Swing> swings) : k_(kernel), swings_(std::move(swings)) {
        for (const Swing& swing : swings_) {
            const Muscle& muscle = k_.muscle(swing.muscle);
            const std::string whose = "kernel: muscle " + std::to_string(swing.muscle);
            if (!muscle.mass.continuous) throw std::invalid_argument(whose + " has points of mass, which do not swing");
            if (swing.shape.order < 1) throw std::invalid_argument(whose + " is to swing in a mode below the first");
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
                    lay(work, belly, s, swings_[i], t, remarks);
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

    // Generalized forces (sets states swings, speeds) of `loads` (sets, states, swings, kLoads): with f, y and n,
    // (d moment / dq)^T f + (d chord / dq)^T y, and the moment n on the body.
    Rows forces(const std::vector<const State<double>*>& states, const double* loads, std::size_t sets) const {
        Rows out;
        out.values.setZero(static_cast<Eigen::Index>(sets) * rows(states), k_.speeds());
        each(
            states,
            [&](Workspace& work, SwingingBelly& belly, std::size_t t, RemarkCollection& remarks) {
                const State<double>& s = *states[t];
                work.moved.find(s);
                for (std::size_t i = 0; i < swings_.size(); ++i) {
                    lay(work, belly, s, swings_[i], t, remarks);
                    auto& samples = work.forces.laid.samples;
                    samples.assign(1, belly.ends[0]);
                    samples.insert(samples.end(), belly.samples.begin(), belly.samples.end());
                    samples.push_back(belly.ends[1]);
                    for (std::size_t set = 0; set < sets; ++set) {
                        const std::size_t at = (set * states.size() + t) * swings_.size() + i;
                        const Eigen::Map<const Vec3d> f(loads + static_cast<std::size_t>(kLoads) * at), y(f.data() + 3),
                            n(f.data() + 6);
                        for (Sample<double>& sample : samples) accelerate(sample, f);
                        accelerate(samples.front(), -y);
                        accelerate(samples.back(), y);
                        if (set == 0)
                            work.forces.find_of_samples();
                        else
                            work.forces.find_of_samples_again();
                        work.forces.add_moment(swings_[i].body, n);
                        work.moved.project(s, work.forces, out.values.row(static_cast<Eigen::Index>(at)));
                    }
                }
            },
            out);
        return out;
    }

  private:
    const Kernel& k_;
    std::vector<Swing> swings_;

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

    void lay(Workspace& work, SwingingBelly& belly, const State<double>& s, const Swing& swing, std::size_t t,
             RemarkCollection& remarks) const {
        const Muscle& muscle = k_.muscle(swing.muscle);
        work.forces.laid.lay_bare(s, muscle);
        remarks.note(swing.muscle, work.forces.laid, t);
        belly.find(muscle.path, work.forces.laid, muscle.mass.total, swing.shape);
    }

    static void accelerate(Sample<double>& sample, const Vec3d& a) {
        for (int c = 0; c < 3; ++c) sample.x[c].dd = a[c];
    }
};

}    // namespace opensim_inertia
