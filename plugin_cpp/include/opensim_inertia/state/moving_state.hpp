// A state with its derivatives along some directions.
#pragma once

#include <algorithm>
#include <vector>

#include "opensim_inertia/scalar/dual.hpp"
#include "opensim_inertia/state/carriers.hpp"
#include "opensim_inertia/state/directions.hpp"
#include "opensim_inertia/state/state.hpp"

namespace opensim_inertia {

// The state as a function of K directions at a time.
template <int K>
class MovingState {
  public:
    // `bodies`: those that are looked at. Keeps a pointer to the state and those of the directions.
    MovingState(const State<double>& s, const Directions& d, const std::vector<int>& bodies)
        : s_(s), d_(d), q_(s.q, s.q + s.speeds), u_(s.u, s.u + s.speeds) {
        const int nb = s.bodies;
        const auto n = static_cast<std::size_t>(d.count * nb);
        velocity_.resize(6 * n);
        acceleration_.resize(6 * n);
        simbody_acceleration_.resize(6 * n);
        moved_.resize(n);
        for (int i = 0; i < d.count; ++i)
            for (int b : bodies) find_rates(i, b);
        rotation_.resize(static_cast<std::size_t>(9 * nb));
        position_.resize(static_cast<std::size_t>(3 * nb));
        moving_.bodies = nb;
        moving_.speeds = s.speeds;
        moving_.q = q_.data();
        moving_.u = u_.data();
        moving_.rotation = rotation_.data();
        moving_.position = position_.data();
        moving_.udot = s.udot;
        moving_.velocity.resize(nb, 6);
        moving_.acceleration.resize(nb, 6);
        moving_.simbody_acceleration.resize(nb, 6);
    }

    bool moves(int direction, int body) const { return moved_[static_cast<std::size_t>(direction * s_.bodies + body)]; }

    // Whether a direction changes anything of the carriers.
    bool moves(int direction, const Carriers& carriers) const {
        const auto row = static_cast<std::ptrdiff_t>(direction) * s_.speeds;
        return std::ranges::any_of(carriers.bodies, [&](int b) { return moves(direction, b); }) ||
               std::ranges::any_of(carriers.coordinates,
                                   [&](int c) { return d_.q[row + c] != 0 || d_.u[row + c] != 0; });
    }

    // The state along these directions, at most K, of the carriers; valid until the next call.
    const State<Dual<K>>& along(const std::vector<int>& directions, const Carriers& carriers) {
        for (int c : carriers.coordinates) {
            set(q_[static_cast<std::size_t>(c)], s_.q[c], directions, d_.q, c, s_.speeds);
            set(u_[static_cast<std::size_t>(c)], s_.u[c], directions, d_.u, c, s_.speeds);
        }
        const int row = 6 * s_.bodies;
        for (int b : carriers.bodies) {
            turn(b, directions);
            for (int i = 0; i < 3; ++i)
                set(position_[static_cast<std::size_t>(3 * b + i)], s_.position[3 * b + i], directions, d_.twist,
                    6 * b + 3 + i, row);
            for (int i = 6 * b; i < 6 * b + 6; ++i) {
                set(moving_.velocity.data()[i], s_.velocity.data()[i], directions, velocity_.data(), i, row);
                set(moving_.acceleration.data()[i], s_.acceleration.data()[i], directions, acceleration_.data(), i,
                    row);
                set(moving_.simbody_acceleration.data()[i], s_.simbody_acceleration.data()[i], directions,
                    simbody_acceleration_.data(), i, row);
            }
        }
        return moving_;
    }

  private:
    const State<double>& s_;
    Directions d_;
    std::vector<double> velocity_, acceleration_, simbody_acceleration_;    // derivatives, (count, bodies, 6)
    std::vector<char> moved_;                                               // (count, bodies)
    std::vector<Dual<K>> q_, u_, rotation_, position_;
    State<Dual<K>> moving_;

    // dV = dJ u + J du, dA = dbias + dJ udot
    void find_rates(int i, int b) {
        const std::size_t at = static_cast<std::size_t>(i * s_.bodies + b);
        const int nu = s_.speeds;
        const RowMap J(s_.jacobian + static_cast<std::ptrdiff_t>(6 * b) * nu, 6, nu),
            dJ(d_.jacobian + static_cast<std::ptrdiff_t>(6 * at) * nu, 6, nu);
        Eigen::Map<Eigen::Matrix<double, 6, 1>> dV(velocity_.data() + 6 * at), dA(acceleration_.data() + 6 * at),
            dS(simbody_acceleration_.data() + 6 * at);
        const double* twist = d_.twist + 6 * at;
        dV.setZero();
        dA = VecMap(d_.bias + 6 * at, 6);
        dS = VecMap(d_.simbody_bias + 6 * at, 6);
        const double* du = d_.u + static_cast<std::ptrdiff_t>(i) * nu;
        for (int c = 0; c < nu; ++c)
            if (du[c] != 0) dV += J.col(c) * du[c];
        if ((dJ.array() != 0).any()) {
            dV += dJ * VecMap(s_.u, nu);
            if (s_.udot) {
                const Eigen::Matrix<double, 6, 1> turned = dJ * VecMap(s_.udot, nu);
                dA += turned;
                dS += turned;
            }
            moved_[at] = true;
        }
        const auto acts = [](double x) { return x != 0; };
        moved_[at] = moved_[at] || std::any_of(twist, twist + 6, acts) || (dV.array() != 0).any() ||
                     (dA.array() != 0).any() || (dS.array() != 0).any();
    }

    // x and its derivatives, which are found in rows of `all`, one for each direction.
    static void set(Dual<K>& x, double v, const std::vector<int>& directions, const double* all, int column,
                    int row_length) {
        x = v;
        for (std::size_t k = 0; k < directions.size(); ++k)
            x.d[static_cast<Eigen::Index>(k)] = all[static_cast<std::ptrdiff_t>(directions[k]) * row_length + column];
    }

    // dR = [w]x R
    void turn(int b, const std::vector<int>& directions) {
        const Mat3d R = s_.R(b);
        Eigen::Map<Eigen::Matrix<Dual<K>, 3, 3, Eigen::RowMajor>> out(rotation_.data() + 9 * b);
        out = R.template cast<Dual<K>>();
        for (std::size_t k = 0; k < directions.size(); ++k) {
            const Eigen::Map<const Vec3d> w(d_.twist + 6 * static_cast<std::ptrdiff_t>(directions[k] * s_.bodies + b));
            for (int j = 0; j < 3; ++j) {
                const Vec3d column = w.cross(R.col(j));
                for (int i = 0; i < 3; ++i) out(i, j).d[static_cast<Eigen::Index>(k)] = column[i];
            }
        }
    }
};

}    // namespace opensim_inertia
