#include "opensim_inertia/dynamics/swinging.hpp"

#include "opensim_inertia/dynamics/swing_loads.hpp"

namespace opensim_inertia {

struct Swinging::Call {
    const Kernel& k_;
    const std::vector<SwingingMass>& swings_;

    SwungBelly place(Workspace& work, SwingingBelly& belly, const State<double>& s, const SwingingMass& swing,
                     std::size_t t, RemarkCollection& remarks, bool to_load) const {
        const Muscle& muscle = k_.muscle(swing.muscle);
        work.forces.laid.lay_bare(s, muscle);
        k_.straighten_bare(work, s, swing.muscle, remarks, t);
        belly.find(muscle.path, work.forces.laid, muscle.mass.total, swing.shape, to_load);
        const Vec3<TimeJet<double>> chord = belly.ends[1].x - belly.ends[0].x;
        check_turn(s, swing, chord, muscle.path);
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
            work.forces.find_again_as_laid(Vec3d::Zero());
    }

    Eigen::Index rows(const States& states) const { return static_cast<Eigen::Index>(states.size() * swings_.size()); }

    template <class Work>
    Remarks each(const States& states, const Work& work) const {
        return k_.for_each_state(states, {}, [&](Workspace& own, std::size_t t, RemarkCollection& remarks) {
            thread_local SwingingBelly belly;
            work(own, belly, t, remarks);
        });
    }

    static void accelerate(Sample<double>& sample, const Vec3d& a) {
        for (int c = 0; c < 3; ++c) sample.x[c].dd = a[c];
    }
};

Swinging::Swinging(const Kernel& kernel, std::vector<SwingingMass> swings) : k_(kernel), swings_(std::move(swings)) {
    for (const SwingingMass& swing : swings_) {
        const Muscle& muscle = k_.muscle(swing.muscle);
        const std::string whose = "kernel: muscle " + std::to_string(swing.muscle);
        if (!muscle.mass.continuous) throw std::invalid_argument(whose + " has points of mass, which do not swing");
        if (swing.body < 0 || swing.body >= k_.bodies())
            throw std::invalid_argument(whose + " is to swing in the frame of a body that is not there");
    }
}

Rows Swinging::equations(const States& states, const double* udot) const {
    const Call call{k_, swings_};
    Rows out;
    out.values.resize(call.rows(states), kEquation);
    out.remarks = call.each(states, [&](Workspace& work, SwingingBelly& belly, std::size_t t, auto& remarks) {
        const State<double> s = states[t]->accelerated(udot + t * static_cast<std::size_t>(k_.speeds()));
        for (std::size_t i = 0; i < swings_.size(); ++i) {
            const SwingEquation e = call.place(work, belly, s, swings_[i], t, remarks, false).equation;
            out.values.row(static_cast<Eigen::Index>(t * swings_.size() + i))
                << Eigen::Map<const Eigen::RowVector4d>(e.K[0]),
                Eigen::Map<const Eigen::RowVector4d>(e.C[0]), e.b[0], e.b[1];
        }
    });
    return out;
}

Swinging::Answers Swinging::answers(const States& states, const double* udot, const double* y, const double* stiffness,
                                    const double* damping, std::size_t sets) const {
    const Call call{k_, swings_};
    Answers out;
    out.each.resize(call.rows(states), k_.speeds());
    out.displacements.resize(call.rows(states), 3);
    out.summed.resize(static_cast<Eigen::Index>(sets * states.size()), k_.speeds());
    out.remarks = call.each(states, [&](Workspace& work, SwingingBelly& belly, std::size_t t, auto& remarks) {
        const State<double> s = states[t]->accelerated(udot + t * static_cast<std::size_t>(k_.speeds()));
        thread_local ExertedBySwinging exerted;
        exerted.clear(sets, k_.bodies(), k_.speeds());
        for (std::size_t i = 0; i < swings_.size(); ++i) {
            const SwungBelly swung = call.place(work, belly, s, swings_[i], t, remarks, true);
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
                        call.load_samples(work, belly, of_set(loads.on_moment), of_set(loads.on_chord), set == 0);
                        work.forces.add_moment(swung.body, of_set(loads.on_body));
                        const auto& carried = exerted.add(s, work.forces, set);
                        if (set == 0) out.each.row(row) = carried.projected(s);
                    }
                } else if (from > 0) {
                    exerted.load(loads, swung, from);
                } else {
                    out.each.row(row) = exerted.load_first(loads, swung).projected(s);
                }
                if (from == 0) out.displacements.row(row) = SwingLoads::of_lane(loads.displacement, 0);
            }
        }
        const Matrix& tau = exerted.project(s);
        for (std::size_t set = 0; set < sets; ++set)
            out.summed.row(static_cast<Eigen::Index>(set * states.size() + t)) =
                tau.row(static_cast<Eigen::Index>(set));
    });
    return out;
}

}    // namespace opensim_inertia
