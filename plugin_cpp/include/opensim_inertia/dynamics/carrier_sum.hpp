// Inertia and forces of muscles, summed in the coordinates of their carriers (carrier_columns.hpp).
#pragma once

#include <algorithm>
#include <vector>

#include "opensim_inertia/dynamics/carrier_columns.hpp"
#include "opensim_inertia/dynamics/row_loops.hpp"

namespace opensim_inertia {

// Sums over muscles in the carriers' coordinates, projected to the speeds once per state.
class CarrierSum {
  public:
    using Block = Eigen::Matrix<double, 6, 6, Eigen::RowMajor>;

    Vector bias, gravity;    // (6 bodies + speeds)

    CarrierSum(int bodies, int speeds)
        : bias(6 * bodies + speeds),
          gravity(6 * bodies + speeds),
          nb_(bodies),
          nu_(speeds),
          place_(static_cast<std::size_t>(bodies * bodies), -1),
          slides_(6 * bodies + speeds, speeds) {
        slides_.setZero();
    }

    void clear() {
        bias.setZero();
        gravity.setZero();
        for (const Pair& pair : pairs_) place_[static_cast<std::size_t>(pair.a * nb_ + pair.b)] = -1;
        pairs_.clear();
        for (int s : sliding_) slides_.col(s).setZero();
        sliding_.clear();
    }

    // The inertia that couples the twists of bodies a <= b, to be added to, until another pair is asked for.
    Block& between(int a, int b) {
        int& place = place_[static_cast<std::size_t>(a * nb_ + b)];
        if (place < 0) {
            place = static_cast<int>(pairs_.size());
            pairs_.push_back({a, b});
            if (blocks_.size() < pairs_.size()) blocks_.emplace_back();
            blocks_[pairs_.size() - 1].setZero();
        }
        return blocks_[static_cast<std::size_t>(place)];
    }

    // terms: inertia (width, width), upper triangle; bias and gravity (width)
    template <class Terms>
    void add(const CarrierColumns& J, const Terms& terms) {
        const std::vector<int>& ids = J.ids;
        for (std::size_t a = 0; a < ids.size(); ++a) {
            bias[ids[a]] += terms.bias[a];
            gravity[ids[a]] += terms.gravity[a];
        }
        const auto inertia = [&](std::size_t i, std::size_t j) { return terms.inertia.data() + i * J.width + j; };
        const std::size_t bodies = J.bodies.size();
        for (std::size_t a = 0; a < bodies; ++a) {
            Block& own = between(J.bodies[a], J.bodies[a]);
            for (std::size_t i = 0; i < 36; ++i)
                own.data()[i] += *inertia(6 * a + std::min(i / 6, i % 6), 6 * a + std::max(i / 6, i % 6));
            for (std::size_t b = a + 1; b < bodies; ++b) {
                Block& block = between(J.bodies[a], J.bodies[b]);
                for (int i = 0; i < 6; ++i)
                    block.row(i) += Eigen::Map<const Eigen::Matrix<double, 1, 6>>(
                        inertia(6 * a + static_cast<std::size_t>(i), 6 * b));
            }
        }
        for (std::size_t k = 0; k < J.speeds.size(); ++k) {
            const int s = J.speeds[k];
            if (std::ranges::find(sliding_, s) == sliding_.end()) sliding_.push_back(s);
            for (std::size_t a = 0; a <= 6 * bodies + k; ++a) slides_(ids[a], s) += *inertia(a, 6 * bodies + k);
        }
    }

    // Subtracts mass that is fixed to a body, at udot = 0.
    void subtract(const State<double>& s, const FrozenMass& m, const Vec3d& field) {
        const Vec3d c = s.R(m.body) * m.moment;
        Mat3d across;
        across << 0, -c[2], c[1], c[2], 0, -c[0], -c[1], c[0], 0;
        Block& block = between(m.body, m.body);
        block.topLeftCorner<3, 3>() -= m.turned_inertia(s);
        block.topRightCorner<3, 3>() -= across;
        block.bottomLeftCorner<3, 3>() += across;
        block.bottomRightCorner<3, 3>() -= m.mass * Mat3d::Identity();
        bias.segment<6>(6 * m.body) += m.wrench(s, Vec3d(0, 0, 0));
        gravity.segment<3>(6 * m.body) -= c.cross(field);
        gravity.segment<3>(6 * m.body + 3) -= m.mass * field;
    }

    // dM = M^T inertia M, h = M^T bias, g_m = M^T gravity with M = [J; 1]
    void project(const State<double>& s, Matrix& dM, Vector& h, Vector& g) {
        const RowMap J(s.jacobian, 6 * nb_, nu_);
        h.noalias() = J.transpose() * bias.head(6 * nb_) + bias.tail(nu_);
        g.noalias() = J.transpose() * gravity.head(6 * nb_) + gravity.tail(nu_);
        find_used();
        const auto n = static_cast<std::size_t>(nu_);
        moved_.resize(6 * nb_, nu_);    // inertia M, the diagonal in half
        for (int a : used_) moved_.middleRows<6>(6 * a).setZero();
        for (std::size_t p = 0; p < pairs_.size(); ++p) {
            const auto [a, b] = pairs_[p];
            add_product(n, a == b ? 0.5 : 1.0, blocks_[p].data(), s.jacobian + 6 * b * nu_, moved_.row(6 * a).data());
        }
        half_.setZero(nu_, nu_);
        for (int speed : sliding_) {
            for (int a : used_) moved_.block<6, 1>(6 * a, speed) += slides_.block<6, 1>(6 * a, speed);
            half_.col(speed) += slides_.col(speed).tail(nu_);
            half_(speed, speed) -= 0.5 * slides_(6 * nb_ + speed, speed);
        }
        for (int a : used_) add_transposed_product(n, s.jacobian + 6 * a * nu_, moved_.row(6 * a).data(), half_.data());
        dM = half_ + half_.transpose();
    }

    // What the mass exerts on its carriers at the accelerations udot (speeds), after `project`:
    // bias + gravity - inertia [J udot; udot], (6 bodies + speeds).
    void loads(const State<double>& s, const double* udot, Vector& out) const {
        using Twist = Eigen::Matrix<double, 6, 1>;
        const RowMap J(s.jacobian, 6 * nb_, nu_);
        const VecMap accelerations(udot, nu_);
        Vector moved(6 * nb_);
        for (int a : used_) moved.segment<6>(6 * a).noalias() = J.middleRows<6>(6 * a) * accelerations;
        out = bias + gravity;
        for (std::size_t p = 0; p < pairs_.size(); ++p) {
            const auto [a, b] = pairs_[p];
            out.segment<6>(6 * a) -= Twist(blocks_[p] * moved.segment<6>(6 * b));
            if (a != b) out.segment<6>(6 * b) -= Twist(blocks_[p].transpose() * moved.segment<6>(6 * a));
        }
        for (int speed : sliding_) {
            const auto column = slides_.col(speed);
            for (int a : used_) {
                out.segment<6>(6 * a) -= column.segment<6>(6 * a) * udot[speed];
                out[6 * nb_ + speed] -= column.segment<6>(6 * a).dot(moved.segment<6>(6 * a));
            }
            for (int other : sliding_) {
                out[6 * nb_ + other] -= column[6 * nb_ + other] * udot[speed];
                if (other != speed) out[6 * nb_ + speed] -= column[6 * nb_ + other] * udot[other];
            }
        }
    }

  private:
    struct Pair {
        int a, b;
    };

    int nb_, nu_;
    std::vector<Pair> pairs_;    // of bodies whose blocks are in use, in the order of `blocks_`
    std::vector<Block> blocks_;
    std::vector<int> place_;    // of each pair's block, or -1
    Matrix slides_;             // (6 bodies + speeds, speeds) columns of the inertia; of two speeds the upper triangle
    std::vector<int> sliding_;    // the speeds whose columns are in use
    std::vector<int> used_;       // bodies
    Matrix moved_, half_;

    void find_used() {
        used_.clear();
        for (const Pair& pair : pairs_)
            if (pair.a == pair.b) used_.push_back(pair.a);
    }
};

}    // namespace opensim_inertia
