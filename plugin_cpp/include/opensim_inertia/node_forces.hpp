// A laid muscle's forces on its nodes, without its inertia: what inverse dynamics needs, from accelerations that hold
// udot.
#pragma once

#include "element_gradients.hpp"

namespace opensim_inertia {

// What a span exerts on its surface's body, about that body's origin.
struct Wrench {
    int body;
    Vec3d moment, force;
};

// force = sum m D^T (a - g) - corners, with D = dx/d(nodes)
class NodeForces {
  public:
    std::vector<double> force;    // (3 nodes)
    std::vector<Wrench> wrenches;

    void sum(const LaidMuscle& m, const Vec3d& g) {
        n_ = 3 * m.nodes.size();
        force.assign(n_, 0.0);
        wrenches.clear();
        gradients_.find(m);
        const BellySlopes slopes = belly_slopes(m);
        along_L_ = 0;
        along_S_.assign(m.elements.size(), 0.0);
        for_each_element(m.samples, [&](std::size_t k, std::size_t from, std::size_t to) {
            if (m.elements[k].span >= 0)
                with_formula(*m.spans[static_cast<std::size_t>(m.elements[k].span)].surface,
                             [&]<class Formula>() { add_span<Formula>(m, k, from, to, g, slopes); });
            else
                with_nodes(m.elements[k], [&]<int Nodes>() { add_element<Nodes>(m, k, from, to, g, slopes); });
        });
        // S of an element is the sum of the lengths before it, L of all: what pulls on them pulls on those elements'
        // lengths
        double pull = along_L_;
        for (std::size_t k = m.elements.size(); k-- > 0;) {
            if (m.elements[k].span >= 0 && pull != 0)
                push_ends(m, k, pull * gradients_.length(m, m.elements[k].span));
            else
                add_length_force(m, m.elements[k], pull);
            pull += along_S_[k];
        }
        for (const CornerForce& corner : m.corners)
            for (int c = 0; c < 3; ++c) force[static_cast<std::size_t>(3 * corner.node + c)] -= corner.force[c];
        for (const Chain& chain : m.chains) hand_on(chain);
    }

  private:
    std::size_t n_ = 0;
    SpanGradients gradients_;
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

    Eigen::Map<Vec3d> on(std::size_t node) { return Eigen::Map<Vec3d>(force.data() + 3 * node); }

    void push(const SurfaceFrame& frame, const Vec3d& place, const Vec3d& f) {
        wrenches.push_back({frame.body, frame.arm(place).cross(f), f});
    }

    // Forces on a span's ends as its surface sees them; what moves with the surface does no work.
    void push_ends(const LaidMuscle& m, std::size_t k, const Eigen::Array<double, 6, 1>& f) {
        const Span& span = m.spans[static_cast<std::size_t>(m.elements[k].span)];
        for (int end = 0; end < 2; ++end) {
            const auto node = static_cast<std::size_t>(m.elements[k].first + end);
            const Vec3d on_end = span.frame.R * f.segment<3>(3 * end).matrix();
            on(node) += on_end;
            push(span.frame, value(m.x[node]), -on_end);
        }
    }

    // Forces on bridges, to what their places follow from: the transpose of NodeJacobians::add_bridges.
    void hand_on(const Chain& chain) {
        const Bridges& b = chain.bridges;
        const auto first = static_cast<std::size_t>(chain.first_bridge);
        const auto n = static_cast<Eigen::Index>(b.y.size());
        Eigen::Map<Vector> on_bridges(force.data() + 3 * first, 3 * n);
        const Vector handed = b.inverse.transpose() * on_bridges;
        on_bridges.setZero();
        for (std::size_t j = 0; j < b.y.size(); ++j)
            for (std::size_t side = 0; side < 2; ++side) {
                const Passage& passage = b.passages[j + side];
                const Vec3d half = 0.5 * handed.segment<3>(3 * static_cast<Eigen::Index>(j));
                push(passage.frame, side ? passage.entry : passage.exit, half);
                for (std::size_t end = 0; end < 2; ++end) {
                    const std::size_t node = first + j + side + end - 1;
                    const Mat3d& D =
                        side ? (end ? passage.entry_q : passage.entry_p) : (end ? passage.exit_q : passage.exit_p);
                    const Vec3d f = D.transpose() * half;
                    push(passage.frame, chain.place(node), -f);
                    if (!chain.is_bridge(node)) on(node) += f;
                }
            }
    }

    template <class Formula>
    void add_span(const LaidMuscle& m, std::size_t k, std::size_t from, std::size_t to, const Vec3d& g,
                  const BellySlopes& slopes) {
        using Local = SegmentGradients<Formula>;
        const Local& gradients = gradients_.at<Formula>(m.elements[k].span);
        const Span& span = m.spans[static_cast<std::size_t>(m.elements[k].span)];
        Eigen::Array<double, Local::kSize, 1> f = Eigen::Array<double, Local::kSize, 1>::Zero();
        Wrench carried{span.frame.body, Vec3d::Zero(), Vec3d::Zero()};
        for (std::size_t s = from; s < to; ++s) {
            const Sample& sample = m.samples[s];
            const auto D = gradients(sample.piece, sample.is_spread, sample.beta);
            Vec3d ma = sample.weight * acceleration(sample.x);
            Vec3d arm = value(sample.x);
            if (!sample.is_spread) {
                ma -= sample.weight * g;
                arm = span.frame.arm(arm);
                carried.force += ma;
            }
            carried.moment += arm.cross(ma);
            const Vec3d local = span.frame.R.transpose() * ma;
            for (int c = 0; c < 3; ++c) f += local[c] * D[c].g;
        }
        wrenches.push_back(carried);
        push_ends(m, k, f.template head<6>());
        along_S_[k] -= f[Local::kOffset];
        along_L_ += slopes.A * f[Local::kOffset] + slopes.B * f[Local::kBelly];
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
