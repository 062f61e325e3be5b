// From the coordinates of nodes to the speeds: nodes -> body twists (only the bodies that a path touches) -> speeds.
//
// Wang et al. 2022, eq. 2: J_(alpha r) = J_(alpha m) J_(m r). All muscles share the second factor, so their node terms are added up per pair of
// bodies first and projected once per state.
#pragma once

#include <vector>

#include "node_terms.hpp"

namespace opensim_inertia {

class Projection {
  public:
    Projection(int bodies, int speeds) : nb_(bodies), nu_(speeds), wrench_(6 * bodies), block_(static_cast<std::size_t>(bodies * bodies)) {
        used_.assign(block_.size(), false);
    }

    void begin(const State& s, Matrix* mass_matrix) {
        s_ = &s;
        dM_ = mass_matrix;
        if (dM_) {
            half_.setZero(nu_, nu_);
            std::fill(used_.begin(), used_.end(), false);
            find_columns();
        }
    }

    // tau += Jn^T f for forces on the nodes
    void add_force(const LaidMuscle& muscle, const std::vector<double>& f, Vector& wrench, Vector& tau) const {
        for (std::size_t i = 0; i < muscle.nodes.size(); ++i) {
            const Node& node = muscle.nodes[i];
            const Eigen::Map<const Vec3d> force(f.data() + 3 * i);
            wrench.segment<3>(6 * node.body) += node.arm.cross(force);
            wrench.segment<3>(6 * node.body + 3) += force;
            for (std::size_t k = 0; k < 3; ++k)
                if (node.slide_speed[k] >= 0) tau[node.slide_speed[k]] += node.slide[k].dot(force);
            if (node.free) tau.noalias() += node.free->dstation.transpose() * (s_->R(node.body).transpose() * force);
        }
    }

    void project_wrench(const Vector& wrench, Vector& tau) const { tau.noalias() += J().transpose() * wrench; }

    void add_inertia(const LaidMuscle& muscle, const NodeTerms& terms) {
        for (const Node& node : muscle.nodes)
            if (node.free || node.slide_speed[0] >= 0 || node.slide_speed[1] >= 0 || node.slide_speed[2] >= 0)
                return add_dense(muscle, terms);
        add_blocks(muscle, terms);
    }

    void end() {
        if (!dM_) return;
        Matrix T(6, nu_);
        for (int b = 0; b < nb_; ++b) {
            bool any = false;
            T.setZero();
            for (int c = 0; c < nb_; ++c) {
                const auto k = static_cast<std::size_t>(b * nb_ + c);
                if (!used_[k]) continue;
                any = true;
                for (int r = 0; r < 6; ++r)
                    for (int m = 0; m < 6; ++m) {
                        const double g = block_[k](r, m);
                        const double* row = s_->jacobian + (6 * c + m) * nu_;
                        for (int col : columns_[static_cast<std::size_t>(c)]) T(r, col) += g * row[col];
                    }
            }
            if (!any) continue;
            for (int col : columns_[static_cast<std::size_t>(b)])
                for (int r = 0; r < 6; ++r) half_.row(col) += s_->jacobian[(6 * b + r) * nu_ + col] * T.row(r);
        }
        *dM_ += half_ + half_.transpose();
    }

    // Jacobian of node i with respect to the speeds, (3, speeds)
    void node_jacobian(const Node& node, Eigen::Ref<Matrix> out) const {
        const auto Jb = J().middleRows(6 * node.body, 6);
        const Mat3d X = skew(node.arm);
        out = Jb.bottomRows(3) - X * Jb.topRows(3);
        for (std::size_t k = 0; k < 3; ++k)
            if (node.slide_speed[k] >= 0) out.col(node.slide_speed[k]) += node.slide[k];
        if (node.free) out += s_->R(node.body) * node.free->dstation;
    }

    Matrix node_jacobians(const LaidMuscle& muscle) const {
        Matrix Jn(3 * static_cast<Eigen::Index>(muscle.nodes.size()), nu_);
        for (std::size_t i = 0; i < muscle.nodes.size(); ++i) node_jacobian(muscle.nodes[i], Jn.middleRows(3 * static_cast<Eigen::Index>(i), 3));
        return Jn;
    }

  private:
    using Block = Eigen::Matrix<double, 6, 6, Eigen::RowMajor>;
    using Mat3Row = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

    int nb_, nu_;
    const State* s_ = nullptr;
    Matrix* dM_ = nullptr;
    Vector wrench_;
    Matrix half_;                            // dM = half + half^T
    std::vector<Block, Eigen::aligned_allocator<Block>> block_;   // per pair of bodies; half, too
    std::vector<char> used_;
    std::vector<std::vector<int>> columns_;   // speeds that move each body

    RowMap J() const { return RowMap(s_->jacobian, 6 * nb_, nu_); }

    static Mat3d skew(const Vec3d& r) {
        Mat3d X;
        X << 0, -r[2], r[1], r[2], 0, -r[0], -r[1], r[0], 0;
        return X;
    }

    void find_columns() {
        columns_.assign(static_cast<std::size_t>(nb_), {});
        for (int b = 0; b < nb_; ++b)
            for (int c = 0; c < nu_; ++c)
                for (int r = 0; r < 6; ++r)
                    if (s_->jacobian[(6 * b + r) * nu_ + c] != 0) {
                        columns_[static_cast<std::size_t>(b)].push_back(c);
                        break;
                    }
    }

    void add_blocks(const LaidMuscle& muscle, const NodeTerms& terms) {
        const std::size_t n = terms.n;
        for (std::size_t i = 0; i < muscle.nodes.size(); ++i)
            for (std::size_t j = 0; j < muscle.nodes.size(); ++j) {
                const Node &a = muscle.nodes[i], &b = muscle.nodes[j];
                const Eigen::Map<const Mat3Row, 0, Eigen::OuterStride<>> B(terms.half.data() + 3 * i * n + 3 * j, Eigen::OuterStride<>(static_cast<Eigen::Index>(n)));
                const auto k = static_cast<std::size_t>(a.body * nb_ + b.body);
                if (!used_[k]) {
                    used_[k] = true;
                    block_[k].setZero();
                }
                // E_a^T B E_b with E = [-[arm]x, 1]
                double* block = block_[k].data();
                double row[3][6];
                for (int r = 0; r < 3; ++r) {
                    const double x = B(r, 0), y = B(r, 1), z = B(r, 2);
                    row[r][0] = b.arm[1] * z - b.arm[2] * y;
                    row[r][1] = b.arm[2] * x - b.arm[0] * z;
                    row[r][2] = b.arm[0] * y - b.arm[1] * x;
                    row[r][3] = x;
                    row[r][4] = y;
                    row[r][5] = z;
                }
                for (int c = 0; c < 6; ++c) {
                    block[c] += a.arm[1] * row[2][c] - a.arm[2] * row[1][c];
                    block[6 + c] += a.arm[2] * row[0][c] - a.arm[0] * row[2][c];
                    block[12 + c] += a.arm[0] * row[1][c] - a.arm[1] * row[0][c];
                    block[18 + c] += row[0][c];
                    block[24 + c] += row[1][c];
                    block[30 + c] += row[2][c];
                }
            }
    }

    void add_dense(const LaidMuscle& muscle, const NodeTerms& terms) {
        const Matrix Jn = node_jacobians(muscle);
        std::vector<int> columns;
        for (int c = 0; c < nu_; ++c)
            if (Jn.col(c).squaredNorm() > 0) columns.push_back(c);
        const Matrix Jc = Jn(Eigen::all, columns);
        const RowMap half(terms.half.data(), static_cast<Eigen::Index>(terms.n), static_cast<Eigen::Index>(terms.n));
        const Matrix HJ = half * Jc;
        half_(columns, columns) += Jc.transpose() * HJ;
    }
};

}  // namespace opensim_inertia
