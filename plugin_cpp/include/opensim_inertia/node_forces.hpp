// A laid muscle's forces on its nodes, without its inertia: what inverse dynamics needs, from accelerations that hold
// udot.
#pragma once

#include "element_gradients.hpp"

namespace opensim_inertia {

// force = sum m D^T (a - g) - corners, with D = dx/d(nodes)
class NodeForces {
  public:
    std::vector<double> force;    // (3 nodes)

    void sum(const LaidMuscle& m, const Vec3d& g) {
        n_ = 3 * m.nodes.size();
        force.assign(n_, 0.0);
        const BellySlopes slopes = belly_slopes(m);
        along_L_ = 0;
        along_S_.assign(m.elements.size(), 0.0);
        for_each_element(m.samples, [&](std::size_t k, std::size_t from, std::size_t to) {
            with_nodes(m.elements[k], [&]<int Nodes>() { add_element<Nodes>(m, k, from, to, g, slopes); });
        });
        // S of an element is the sum of the lengths before it, L of all: what pulls on them pulls on those elements'
        // lengths
        double pull = along_L_;
        for (std::size_t k = m.elements.size(); k-- > 0;) {
            add_length_force(m, m.elements[k], pull);
            pull += along_S_[k];
        }
        for (const CornerForce& corner : m.corners)
            for (int c = 0; c < 3; ++c) force[static_cast<std::size_t>(3 * corner.node + c)] -= corner.force[c];
    }

  private:
    std::size_t n_ = 0;
    double along_L_ = 0;
    std::vector<double> along_S_;

    void add_relative(const Element& element, int i, double f) {
        double* first = force.data() + 3 * element.first;
        first[3 + i] += f;
        first[i % 3] -= f;
    }

    void add_length_force(const LaidMuscle& m, const Element& element, double pull) {
        if (pull != 0)
            length_gradient(m, element, [&](int i, double slope) { add_relative(element, i, pull * slope); });
    }

    template <int Nodes>
    void add_element(const LaidMuscle& m, std::size_t k, std::size_t from, std::size_t to, const Vec3d& g,
                     const BellySlopes& slopes) {
        using Local = ElementGradients<Nodes>;
        const Local gradients(m, k);
        Eigen::Array<double, Local::kSize, 1> f = Eigen::Array<double, Local::kSize, 1>::Zero();
        Vec3d whole = Vec3d::Zero();
        for (std::size_t s = from; s < to; ++s) {
            const Sample& sample = m.samples[s];
            const auto D = gradients(sample);
            Vec3d ma = sample.weight * acceleration(sample.x);
            if (!sample.is_spread) {
                ma -= sample.weight * g;
                whole += ma;
            }
            for (int c = 0; c < 3; ++c) f += ma[c] * D[c].g;
        }
        const Element& element = m.elements[k];
        for (int c = 0; c < 3; ++c) force[static_cast<std::size_t>(3 * element.first + c)] += whole[c];
        for (int i = 0; i < 3 * (element.nodes() - 1); ++i) add_relative(element, i, f[i]);
        along_S_[k] -= f[Local::kOffset];
        along_L_ += slopes.A * f[Local::kOffset] + slopes.B * f[Local::kBelly];
    }
};

}    // namespace opensim_inertia
