// What carries a muscle's nodes: the twists of the two to four bodies that its path touches, and the speeds along which
// nodes slide in their bodies. (Wang et al. 2022, eq. 2: J_(alpha r) = J_(alpha m) J_(m r); carriers are the m.)
//
// Carrier ids: 6 b + i for component i of body b's twist (angular, linear of its origin); 6 bodies + s for speed s.
#pragma once

#include <algorithm>
#include <vector>

#include "laid_muscle.hpp"

namespace opensim_inertia {

// y += a x
inline void add_scaled(double* __restrict y, double a, const double* __restrict x, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) y[i] += a * x[i];
}

// Jacobians of a muscle's nodes with respect to its carriers.
class NodeJacobians {
  public:
    std::vector<int> bodies, speeds;    // the carriers, increasing
    std::vector<int> ids;               // of the carrier in each column
    std::size_t width = 0;              // of a row: the columns, padded with zeros to a multiple of four

    void find(const State<double>& s, const LaidMuscle<double>& m) {
        list(m);
        ids.clear();
        for (int b : bodies)
            for (int i = 0; i < 6; ++i) ids.push_back(6 * b + i);
        for (int c : speeds) ids.push_back(6 * s.bodies + c);
        width = (ids.size() + 3) / 4 * 4;
        rows_.assign(3 * m.nodes.size() * width, 0.0);
        for (std::size_t i = 0; i < m.nodes.size(); ++i)
            if (!m.nodes[i].is_bridge) add(s, m.nodes[i], i);
        for (const Chain<double>& chain : m.chains) add_bridges(chain);
    }

    // Adds weight times the Jacobian of the point that body b carries at `arm` from its origin, component c; without
    // its translation, that of the vector `arm`.
    void add_carried(double* row, int c, int body, const Vec3d& arm, double weight, bool translates = true) const {
        double* x = row + 6 * place(bodies, body);
        const int i = (c + 1) % 3, j = (c + 2) % 3;    // (omega x r)_c = omega_i r_j - omega_j r_i
        x[i] += weight * arm[j];
        x[j] -= weight * arm[i];
        if (translates) x[3 + c] += weight;
    }

    // Row c (x, y or z) of node i's Jacobian, (width).
    double* row(std::size_t i, int c) { return rows_.data() + (3 * i + static_cast<std::size_t>(c)) * width; }
    const double* row(std::size_t i, int c) const {
        return rows_.data() + (3 * i + static_cast<std::size_t>(c)) * width;
    }

  private:
    std::vector<double> rows_;

    static void insert(std::vector<int>& sorted, int x) {
        const auto at = std::lower_bound(sorted.begin(), sorted.end(), x);
        if (at == sorted.end() || *at != x) sorted.insert(at, x);
    }

    // A bridge moves with what its neighbours' tangent points do, see bridge.hpp.
    void add_bridges(const Chain<double>& chain) {
        const Bridges<double>& b = chain.bridges;
        const std::size_t n = b.y.size(), first = static_cast<std::size_t>(chain.first_bridge);
        Matrix known = Matrix::Zero(3 * static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(width));
        Matrix carried(3, static_cast<Eigen::Index>(width));
        const auto rows = [&](std::size_t node) {
            return Eigen::Map<const Matrix>(row(node, 0), 3, static_cast<Eigen::Index>(width));
        };
        const auto carry = [&](const SurfaceFrame<double>& frame, const Vec3d& x) {
            carried.setZero();
            for (int c = 0; c < 3; ++c) add_carried(carried.row(c).data(), c, frame.body, frame.arm(x), 1.0);
        };
        for (std::size_t j = 0; j < n; ++j)
            for (std::size_t side = 0; side < 2; ++side) {    // exit of surface j, entry of surface j + 1
                const Passage<double>& passage = b.passages[j + side];
                const SurfaceFrame<double>& frame = b.frames[j + side];
                auto out = known.middleRows(3 * static_cast<Eigen::Index>(j), 3);
                carry(frame, side ? passage.entry : passage.exit);
                out += 0.5 * carried;
                for (std::size_t end = 0; end < 2; ++end) {
                    const std::size_t node = first + j + side + end - 1;
                    const Mat3d half = 0.5 * (side ? (end ? passage.entry_q : passage.entry_p)
                                                   : (end ? passage.exit_q : passage.exit_p));
                    carry(frame, chain.place(node));
                    out -= half * carried;
                    if (!chain.is_bridge(node)) out += half * rows(node);
                }
            }
        const Matrix J = b.inverse * known;
        std::copy(J.data(), J.data() + J.size(), row(first, 0));
    }

    void list(const LaidMuscle<double>& m) {
        bodies.clear();
        speeds.clear();
        for (const Node<double>& node : m.nodes) {
            insert(bodies, node.body);
            for (int speed : node.slide_speed)
                if (speed >= 0) insert(speeds, speed);
            if (node.free)
                for (Eigen::Index c = 0; c < node.free->dstation.cols(); ++c)
                    if (node.free->dstation.col(c).any()) insert(speeds, static_cast<int>(c));
        }
        for (const Span<double>& span : m.spans) insert(bodies, span.frame.body);
    }

    static std::size_t place(const std::vector<int>& sorted, int x) {
        return static_cast<std::size_t>(std::lower_bound(sorted.begin(), sorted.end(), x) - sorted.begin());
    }

    void add(const State<double>& s, const Node<double>& node, std::size_t i) {
        const std::size_t at = 6 * place(bodies, node.body), slides = 6 * bodies.size();
        double *x = row(i, 0) + at, *y = row(i, 1) + at, *z = row(i, 2) + at;
        const Vec3d& r = node.arm;    // velocity = v + omega x r
        x[1] = r[2], x[2] = -r[1], x[3] = 1;
        y[0] = -r[2], y[2] = r[0], y[4] = 1;
        z[0] = r[1], z[1] = -r[0], z[5] = 1;
        for (std::size_t k = 0; k < 3; ++k)
            if (node.slide_speed[k] >= 0)
                for (int c = 0; c < 3; ++c) row(i, c)[slides + place(speeds, node.slide_speed[k])] += node.slide[k][c];
        if (node.free) {
            const Matrix slide = s.R(node.body) * node.free->dstation;
            for (std::size_t k = 0; k < speeds.size(); ++k)
                for (int c = 0; c < 3; ++c) row(i, c)[slides + k] += slide(c, speeds[k]);
        }
    }
};

// Sums over muscles in the carriers' coordinates, projected to the speeds once per state.
class CarrierSum {
  public:
    Vector bias, gravity;    // (6 bodies + speeds)

    CarrierSum(int bodies, int speeds)
        : bias(6 * bodies + speeds),
          gravity(6 * bodies + speeds),
          nb_(bodies),
          nu_(speeds),
          inertia_(6 * bodies + speeds, 6 * bodies + speeds) {
        inertia_.setZero();
    }

    void clear() {
        bias.setZero();
        gravity.setZero();
        for (int i : used_)
            for (int j : used_) inertia_(i, j) = 0;
        used_.clear();
        is_used_.assign(static_cast<std::size_t>(6 * nb_ + nu_), false);
    }

    // terms: inertia (width, width), upper triangle; bias and gravity (width)
    template <class Terms>
    void add(const NodeJacobians& J, const Terms& terms) {
        const std::vector<int>& ids = J.ids;
        for (int id : ids)
            if (!is_used_[static_cast<std::size_t>(id)]) {
                is_used_[static_cast<std::size_t>(id)] = true;
                used_.push_back(id);
            }
        for (std::size_t a = 0; a < ids.size(); ++a) {
            bias[ids[a]] += terms.bias[a];
            gravity[ids[a]] += terms.gravity[a];
            double* row = inertia_.data() + static_cast<std::ptrdiff_t>(ids[a]) * inertia_.cols();
            const double* from = terms.inertia.data() + a * J.width;
            for (std::size_t b = a; b < ids.size(); ++b) row[ids[b]] += from[b];
        }
    }

    // dM = M^T inertia M, h = M^T bias, g_m = M^T gravity with M = [J; 1]
    void project(const State<double>& s, Matrix& dM, Vector& h, Vector& g) {
        const RowMap J(s.jacobian, 6 * nb_, nu_);
        h.noalias() = J.transpose() * bias.head(6 * nb_) + bias.tail(nu_);
        g.noalias() = J.transpose() * gravity.head(6 * nb_) + gravity.tail(nu_);
        std::sort(used_.begin(), used_.end());
        find_columns(s);
        half_.setZero(nu_, nu_);
        row_.resize(nu_);
        for (std::size_t a = 0; a < used_.size(); ++a) {
            const int i = used_[a];
            const double* G = inertia_.data() + static_cast<std::ptrdiff_t>(i) * inertia_.cols();
            row_.setZero();    // row i of (inertia M), the diagonal in half
            for (std::size_t b = a; b < used_.size(); ++b) {
                const int j = used_[b];
                const double weight = a == b ? 0.5 * G[j] : G[j];
                if (weight != 0) add_row(s, j, weight);
            }
            if (i >= 6 * nb_) {
                half_.row(i - 6 * nb_) += row_.transpose();
                continue;
            }
            const double* Ji = s.jacobian + static_cast<std::ptrdiff_t>(i) * nu_;
            for (int c : columns_[static_cast<std::size_t>(i / 6)])
                if (Ji[c] != 0) half_.row(c) += Ji[c] * row_.transpose();
        }
        dM = half_ + half_.transpose();
    }

  private:
    int nb_, nu_;
    Matrix inertia_, half_;
    Vector row_;
    std::vector<int> used_;
    std::vector<char> is_used_;
    std::vector<std::vector<int>> columns_;    // speeds that move each used body

    void find_columns(const State<double>& s) {
        columns_.resize(static_cast<std::size_t>(nb_));
        for (int i : used_) {
            if (i >= 6 * nb_ || i % 6) continue;
            auto& columns = columns_[static_cast<std::size_t>(i / 6)];
            columns.clear();
            for (int c = 0; c < nu_; ++c)
                for (int r = 0; r < 6; ++r)
                    if (s.jacobian[(i + r) * nu_ + c] != 0) {
                        columns.push_back(c);
                        break;
                    }
        }
    }

    // row_ += weight M_j
    void add_row(const State<double>& s, int j, double weight) {
        if (j >= 6 * nb_) {
            row_[j - 6 * nb_] += weight;
            return;
        }
        const double* Jj = s.jacobian + static_cast<std::ptrdiff_t>(j) * nu_;
        for (int c : columns_[static_cast<std::size_t>(j / 6)]) row_[c] += weight * Jj[c];
    }
};

}    // namespace opensim_inertia
