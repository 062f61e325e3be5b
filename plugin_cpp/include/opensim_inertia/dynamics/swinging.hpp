// What bellies that swing across their paths need of the paths (docs/theory/wobble.md): the first moment of the mass
// weighted by the mode, and the chord from end to end, along the motion; generalized forces of what acts on both; and
// the equations of displacements along a recorded motion, with the forces that it needs because of them.
#pragma once

#include "opensim_inertia/dynamics/kernel.hpp"
#include "opensim_inertia/dynamics/straight_loads.hpp"
#include "opensim_inertia/dynamics/swing_frame.hpp"
#include "opensim_inertia/muscle/swinging_belly.hpp"

namespace opensim_inertia {

class Swinging {
  public:
    static constexpr Eigen::Index kMotion = 19;    // moment and chord, each with rate and acceleration; belly's length
    static constexpr Eigen::Index kEquation = 10;
    static constexpr Eigen::Index kLoads = 9;    // force on the moment, on the chord, and moment on the body

    // All of them are modes of bellies. `motion` and `forces` ask for muscle, shape and body alone.
    Swinging(const Kernel& kernel, std::vector<SwingingMass> swings) : k_(kernel), swings_(std::move(swings)) {
        for (const SwingingMass& swing : swings_) {
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
                    for (std::size_t set = 0; set < sets; ++set) {
                        const std::size_t at = (set * states.size() + t) * swings_.size() + i;
                        const Eigen::Map<const Vec3d> f(loads + static_cast<std::size_t>(kLoads) * at), y(f.data() + 3),
                            n(f.data() + 6);
                        load_samples(work, belly, f, y, set == 0);
                        work.forces.add_moment(swings_[i].body, n);
                        work.moved.project(s, work.forces, out.values.row(static_cast<Eigen::Index>(at)));
                    }
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
                    const SwingFrame frame = place(work, belly, s, swings_[i], t, remarks, false);
                    Equation(frame, pull(belly, swings_[i]), swings_[i].modal_mass)
                        .write(out.values.row(static_cast<Eigen::Index>(t * swings_.size() + i)).data());
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
        out.each.setZero(rows(states), k_.speeds());
        out.displacements.resize(rows(states), 3);
        out.summed.setZero(static_cast<Eigen::Index>(sets * states.size()), k_.speeds());
        Rows remarked;
        each(
            states,
            [&](Workspace& work, SwingingBelly& belly, std::size_t t, RemarkCollection& remarks) {
                const State<double> s = states[t]->accelerated(udot + t * static_cast<std::size_t>(k_.speeds()));
                const Eigen::Index nu = k_.speeds(), bodies = k_.bodies();
                thread_local Storage kept;
                auto& [straight, on_belly, on_chord, ends, touched] = kept;
                Matrix wrench = Matrix::Zero(static_cast<Eigen::Index>(sets), 6 * bodies);
                Matrix tau = Matrix::Zero(static_cast<Eigen::Index>(sets), nu);
                Vector on_bodies(6 * bodies), on_speeds(nu), own = Vector::Zero(6 * bodies);
                work.moved.find(s);
                for (std::size_t i = 0; i < swings_.size(); ++i) {
                    const SwingingMass& swing = swings_[i];
                    const SwingFrame frame = place(work, belly, s, swing, t, remarks, true);
                    const Vec3d rest = pull(belly, swing);
                    const Equation equation(frame, rest, swing.modal_mass);
                    const LaidMuscle<double>& laid = work.forces.laid;
                    const bool is_straight = StraightTerms::apply_to(laid);
                    if (is_straight) {
                        straight.find(laid);
                        straight.summarize(belly.samples, on_belly);
                        ends.assign(belly.ends, belly.ends + 2);
                        ends[0].weight = -1.0;
                        straight.summarize(ends, on_chord);
                    }
                    const auto row = static_cast<Eigen::Index>(t * swings_.size() + i);
                    for (std::size_t set = 0; set < sets; ++set) {
                        const std::size_t at = (set * states.size() + t) * swings_.size() + i;
                        const double* z = y + 4 * at;
                        const Load load(frame, equation, rest, swing.modal_mass, z, stiffness[at], damping[at]);
                        if (set == 0) out.displacements.row(row) = load.displacement;
                        if (is_straight) {
                            straight.clear();
                            straight.add(on_belly, load.on_moment);
                            straight.add(on_chord, load.on_chord);
                            double* of_set = wrench.row(static_cast<Eigen::Index>(set)).data();
                            double* to = set == 0 ? own.data() : of_set;
                            straight.add_to(to);
                            Eigen::Map<Vec3d>(to + 6 * swing.body) += load.on_body;
                            if (set > 0) continue;
                            list_bodies(laid, swing.body, touched);
                            work.moved.project(touched, own.data(), out.each.row(row));
                            for (int b : touched) {
                                Eigen::Map<Vector>(of_set + 6 * b, 6) += own.segment<6>(6 * b);
                                own.segment<6>(6 * b).setZero();
                            }
                        } else {
                            load_samples(work, belly, load.on_moment, load.on_chord, set == 0);
                            work.forces.add_moment(swing.body, load.on_body);
                            on_bodies.setZero();
                            on_speeds.setZero();
                            work.forces.add_to(s, on_bodies, on_speeds);
                            wrench.row(static_cast<Eigen::Index>(set)) += on_bodies;
                            tau.row(static_cast<Eigen::Index>(set)) += on_speeds;
                            if (set == 0) work.moved.project(s, work.forces, out.each.row(row));
                        }
                    }
                }
                const RowMap J(s.jacobian, 6 * bodies, nu);
                tau.noalias() += wrench * J;
                for (std::size_t set = 0; set < sets; ++set)
                    out.summed.row(static_cast<Eigen::Index>(set * states.size() + t)) =
                        tau.row(static_cast<Eigen::Index>(set));
            },
            remarked);
        out.remarks = std::move(remarked.remarks);
        return out;
    }

  private:
    struct Storage {
        StraightLoads straight;
        std::vector<StraightLoads::Sum> on_belly, on_chord;
        std::vector<Sample<double>> ends;
        std::vector<int> touched;
    };

    // Of displacements z of one belly.
    struct Equation {
        double K[2][2], C[2][2], b[2];

        Equation(const SwingFrame& frame, const Vec3d& pull, double modal_mass) {
            for (int i = 0; i < 2; ++i) {
                const Vec3d axis = value(frame.along_motion[i]);
                for (int j = 0; j < 2; ++j) {
                    K[i][j] = axis.dot(acceleration(frame.along_motion[j]));
                    C[i][j] = 2 * axis.dot(rate(frame.along_motion[j]));
                }
                b[i] = -axis.dot(pull) / modal_mass;
            }
        }

        void write(double* out) const {
            for (int i = 0; i < 2; ++i) {
                for (int j = 0; j < 2; ++j) {
                    out[2 * i + j] = K[i][j];
                    out[4 + 2 * i + j] = C[i][j];
                }
                out[8 + i] = b[i];
            }
        }
    };

    // What z and z' make act: dddot on the moment and D^T w, w = xddot + mu dddot - s g, on chord and body.
    struct Load {
        Vec3d displacement = Vec3d::Zero(), on_moment = Vec3d::Zero(), on_chord = Vec3d::Zero(),
              on_body = Vec3d::Zero();

        Load(const SwingFrame& frame, const Equation& e, const Vec3d& pull, double modal_mass, const double* z,
             double k, double c) {
            const double* rates = z + 2;
            for (int i = 0; i < 2; ++i) {
                double zdd = e.b[i] - k * z[i] - c * rates[i];
                for (int j = 0; j < 2; ++j) zdd -= e.K[i][j] * z[j] + e.C[i][j] * rates[j];
                displacement += z[i] * value(frame.along_motion[i]);
                on_moment += zdd * value(frame.along_motion[i]) + 2 * rates[i] * rate(frame.along_motion[i]) +
                             z[i] * acceleration(frame.along_motion[i]);
            }
            const Vec3d w = pull + modal_mass * on_moment;
            for (int i = 0; i < 2; ++i)
                for (int a = 0; a < 3; ++a) {
                    const auto& g = frame.gradients[i][a].g;
                    for (int b = 0; b < 3; ++b) {
                        on_chord[b] += z[i] * w[a] * g[b];
                        on_body[b] += z[i] * w[a] * g[3 + b];
                    }
                }
        }
    };

    SwingFrame place(Workspace& work, SwingingBelly& belly, const State<double>& s, const SwingingMass& swing,
                     std::size_t t, RemarkCollection& remarks, bool with_gradients) const {
        lay(work, belly, s, swing, t, remarks);
        const Vec3<TimeJet<double>> chord = belly.ends[1].x - belly.ends[0].x;
        check_turn(s, swing, chord, k_.muscle(swing.muscle).path);
        return {s, swing, chord, with_gradients};
    }

    // The bodies that carry a muscle's nodes, and another one, each once.
    static void list_bodies(const LaidMuscle<double>& m, int another, std::vector<int>& out) {
        out.assign(1, another);
        for (const Node<double>& node : m.nodes)
            if (std::ranges::find(out, node.body) == out.end()) out.push_back(node.body);
    }

    // xddot - s g
    Vec3d pull(const SwingingBelly& belly, const SwingingMass& swing) const {
        return acceleration(belly.moment) - swing.moment * k_.gravity();
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
            work.forces.find_of_samples();
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
             RemarkCollection& remarks) const {
        const Muscle& muscle = k_.muscle(swing.muscle);
        work.forces.laid.lay_bare(s, muscle);
        k_.straighten_bare(work, s, swing.muscle, remarks, t);
        belly.find(muscle.path, work.forces.laid, muscle.mass.total, swing.shape);
    }

    static void accelerate(Sample<double>& sample, const Vec3d& a) {
        for (int c = 0; c < 3; ++c) sample.x[c].dd = a[c];
    }
};

}    // namespace opensim_inertia
