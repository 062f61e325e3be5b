#include "opensim_inertia/dynamics/kernel_derivatives.hpp"

#include "opensim_inertia/dynamics/muscle_forces.hpp"
#include "opensim_inertia/state/moving_state.hpp"

namespace opensim_inertia {

namespace {

// With storage for one muscle at a time.
struct OfMuscles {
    explicit OfMuscles(const Kernel& kernel) : k_(kernel), J_rows_(6 * kernel.bodies()), nu_(kernel.speeds()) {}

    Matrix inverse_along(const State<double>& s, const Directions& d, const std::vector<int>& which) {
        k_.check(s, which);
        Matrix out;
        out.setZero(d.count, nu_);
        std::vector<Carriers> carriers;
        std::vector<int> bodies;
        for (int i : which) {
            const Muscle& muscle = k_.muscle(i);
            check(muscle, s);
            carriers.push_back(muscle.carriers());
            if (muscle.mass.total > 0) add_distinct(bodies, carriers.back().bodies);
        }
        MovingState<K> moving(s, d, bodies);
        Vector wrench = Vector::Zero(J_rows_);
        Matrix along = Matrix::Zero(d.count, J_rows_);
        for (std::size_t m = 0; m < which.size(); ++m) {
            const Muscle& muscle = k_.muscle(which[m]);
            if (muscle.mass.total <= 0) continue;
            const bool is_straight = k_.is_straightened(s, which[m]);
            std::vector<int> moved;
            for (int i = 0; i < d.count; ++i)
                if (moving.moves(i, carriers[m])) moved.push_back(i);
            for (std::size_t first = 0; first < moved.size(); first += K) {
                const auto from = moved.begin() + static_cast<std::ptrdiff_t>(first);
                const std::vector<int> some(from, moved.end() - from > K ? from + K : moved.end());
                find(moving.along(some, carriers[m]), muscle, muscle.map.as<Real>(), is_straight);
                for (std::size_t k = 0; k < some.size(); ++k)
                    add(carriers[m], static_cast<Eigen::Index>(k), along.row(some[k]), out.row(some[k]));
                if (first == 0)
                    for (int b : carriers[m].bodies)
                        for (int i = 6 * b; i < 6 * b + 6; ++i) wrench[i] += carried_.wrench[i].v;
            }
        }
        // of J^T wrench
        out.noalias() += along * RowMap(s.jacobian, J_rows_, nu_);
        for (int i = 0; i < d.count; ++i)
            for (int b : bodies) {
                if (!moving.moves(i, b)) continue;
                const auto row = static_cast<std::ptrdiff_t>(i) * J_rows_ + 6 * b;
                out.row(i).noalias() += wrench.segment<6>(6 * b).transpose() * RowMap(d.jacobian + row * nu_, 6, nu_);
            }
        return out;
    }

    Matrix inverse_by_map(const State<double>& s, const std::vector<int>& which,
                          const std::vector<FrozenMuscles>& frozen) {
        k_.check(s, which);
        Matrix out;
        out.setZero(kByMap * static_cast<Eigen::Index>(which.size()), nu_);
        MovingState<K> resting(s, {}, {});
        const RowMap J(s.jacobian, J_rows_, nu_);
        for (std::size_t m = 0; m < which.size(); ++m) {
            const Muscle& muscle = k_.muscle(which[m]);
            check(muscle, s);
            if (muscle.mass.total <= 0) continue;
            const Carriers carriers = muscle.carriers();
            find(resting.along({}, carriers), muscle, moving_map(muscle), k_.is_straightened(s, which[m]));
            Matrix along = Matrix::Zero(kByMap, J_rows_);
            auto rows = out.middleRows(kByMap * static_cast<Eigen::Index>(m), kByMap);
            for (Eigen::Index k = 0; k < kByMap; ++k) {
                add(carriers, k, along.row(k), rows.row(k));
                for (const FrozenMass& change : frozen[static_cast<std::size_t>(k)][m])
                    along.row(k).segment<6>(6 * change.body) -= change.wrench(s, k_.gravity());
            }
            rows.noalias() += along * J;
        }
        return out;
    }

    Matrix pseudo_inertia_by_map(const State<double>& s, const std::vector<int>& which,
                                 const std::vector<MassWindow>& windows) {
        k_.check(s, which);
        Matrix out;
        out.setZero(4 * kByMap * static_cast<Eigen::Index>(which.size()), 4);
        MovingState<K> resting(s, {}, {});
        LaidMuscle<Real> laid;
        DividedMuscle<Real> divided;
        for (std::size_t m = 0; m < which.size(); ++m) {
            const Muscle& muscle = k_.muscle(which[m]);
            check(muscle, s);
            if (muscle.mass.total <= 0) continue;
            const auto& state = resting.along({}, muscle.path.carriers());
            const MassWindow window = windows.empty() ? MassWindow{} : windows[m];
            if (k_.is_straightened(s, which[m]))
                laid.lay_straight(state, muscle, moving_map(muscle), window);
            else
                laid.lay(state, muscle, moving_map(muscle), window);
            if (laid.is_divided()) divided.divide(state, muscle, moving_map(muscle), laid, window);
            const Mat4<Real> P = laid.is_divided() ? divided.pseudo_inertia() : laid.pseudo_inertia();
            for (int k = 0; k < kByMap; ++k)
                for (int i = 0; i < 16; ++i)
                    out.data()[16 * (kByMap * static_cast<std::ptrdiff_t>(m) + k) + i] = P.data()[i].d[k];
        }
        return out;
    }

    static constexpr int K = 4;
    static constexpr int kByMap = 3;
    using Real = Dual<K>;

    // The map as a function of its constants `proximal`, `phi` and `aponeurosis`.
    static MaterialMap<Real> moving_map(const Muscle& muscle) {
        MaterialMap<Real> map = muscle.map.as<Real>();
        map.proximal.d[0] = 1;
        map.phi.d[1] = 1;
        map.aponeurosis.d[2] = 1;
        return map;
    }

    const Kernel& k_;
    Eigen::Index J_rows_, nu_;
    MuscleForces<Real> forces_;
    CarriedForces<Real> carried_;    // by one muscle

    static void check(const Muscle& muscle, const State<double>& s) {
        if (muscle.path.is_given || s.path(muscle.path.number))
            throw PathError(muscle.path, "OpenSim leads its path (wrapping 'opensim'), which gives no derivatives");
    }

    static void add_distinct(std::vector<int>& to, const std::vector<int>& from) {
        for (int x : from)
            if (std::ranges::find(to, x) == to.end()) to.push_back(x);
    }

    void find(const State<Real>& s, const Muscle& muscle, const MaterialMap<Real>& map, bool is_straight) {
        if (is_straight)
            forces_.find_straight(s, muscle, map, k_.gravity());
        else
            forces_.find(s, muscle, map, k_.gravity());
        carried_.clear(k_.bodies(), nu_);
        forces_.add_to(carried_);
        for (const FrozenMass& m : muscle.frozen) carried_.wrench.segment<6>(6 * m.body) -= m.wrench(s, k_.gravity());
    }

    // Derivatives along the k-th direction of the one muscle's wrench and of its forces on coordinates.
    template <class Row, class Tau>
    void add(const Carriers& carriers, Eigen::Index k, Row&& wrench, Tau&& tau) const {
        for (int b : carriers.bodies)
            for (int i = 6 * b; i < 6 * b + 6; ++i) wrench[i] += carried_.wrench[i].d[k];
        for (int c : carriers.coordinates) tau[c] += carried_.tau[c].d[k];
    }
};

}    // namespace

Matrix KernelDerivatives::inverse_along(const State<double>& s, const Directions& d,
                                        const std::vector<int>& which) const {
    return OfMuscles(k_).inverse_along(s, d, which);
}

Matrix KernelDerivatives::inverse_by_map(const State<double>& s, const std::vector<int>& which,
                                         const std::vector<FrozenMuscles>& frozen) const {
    return OfMuscles(k_).inverse_by_map(s, which, frozen);
}

Matrix KernelDerivatives::pseudo_inertia_by_map(const State<double>& s, const std::vector<int>& which,
                                                const std::vector<MassWindow>& windows) const {
    return OfMuscles(k_).pseudo_inertia_by_map(s, which, windows);
}

}    // namespace opensim_inertia
