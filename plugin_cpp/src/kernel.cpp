#include "opensim_inertia/dynamics/kernel.hpp"

#include <numeric>
#include <stdexcept>
#include <string>

#include "opensim_inertia/dynamics/material_points.hpp"
#include "opensim_inertia/dynamics/parallel.hpp"
#include "opensim_inertia/dynamics/workspace.hpp"

namespace opensim_inertia {

struct Kernel::Call {
    const Kernel& kernel;

    Terms evaluate(const State<double>& s, const std::vector<int>& which, Workspace& work, CarrierSum& sum,
                   bool subtract_frozen, const Also& also = {}) const {
        kernel.check(s, which);
        Terms out;
        RemarkCollection remarks;
        sum.clear();
        work.frozen.clear();
        for (int i : which) {
            const Muscle& muscle = kernel.muscle(i);
            if (muscle.mass.total <= 0) continue;
            lay(work, s, i, muscle.map, remarks);
            const auto add = [&](const auto& terms) {
                out.kinetic += terms.kinetic;
                out.potential += terms.potential;
            };
            const auto add_all_of = [&](const LaidMuscle<double>& laid) {
                if (StraightTerms::apply_to(laid)) {
                    work.straight.add(laid, kernel.gravity_, sum);
                    add(work.straight);
                    return;
                }
                const bool is_known = &laid == &work.laid && MassSpeeds::is_bent(laid);    // by `lay`
                if (!is_known) sum_terms(work, s, laid);
                sum.add(work.carriers, work.terms);
                add(work.terms);
            };
            if (!work.laid.is_divided()) {
                add_all_of(work.laid);
            } else {
                for (const LaidMuscle<double>& part : work.divided.parts) add_all_of(part);
                work.carriers.find(s, work.laid);
                work.terms.sum_on_ends(work.laid, work.carriers, work.divided.ends, kernel.gravity_);
                sum.add(work.carriers, work.terms);
            }
            if (also) also(i, work, sum);
            if (subtract_frozen)
                for (const FrozenMass& m : muscle.frozen) m.add_to(work.frozen);
        }
        for (const FrozenMass& m : work.frozen) {
            sum.subtract(s, m, kernel.gravity_);
            out.kinetic -= m.kinetic(s);
            out.potential += kernel.gravity_.dot(m.moment_about_ground(s));
        }
        if (also) also(-1, work, sum);
        sum.project(s, out.mass_matrix, out.bias, out.gravity);
        out.remarks = remarks.sorted();
        return out;
    }

    // Calls work(workspace, remarks) for groups of states, which are in workspace.group.
    template <class Work>
    Remarks for_each_group(const States& states, const double* udot, const std::vector<int>& which,
                           const Work& work) const {
        return in_threads(states, which, [&](Workspace& own, std::size_t first, std::size_t last, auto& remarks) {
            for (std::size_t t = first; t < last; t += own.group.count) {
                own.group.start(states.data() + t, t, last - t, udot + t * static_cast<std::size_t>(kernel.nu_),
                                kernel.gravity_);
                work(own, remarks);
            }
        });
    }

    // Calls work(workspace, first, last, remarks) for ranges of states, each in a thread. Returns the remarks.
    template <class Work>
    Remarks in_threads(const States& states, const std::vector<int>& which, const Work& work) const {
        for (const State<double>* s : states) kernel.check(*s, which);
        std::vector<RemarkCollection> remarks(thread_count(states.size()));
        share_states(states.size(), remarks.size(), [&](std::size_t thread, std::size_t first, std::size_t last) {
            const WorkspacePool::Loan own(*kernel.workspaces_);
            work(*own, first, last, remarks[thread]);
        });
        for (std::size_t thread = 1; thread < remarks.size(); ++thread) remarks[0].add(remarks[thread]);
        return remarks[0].sorted();
    }

    // What all muscles exert on their carriers, which write(group, row, width) gives each state's row.
    template <class Write>
    Rows sum_forces(const States& states, const double* udot, const std::vector<int>& which, int width,
                    const Write& write) const {
        Rows out;
        out.values.setZero(static_cast<Eigen::Index>(states.size()), width);
        out.remarks = for_each_group(states, udot, which, [&](Workspace& work, RemarkCollection& remarks) {
            for (int i : which)
                if (find_forces(work, i, nullptr, remarks)) work.group.add_to_sum();
            write(work.group, out.values.row(static_cast<Eigen::Index>(work.group.first)).data(),
                  static_cast<std::size_t>(width));
        });
        return out;
    }

    std::vector<MaterialMap<>> maps(const std::vector<int>& which) const {
        std::vector<MaterialMap<>> all;
        for (int i : which) all.push_back(kernel.muscle(i).map);
        return all;
    }

    // Gives a muscle's generalized forces the rows of the group's states, `each` apart.
    void put(ForcesAbreast& group, std::size_t k, Matrix& values, std::size_t row, std::size_t each) const {
        group.project(k, values.row(static_cast<Eigen::Index>(row + group.first * each)).data(),
                      each * static_cast<std::size_t>(kernel.nu_));
    }

    // What a muscle exerts on its carriers at a group of states, less what its frozen mass does, in work.group; false
    // for one without mass. `kg`: null, or its parts are added up.
    bool find_forces(Workspace& work, int i, const double* kg, RemarkCollection& remarks) const {
        return find_forces(work, i, {&kernel.muscle(i).map}, {&kernel.muscle(i).frozen}, kg, remarks);
    }

    // The same with each of some maps.
    bool find_forces(Workspace& work, int i, const std::vector<const MaterialMap<>*>& maps,
                     const std::vector<const std::vector<FrozenMass>*>& frozen, const double* kg,
                     RemarkCollection& remarks) const {
        const Muscle& muscle = kernel.muscle(i);
        if (muscle.mass.total <= 0) return false;
        ForcesAbreast& group = work.group;
        group.clear(maps.size());
        if (is_straight(muscle, i, group))
            add_straight_forces(group, work.forces, muscle, i, maps, kg, kernel.gravity_, remarks);
        else
            for (std::size_t l = 0; l < group.count; ++l) find_forces_at(work, i, l, maps, kg, remarks);
        for (std::size_t k = 0; k < maps.size(); ++k) group.subtract(*frozen[k], kg != nullptr, k);
        return true;
    }

    void find_forces_at(Workspace& work, int i, std::size_t l, const std::vector<const MaterialMap<>*>& maps,
                        const double* kg, RemarkCollection& remarks) const {
        const State<double>& s = work.group.at(l);
        bool is_on_path = false;
        for (std::size_t k = 0; k < maps.size(); ++k) {
            if (is_on_path)
                work.forces.find_again(kernel.muscle(i), *maps[k], kernel.gravity_);
            else
                work.forces.find(s, kernel.muscle(i), *maps[k], kernel.gravity_);
            is_on_path = !straighten_forces(work, s, i, *maps[k], remarks, work.group.first + l);
            work.group.add(l, work.forces, k);
            if (kg) work.group.add_parts(l, work.forces, kernel.gravity_, *kg);
        }
    }

    // Lays a muscle in work.laid, on its path or straight past all surfaces, which is returned; where its mass is
    // divided, in work.divided as well. `again`: with another map, on the path on which it was laid last.
    bool lay(Workspace& work, const State<double>& s, int i, const MaterialMap<>& map, RemarkCollection& remarks,
             bool again = false) const {
        if (again)
            work.laid.lay_again(kernel.muscle(i), map, {});
        else
            work.laid.lay(s, kernel.muscle(i), map);
        return straighten(work, work.laid, s, i, map, remarks);
    }

    // Of the muscle that `lay` laid last, or what is in a window of it.
    static Mat4<double> pseudo_inertia(Workspace& work, const State<double>& s, const Muscle& muscle,
                                       const MaterialMap<>& map, const MassWindow* window) {
        if (window) work.laid.lay_again(muscle, map, *window);
        if (!work.laid.is_divided()) return work.laid.pseudo_inertia();
        if (window) work.divided.divide(s, muscle, map, work.laid, *window);
        return work.divided.pseudo_inertia();
    }

    // What `straighten` does, of work.forces.
    bool straighten_forces(Workspace& work, const State<double>& s, int i, const MaterialMap<>& map,
                           RemarkCollection& remarks, std::size_t state) const {
        MuscleForces<double>& forces = work.forces;
        const bool fast = MassSpeeds::could_be_fast(forces.laid, forces.stretch()) &&
                          is_fast(work, s, i, forces.laid, forces.divided());
        const bool is_straight = settle(fast, forces.laid, s, i, map, remarks, state);
        if (fast && !forces.laid.is_divided()) forces.find_as_laid(kernel.gravity_);    // it was laid anew
        return is_straight;
    }

    // Lays a muscle's mass straight past all surfaces if it is fast on the path on which it lies. Otherwise that is
    // divided, if it is, and its terms are summed, if it is bent.
    bool straighten(Workspace& work, LaidMuscle<double>& laid, const State<double>& s, int i, const MaterialMap<>& map,
                    RemarkCollection& remarks, std::size_t state = 0) const {
        if (laid.is_divided()) work.divided.divide(s, kernel.muscle(i), map, laid);
        const bool fast =
            kernel.muscle(i).mass.total > 0 && MassSpeeds::is_bent(laid) && is_fast(work, s, i, laid, work.divided);
        return settle(fast, laid, s, i, map, remarks, state);
    }

    // Sums the terms of a muscle whose path is bent.
    bool is_fast(Workspace& work, const State<double>& s, int i, const LaidMuscle<double>& laid,
                 const DividedMuscle<double>& divided) const {
        work.speeds.start(s);
        const auto add = [&](const LaidMuscle<double>& on_path) {
            sum_terms(work, s, on_path);
            if (!MassSpeeds::could_be_fast(laid, work.terms.stretch)) return;
            work.speeds.add(s, on_path, work.carriers, work.terms);
        };
        if (laid.is_divided())
            for (const LaidMuscle<double>& part : divided.parts) add(part);
        else
            add(laid);
        return work.speeds.are_fast(kernel.muscle(i).mass.total);
    }

    void sum_terms(Workspace& work, const State<double>& s, const LaidMuscle<double>& laid) const {
        work.carriers.find(s, laid);
        work.terms.sum(laid, work.carriers, kernel.gravity_,
                       &laid == &work.forces.laid ? &work.forces.gradients() : nullptr);
    }

    // Notes what becomes of a muscle. If it is fast it is laid straight, unless its belly does not fit there: then it
    // lies as it did.
    bool settle(bool fast, LaidMuscle<double>& laid, const State<double>& s, int i, const MaterialMap<>& map,
                RemarkCollection& remarks, std::size_t state) const {
        remarks.note_length(i, s, laid.length.v, state);
        bool is_straight = false;
        if (fast) {
            try {
                laid.lay_straight(s, kernel.muscle(i), map);
                is_straight = true;
            } catch (const PathError&) {
                laid.lay(s, kernel.muscle(i), map);
            }
            remarks.note(i, is_straight ? Doubt::straight : Doubt::fast, state);
        }
        remarks.note(i, laid, state);
        return is_straight;
    }
};

Kernel::~Kernel() = default;

Kernel::Kernel(int bodies, int speeds, const Vec3d& gravity, std::vector<Muscle> muscles)
    : nb_(bodies),
      nu_(speeds),
      gravity_(gravity),
      muscles_(std::move(muscles)),
      every_(muscles_.size()),
      workspaces_(std::make_unique<WorkspacePool>(bodies, speeds)) {
    std::iota(every_.begin(), every_.end(), 0);
    for (std::size_t i = 0; i < muscles_.size(); ++i) {
        muscles_[i].path.number = static_cast<int>(i);
        muscles_[i].check(bodies, speeds);
    }
}

const Muscle& Kernel::muscle(int i) const {
    if (i < 0 || i >= static_cast<int>(muscles_.size()))
        throw std::out_of_range("kernel: there is no muscle " + std::to_string(i) + ", there are " +
                                std::to_string(muscles_.size()));
    return muscles_[static_cast<std::size_t>(i)];
}

void Kernel::check(const State<double>& s, const std::vector<int>& which) const {
    if (s.bodies != nb_ || s.speeds != nu_)
        throw std::invalid_argument("kernel: the state has " + std::to_string(s.bodies) + " bodies and " +
                                    std::to_string(s.speeds) + " speeds, expected " + std::to_string(nb_) + " and " +
                                    std::to_string(nu_));
    for (int i : which) muscle(i);
}

Terms Kernel::evaluate(const State<double>& s, const std::vector<int>& which, bool subtract_frozen) const {
    const WorkspacePool::Loan work(*workspaces_);
    return Call{*this}.evaluate(s, which, *work, work->sum, subtract_frozen);
}

Terms Kernel::evaluate(const State<double>& s, const std::vector<int>& which, CarrierSum& sum, const Also& also) const {
    const WorkspacePool::Loan work(*workspaces_);
    return Call{*this}.evaluate(s, which, *work, sum, true, also);
}

Equations Kernel::equations(const State<double>& s, const double* mass_matrix, const double* udot0,
                            const std::vector<int>& which) const {
    const Terms t = evaluate(s, which);
    const RowMap rigid(mass_matrix, nu_, nu_);
    return {rigid + t.mass_matrix, rigid * VecMap(udot0, nu_) + t.bias + t.gravity, t.remarks};
}

Rows Kernel::inverse(const States& states, const double* udot, const std::vector<int>& which) const {
    return Call{*this}.sum_forces(states, udot, which, nu_, [](ForcesAbreast& group, double* row, std::size_t apart) {
        group.project_sum(row, apart);
    });
}

Rows Kernel::inverse_on_carriers(const States& states, const double* udot, const std::vector<int>& which) const {
    return Call{*this}.sum_forces(
        states, udot, which, 6 * nb_ + nu_,
        [](ForcesAbreast& group, double* row, std::size_t apart) { group.write_sum(row, apart); });
}

Rows Kernel::inverse_each(const States& states, const double* udot, const std::vector<int>& which) const {
    FrozenMuscles frozen;
    for (int i : which) frozen.push_back(muscle(i).frozen);
    return inverse_of_maps(states, udot, which, {Call{*this}.maps(which)}, {frozen});
}

RowsAndParts Kernel::inverse_parts(const States& states, const double* udot, const std::vector<int>& which,
                                   const std::vector<double>& weights) const {
    RowsAndParts out;
    const auto count = static_cast<Eigen::Index>(states.size());
    out.values.setZero(count * static_cast<Eigen::Index>(which.size()), nu_);
    out.parts.setZero(4 * count, nu_);
    out.remarks = Call{*this}.for_each_group(states, udot, which, [&](Workspace& work, RemarkCollection& remarks) {
        ForcesAbreast& group = work.group;
        for (std::size_t m = 0; m < which.size(); ++m) {
            if (!Call{*this}.find_forces(work, which[m], &weights[m], remarks)) continue;
            group.add_to_sum();
            Call{*this}.put(group, 0, out.values, m, which.size());
        }
        group.write_parts(out.parts.row(static_cast<Eigen::Index>(4 * group.first)).data());
    });
    return out;
}

Rows Kernel::inverse_of_maps(const States& states, const double* udot, const std::vector<int>& which,
                             const std::vector<std::vector<MaterialMap<>>>& sets,
                             const std::vector<FrozenMuscles>& frozen) const {
    Rows out;
    const std::size_t each = which.size();
    out.values.setZero(static_cast<Eigen::Index>(sets.size() * states.size() * each), nu_);
    out.remarks = Call{*this}.for_each_group(states, udot, which, [&](Workspace& work, RemarkCollection& remarks) {
        std::vector<const MaterialMap<>*> maps(sets.size());
        std::vector<const std::vector<FrozenMass>*> its_frozen(sets.size());
        for (std::size_t m = 0; m < each; ++m) {
            for (std::size_t k = 0; k < sets.size(); ++k) {
                maps[k] = &sets[k][m];
                its_frozen[k] = &frozen[k][m];
            }
            if (!Call{*this}.find_forces(work, which[m], maps, its_frozen, nullptr, remarks)) continue;
            for (std::size_t k = 0; k < sets.size(); ++k)
                Call{*this}.put(work.group, k, out.values, k * states.size() * each + m, each);
        }
    });
    return out;
}

MaterialPoints Kernel::mass_points(const State<double>& s, int i, const std::vector<Material<double>>& material,
                                   bool want_jacobian) const {
    check(s, {i});
    const WorkspacePool::Loan work(*workspaces_);
    RemarkCollection remarks;
    Call{*this}.lay(*work, s, i, muscle(i).map, remarks);
    const LaidMuscle<double>& laid = work->laid.is_divided() ? work->divided.largest() : work->laid;
    MaterialPoints out = points_on(s, laid, material, work->carriers, work->terms, want_jacobian);
    out.remarks = remarks.sorted();
    return out;
}

Rows Kernel::pseudo_inertia_of_maps(const State<double>& s, const std::vector<int>& which,
                                    const std::vector<std::vector<MaterialMap<>>>& sets,
                                    const std::vector<MassWindow>& windows) const {
    check(s, which);
    const WorkspacePool::Loan work(*workspaces_);
    Rows out;
    RemarkCollection remarks;
    out.values.resize(static_cast<Eigen::Index>(4 * sets.size() * which.size()), 4);
    for (std::size_t m = 0; m < which.size(); ++m) {
        bool is_on_path = false;
        for (std::size_t k = 0; k < sets.size(); ++k) {
            is_on_path = !Call{*this}.lay(*work, s, which[m], sets[k][m], remarks, is_on_path);
            out.values.middleRows<4>(static_cast<Eigen::Index>(4 * (k * which.size() + m))) =
                Call{*this}.pseudo_inertia(*work, s, muscle(which[m]), sets[k][m],
                                           windows.empty() ? nullptr : &windows[m]);
        }
    }
    out.remarks = remarks.sorted();
    return out;
}

bool Kernel::is_straightened(const State<double>& s, int i) const {
    if (muscle(i).path.sites.empty() && !s.path(i)) return false;
    const WorkspacePool::Loan work(*workspaces_);
    RemarkCollection unused;
    return Call{*this}.lay(*work, s, i, muscle(i).map, unused);
}

bool Kernel::straighten_bare(Workspace& work, const State<double>& s, int i, RemarkCollection& remarks,
                             std::size_t state) const {
    LaidMuscle<double>& laid = work.forces.laid;
    if (!MassSpeeds::is_bent(laid) || laid.is_divided()) {
        remarks.note(i, laid, state);
        return false;
    }
    laid.lay_again(muscle(i), muscle(i).map, {});
    work.forces.find_as_laid(gravity_);
    const bool is_straight = Call{*this}.straighten_forces(work, s, i, muscle(i).map, remarks, state);
    laid.clear();
    return is_straight;
}

Matrix Kernel::lengths(const State<double>& s, const std::vector<int>& which) const {
    check(s, which);
    const WorkspacePool::Loan work(*workspaces_);
    LaidMuscle<double>& laid = work->laid;
    Matrix out(static_cast<Eigen::Index>(which.size()), 4);
    for (std::size_t m = 0; m < which.size(); ++m) {
        laid.lay(s, muscle(which[m]));
        out.row(static_cast<Eigen::Index>(m)) << laid.length.v, laid.aponeurosis.v + laid.fibre.v, laid.fibre.v,
            laid.held ? 1.0 : 0.0;
    }
    return out;
}

Matrix Kernel::length_gradients(const State<double>& s, const std::vector<int>& which) const {
    check(s, which);
    const WorkspacePool::Loan work(*workspaces_);
    Matrix out = Matrix::Zero(static_cast<Eigen::Index>(which.size()), 6 * nb_ + nu_);
    for (std::size_t m = 0; m < which.size(); ++m) {
        work->laid.lay(s, muscle(which[m]));
        work->carriers.find(s, work->laid);
        work->terms.find_gradient_of_length(work->laid, work->carriers);
        for (std::size_t a = 0; a < work->carriers.ids.size(); ++a)
            out(static_cast<Eigen::Index>(m), work->carriers.ids[a]) = work->terms.gradient_of_length[a];
    }
    return out;
}

Rows Kernel::pseudo_inertia(const State<double>& s, const std::vector<int>& which,
                            const std::vector<MassWindow>& windows) const {
    return pseudo_inertia_of_maps(s, which, {Call{*this}.maps(which)}, windows);
}

Remarks Kernel::for_each_state(const States& states, const std::vector<int>& which, const Work& work) const {
    return Call{*this}.in_threads(states, which,
                                  [&](Workspace& own, std::size_t first, std::size_t last, auto& remarks) {
                                      for (std::size_t t = first; t < last; ++t) work(own, t, remarks);
                                  });
}

}    // namespace opensim_inertia
