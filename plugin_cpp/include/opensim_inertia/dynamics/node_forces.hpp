// Forces of a laid muscle on its nodes for inverse dynamics, from accelerations that contain udot; no inertia is
// computed.
#pragma once

#include "opensim_inertia/dynamics/element_gradients.hpp"

namespace opensim_inertia {

// What a span exerts on its surface's body, about that body's origin.
template <class Real>
struct Wrench {
    int body;
    Vec<Real> moment, force;
};

// force = sum m D^T (a - g) - corners, with D = dx/d(nodes)
template <class Real>
class NodeForces {
  public:
    std::vector<Real> force;    // (3 nodes)
    std::vector<Wrench<Real>> wrenches;
    double stretch = 0;    // largest of the spans, see SpanTerms; of firm strings over cylinders 0

    void sum(const LaidMuscle<Real>& m, const Vec3d& g) {
        gradients_.start(m);
        sum_again(m, g);
    }

    // The same path lying as it did at the last sum, the mass otherwise.
    void sum_again(const LaidMuscle<Real>& m, const Vec3d& g) {
        force.assign(3 * m.nodes.size(), Real(0.0));
        wrenches.clear();
        const MapDerivatives<Real> derivatives = map_derivatives(m);
        along_L_ = 0.0;
        stretch = 0;
        along_S_.assign(m.elements.size(), Real(0.0));
        for_each_element(m.samples, [&](std::size_t k, std::size_t from, std::size_t to) {
            if (m.elements[k].span >= 0)
                with_formula(*m.spans[static_cast<std::size_t>(m.elements[k].span)].surface,
                             [&]<class Formula>() { add_span<Formula>(m, k, from, to, g, derivatives); });
            else
                with_nodes<Real>(m.elements[k],
                                 [&]<int Nodes>() { add_element<Nodes>(m, k, from, to, g, derivatives); });
        });
        // what slips past other material at its place only pulls along the path
        along_L_ += m.slip_weight * derivatives.apart(m.slip) * m.slip_distance.dd;
        add_pulls(m);
        for (const CornerForce<Real>& corner : m.corners) on(static_cast<std::size_t>(corner.node)) -= corner.force;
        for (const Chain<Real>& chain : m.chains) add_bridge_forces(chain);
    }

    // The same of a muscle whose mass is divided. `whole`: it laid along the first way everywhere
    void sum(const LaidMuscle<Real>& whole, const DividedMuscle<Real>& divided, const Vec3d& g) {
        std::vector<Real> total(3 * whole.nodes.size(), Real(0.0));
        std::vector<Wrench<Real>> all;
        // of path points; bridges have handed on theirs
        const auto each_point = [](const LaidMuscle<Real>& m, const auto& f) {
            for (std::size_t i = 0, point = 0; i < m.nodes.size(); ++i)
                if (!m.nodes[i].is_bridge)
                    for (std::size_t c = 0; c < 3; ++c) f(3 * i + c, point++);
        };
        for (const LaidMuscle<Real>& part : divided.parts) {
            sum(part, g);
            each_point(part, [&](std::size_t i, std::size_t point) { total[point] += force[i]; });
            all.insert(all.end(), wrenches.begin(), wrenches.end());
        }
        gradients_.start(whole);
        force.assign(3 * whole.nodes.size(), Real(0.0));
        each_point(whole, [&](std::size_t i, std::size_t point) { force[i] = total[point]; });
        wrenches = std::move(all);
        stretch = 0;
        for (const auto& at : divided.ends) {
            Eigen::Array<Real, 6, 1> f = at.kinetic * Real(-1.0);
            for (int e = 0; e < 6; ++e)
                for (int c = 0; c < 3; ++c) f[e] -= at.moment(e, c) * g[c];
            add_end_forces(whole, at.element, f);
        }
        for (const Chain<Real>& chain : whole.chains) add_bridge_forces(chain);
    }

    AllSpanGradients<Real>& gradients() { return gradients_; }

  private:
    AllSpanGradients<Real> gradients_;
    Real along_L_;
    std::vector<Real> along_S_;

    // S of an element is the sum of the lengths before it, L of all: what pulls on them pulls on those elements'
    // lengths
    void add_pulls(const LaidMuscle<Real>& m) {
        Real pull = along_L_;
        for (std::size_t k = m.elements.size(); k-- > 0;) {
            if (m.elements[k].span >= 0 && acts(pull))
                add_end_forces(m, k, pull * gradients_.length(m, m.elements[k].span));
            else
                add_length_force(m, m.elements[k], pull);
            pull += along_S_[k];
        }
    }

    // A force that is zero acts if its derivatives are not.
    static bool acts(const Real& pull) { return !(pull == Real(0.0)); }

    void add_relative(const Element& element, int i, const Real& f) {
        Real* first = force.data() + 3 * element.first;
        first[3 + i] += f;
        first[i % 3] -= f;
    }

    void add_length_force(const LaidMuscle<Real>& m, const Element& element, const Real& pull) {
        if (acts(pull))
            length_gradient(m, element,
                            [&](int i, const Real& derivative) { add_relative(element, i, pull * derivative); });
    }

    Eigen::Map<Vec<Real>> on(std::size_t node) { return Eigen::Map<Vec<Real>>(force.data() + 3 * node); }

    void add_wrench(const SurfaceFrame<Real>& frame, const Vec<Real>& place, const Vec<Real>& f) {
        wrenches.push_back({frame.body, frame.arm(place).cross(f), f});
    }

    // Forces on a span's ends as its surface sees them; what moves with the surface does no work.
    void add_end_forces(const LaidMuscle<Real>& m, std::size_t k, const Eigen::Array<Real, 6, 1>& f) {
        const Span<Real>& span = m.spans[static_cast<std::size_t>(m.elements[k].span)];
        for (int end = 0; end < 2; ++end) {
            const auto node = static_cast<std::size_t>(m.elements[k].first + end);
            const Vec<Real> on_end = span.frame.R * f.template segment<3>(3 * end).matrix();
            on(node) += on_end;
            add_wrench(span.frame, real(m.x[node]), -on_end);
        }
    }

    // Forces on bridges, to what their places follow from: the transpose of NodeJacobians::add_bridges.
    void add_bridge_forces(const Chain<Real>& chain) {
        const Bridges<Real>& b = chain.bridges;
        const auto first = static_cast<std::size_t>(chain.first_bridge);
        const auto n = static_cast<Eigen::Index>(b.y.size());
        Eigen::Map<VectorOf<Real>> on_bridges(force.data() + 3 * first, 3 * n);
        const VectorOf<Real> adjoint = b.inverse.transpose() * on_bridges;
        on_bridges.setZero();
        for (std::size_t j = 0; j < b.y.size(); ++j)
            for (std::size_t side = 0; side < 2; ++side) {
                const Passage<Real>& passage = b.passages[j + side];
                const SurfaceFrame<Real>& frame = b.frames[j + side];
                const Vec<Real> half = 0.5 * adjoint.template segment<3>(3 * static_cast<Eigen::Index>(j));
                add_wrench(frame, side ? passage.entry : passage.exit, half);
                for (std::size_t end = 0; end < 2; ++end) {
                    const std::size_t node = first + j + side + end - 1;
                    const Mat<Real>& D =
                        side ? (end ? passage.entry_q : passage.entry_p) : (end ? passage.exit_q : passage.exit_p);
                    const Vec<Real> f = D.transpose() * half;
                    add_wrench(frame, chain.place(node), -f);
                    if (!chain.is_bridge(node)) on(node) += f;
                }
            }
    }

    template <class Formula>
    void add_span(const LaidMuscle<Real>& m, std::size_t k, std::size_t from, std::size_t to, const Vec3d& g,
                  const MapDerivatives<Real>& derivatives) {
        const Span<Real>& span = m.spans[static_cast<std::size_t>(m.elements[k].span)];
        Wrench<Real> carried{span.frame.body, Vec<Real>::Zero(), Vec<Real>::Zero()};
        // Adds a sample's load, by inertia and gravity, to the body's. Returns the load, in ground.
        const auto carry = [&](const Sample<Real>& sample) -> Vec<Real> {
            Vec<Real> ma = sample.weight * acceleration(sample.x);
            Vec<Real> arm = real(sample.x);
            if (!sample.is_spread) {
                ma -= sample.weight * g;
                arm = span.frame.arm(arm);
                carried.force += ma;
            }
            carried.moment += arm.cross(ma);
            return ma;
        };
        if (UnrolledString<Real>::is_one(span)) {
            UnrolledString<Real>& string = gradients_.template make<UnrolledString<Real>>(m, m.elements[k].span);
            for (std::size_t i = from; i < to; ++i) {
                const Sample<Real>& sample = m.samples[i];
                slide(sample, k, string.add(sample, sample.along(m).v, carry(sample)), derivatives);
            }
            wrenches.push_back(carried);
            stretch = std::max(stretch, string.stretch());
            return add_end_forces(m, k, string.on_ends());
        }
        using Local = SpanGradients<Formula, Real>;
        Eigen::Array<Real, Local::kSize, 1> f = Eigen::Array<Real, Local::kSize, 1>::Zero();
        Eigen::Array<Real, 6, 1> moved = Eigen::Array<Real, 6, 1>::Zero();
        double mass = 0;
        gradients_.template at<Formula>(m, m.elements[k].span)
            .each(m, from, to, [&](const Sample<Real>& sample, const auto& place) {
                if (!sample.is_spread) mass += value(sample.weight);
                for (int c = 0; c < 3; ++c) moved += sample.weight * place[c].g.template head<6>().square();
                const Vec<Real> ma = span.frame.R.transpose() * carry(sample);
                add_sample<Local>(sample, k, place, ma, derivatives, f);
            });
        wrenches.push_back(carried);
        if (mass > 0) stretch = std::max(stretch, value(moved.sum()) / mass);
        add_end_forces(m, k, f.template head<6>());
    }

    template <int Nodes>
    void add_element(const LaidMuscle<Real>& m, std::size_t k, std::size_t from, std::size_t to, const Vec3d& g,
                     const MapDerivatives<Real>& derivatives) {
        using Local = ElementGradients<Nodes, Real>;
        const Local gradients(m, k);
        Eigen::Array<Real, Local::kSize, 1> f = Eigen::Array<Real, Local::kSize, 1>::Zero();
        Vec<Real> whole = Vec<Real>::Zero();
        for (std::size_t s = from; s < to; ++s) {
            const Sample<Real>& sample = m.samples[s];
            Vec<Real> ma = sample.weight * acceleration(sample.x);
            if (!sample.is_spread) {
                ma -= sample.weight * g;
                whole += ma;
            }
            add_sample<Local>(sample, k, gradients(sample), ma, derivatives, f);
        }
        const Element& element = m.elements[k];
        on(static_cast<std::size_t>(element.first)) += whole;
        for (int i = 0; i < 3 * (element.nodes() - 1); ++i) add_relative(element, i, f[i]);
    }

    // f += D^T ma, and what pulls along the path.
    template <class Local>
    void add_sample(const Sample<Real>& sample, std::size_t k, const Vec3<typename Local::T>& D, const Vec<Real>& ma,
                    const MapDerivatives<Real>& derivatives, Eigen::Array<Real, Local::kSize, 1>& f) {
        const Eigen::Array<Real, Local::kSize, 1> added = ma[0] * D[0].g + ma[1] * D[1].g + ma[2] * D[2].g;
        f += added;
        slide(sample, k, added[Local::kAlong], derivatives);
    }

    // A sample on element k is pulled along the path.
    void slide(const Sample<Real>& sample, std::size_t k, const Real& pull, const MapDerivatives<Real>& derivatives) {
        along_L_ += derivatives(sample) * pull;
        if (!sample.is_spread) along_S_[k] -= pull;
    }
};

}    // namespace opensim_inertia
