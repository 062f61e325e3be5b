// Carriers of a muscle's nodes: the twists of the two to four bodies that its path touches, and the speeds of nodes
// that slide in their bodies. (Wang et al. 2022, eq. 2: J_(alpha r) = J_(alpha m) J_(m r); carriers are the m.)
//
// Carrier ids: 6 b + i for component i of body b's twist (angular, linear of its origin); 6 bodies + s for speed s.
#pragma once

#include <algorithm>
#include <vector>

#include "opensim_inertia/muscle/laid_muscle.hpp"

namespace opensim_inertia {

struct CarrierColumns {
    std::vector<int> bodies, speeds;    // increasing
    std::vector<int> ids;               // of the carrier in each column
    std::size_t width = 0;              // of a row: the columns, padded with zeros to a multiple of four

    // The first of a body's six columns.
    std::size_t column(int body) const {
        return 6 * static_cast<std::size_t>(std::lower_bound(bodies.begin(), bodies.end(), body) - bodies.begin());
    }
    bool have(int body) const { return std::binary_search(bodies.begin(), bodies.end(), body); }

    // From the bodies and speeds, of a state with so many bodies.
    void number(int all_bodies) {
        ids.clear();
        for (int b : bodies)
            for (int i = 0; i < 6; ++i) ids.push_back(6 * b + i);
        for (int c : speeds) ids.push_back(6 * all_bodies + c);
        width = (ids.size() + 3) / 4 * 4;
    }
};

// Jacobians of a muscle's nodes with respect to its carriers.
class NodeJacobians : public CarrierColumns {
  public:
    // `beside`: a body that is to be among the carriers whether or not it carries a node; none: -1.
    void find(const State<double>& s, const LaidMuscle<double>& m, int beside = -1) {
        list(m);
        if (beside >= 0) insert(bodies, beside);
        number(s.bodies);
        rows_.assign(3 * m.nodes.size() * width, 0.0);
        for (std::size_t i = 0; i < m.nodes.size(); ++i)
            if (!m.nodes[i].is_bridge) add(m.nodes[i], i);
        for (const Chain<double>& chain : m.chains) add_bridges(chain);
    }

    // Adds weight times the Jacobian of the point that body b carries at `arm` from its origin, component c; without
    // its translation, that of the vector `arm`.
    void add_carried(double* row, int c, int body, const Vec3d& arm, double weight, bool translates = true) const {
        double* x = row + column(body);
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

    // A bridge moves with what its neighbours' tangent points do, see wrap/bridge.hpp.
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
            for (const Slide<double>& slide : node.slides) insert(speeds, slide.speed);
        }
        for (const Span<double>& span : m.spans) insert(bodies, span.frame.body);
    }

    static std::size_t place(const std::vector<int>& sorted, int x) {
        return static_cast<std::size_t>(std::lower_bound(sorted.begin(), sorted.end(), x) - sorted.begin());
    }

    void add(const Node<double>& node, std::size_t i) {
        const std::size_t at = 6 * place(bodies, node.body), slides = 6 * bodies.size();
        double *x = row(i, 0) + at, *y = row(i, 1) + at, *z = row(i, 2) + at;
        const Vec3d& r = node.arm;    // velocity = v + omega x r
        x[1] = r[2], x[2] = -r[1], x[3] = 1;
        y[0] = -r[2], y[2] = r[0], y[4] = 1;
        z[0] = r[1], z[1] = -r[0], z[5] = 1;
        for (const Slide<double>& slide : node.slides) {
            const std::size_t column = slides + place(speeds, slide.speed);
            for (int c = 0; c < 3; ++c) row(i, c)[column] += slide.direction[c];
        }
    }
};

}    // namespace opensim_inertia
