// Forces of a laid muscle on what carries it, from loads of its samples.
//
// A load on a sample acts on the nodes by D^T, with D = dx/d(nodes). This is the one place that knows it, but for
// paths that are straight from point to point: inverse dynamics, inertia (loads that unit motions take) and Jacobians
// (unit loads) come from here. V: a Real, or four numbers of as many loads.
#pragma once

#include "opensim_inertia/dynamics/node_motions.hpp"

namespace opensim_inertia {

template <class Real, class V = Real>
class NodeForces {
  public:
    using Force = Three<V>;

    // On bodies, about their origins, and on coordinates.
    struct Wrench {
        int body;
        Force moment, force;
    };
    struct OnSpeed {
        int speed;
        V pull;
    };
    std::vector<Wrench> wrenches;
    std::vector<OnSpeed> on_speeds;

    OPENSIM_INERTIA_INLINED void clear() {
        wrenches.clear();
        on_speeds.clear();
    }

    // A path whose spans' gradients have begun; references are kept until `finish`.
    OPENSIM_INERTIA_INLINED void begin(const LaidMuscle<Real>& m, AllSpanGradients<Real>& gradients) {
        m_ = &m;
        gradients_ = &gradients;
        spans_.resize(m.spans.size());
        for (OfSpan& span : spans_) span = OfSpan{};
        forces_.assign(m.nodes.size(), Force::zero());
        along_L_ = V(0.0);
        along_S_.assign(m.elements.size(), along_L_);
    }

    // What acts on a sample, in its place's axes.
    template <class T>
    OPENSIM_INERTIA_INLINED void load(const OnElement<Real, T>& at, const Force& f) {
        if (!at.sample.is_spread) on(at.element.first) += f;
        for (int i = 0; i < at.others(); ++i) load_relative(at.element, i, by(at.gradients, i, f));
        slide(at, by(at.gradients, at.kAlong, f));
    }
    template <class T>
    OPENSIM_INERTIA_INLINED void load(const OnSpan<Real, T>& at, const Force& f) {
        BothEnds<V>& ends = load_body(at, f).ends;
        for (int i = 0; i < 6; ++i) ends[static_cast<std::size_t>(i / 3)][i % 3] += by(at.gradients, i, f);
        slide(at, by(at.gradients, at.kAlong, f));
    }
    OPENSIM_INERTIA_INLINED void load(const OnString<Real>& at, const Force& f) {
        slide(at, at.string.add(load_body(at, f).string, at.motion, f));
    }

    // What pulls along the whole path.
    OPENSIM_INERTIA_INLINED void pull(const V& along) { along_L_ += along; }

    // The forces that turn mass at corners, times a factor.
    OPENSIM_INERTIA_INLINED void turn(const V& factor) {
        for (const CornerForce<Real>& corner : m_->corners)
            for (int c = 0; c < 3; ++c) on(corner.node)[c] += corner.force[c] * factor;
    }

    // Forces on a span's ends as its surface sees them; what moves with the surface does no work.
    OPENSIM_INERTIA_INLINED void load_ends(const Element& element, const BothEnds<V>& f) {
        const Span<Real>& span = m_->spans[static_cast<std::size_t>(element.span)];
        for (int end = 0; end < 2; ++end) {
            const int node = element.first + end;
            const Force on_end = turned(span.frame.R, f[static_cast<std::size_t>(end)]);
            on(node) += on_end;
            act(span.frame, real(m_->x[static_cast<std::size_t>(node)]), -1.0 * on_end);
        }
    }

    // Adds what all of these come to.
    OPENSIM_INERTIA_INLINED void finish() {
        for (const Element& element : m_->elements)
            if (element.span >= 0) hand_on_loads(element);
        hand_on_pulls();
        for (const Chain<Real>& chain : m_->chains) hand_on_bridges(chain);
        for (std::size_t i = 0; i < m_->nodes.size(); ++i) {
            const Node<Real>& node = m_->nodes[i];
            if (node.is_bridge) continue;
            act(node.body, cross(three(node.arm), forces_[i]), forces_[i]);
            for (const Slide<Real>& slide : node.slides)
                on_speeds.push_back({slide.speed, dot(three(slide.direction), forces_[i])});
        }
    }

    OPENSIM_INERTIA_INLINED void act(int body, const Force& moment, const Force& force) {
        for (Wrench& w : wrenches)
            if (w.body == body) {
                w.moment += moment;
                w.force += force;
                return;
            }
        wrenches.push_back({body, moment, force});
    }

  private:
    // Sums of loads on a span.
    struct OfSpan {
        Force moment = Force::zero(), force = Force::zero();    // on the surface's body, in the span's axes
        BothEnds<V> ends{Force::zero(), Force::zero()};
        typename UnrolledString<Real>::template Components<V> string;
    };

    const LaidMuscle<Real>* m_ = nullptr;
    AllSpanGradients<Real>* gradients_ = nullptr;
    std::vector<OfSpan> spans_;
    std::vector<Force> forces_, on_bridges_;    // (nodes)
    V along_L_;
    std::vector<V> along_S_;

    // S of an element is the sum of the lengths before it, L of all: what pulls on them pulls on those elements'
    // lengths
    OPENSIM_INERTIA_INLINED void hand_on_pulls() {
        V pull = along_L_;
        for (std::size_t k = m_->elements.size(); k-- > 0;) {
            const Element& element = m_->elements[k];
            if (acts(pull) && element.span >= 0) {
                const auto by = gradients_->length(*m_, element.span);
                load_ends(element,
                          {{{by[0] * pull, by[1] * pull, by[2] * pull}, {by[3] * pull, by[4] * pull, by[5] * pull}}});
            } else if (acts(pull)) {
                length_gradient(*m_, element, [&](int i, const Real& by) OPENSIM_INERTIA_INLINED_LAMBDA {
                    load_relative(element, i, by * pull);
                });
            }
            pull += along_S_[k];
        }
    }

    // A force that is zero acts if its derivatives are not.
    OPENSIM_INERTIA_INLINED static bool acts(const V& pull) {
        if constexpr (std::is_same_v<V, Real>) return !(pull == Real(0.0));
        return true;
    }

    OPENSIM_INERTIA_INLINED void load_relative(const Element& element, int i, const V& f) {
        on(element.first + 1 + i / 3)[i % 3] += f;
        on(element.first)[i % 3] -= f;
    }

    OPENSIM_INERTIA_INLINED Force& on(int node) { return forces_[static_cast<std::size_t>(node)]; }

    OPENSIM_INERTIA_INLINED void act(const SurfaceFrame<Real>& frame, const Vec<Real>& place, const Force& f) {
        act(frame.body, cross(three(frame.arm(place)), f), f);
    }

    // Forces on bridges, to what their places follow from, as NodeMotions moves them.
    OPENSIM_INERTIA_INLINED void hand_on_bridges(const Chain<Real>& chain) {
        const Bridges<Real>& b = chain.bridges;
        const auto first = static_cast<std::size_t>(chain.first_bridge);
        on_bridges_.assign(b.y.size(), Force::zero());
        for (std::size_t j = 0; j < b.y.size(); ++j)
            for (std::size_t k = 0; k < b.y.size(); ++k)
                on_bridges_[j] += turned(b.between(k, j).transpose(), forces_[first + k]);
        b.each_tangent_point([&](std::size_t j, std::size_t at, const auto& frame, const auto& tangent, const auto& D)
                                 OPENSIM_INERTIA_INLINED_LAMBDA {
                                     const Force half = 0.5 * on_bridges_[j];
                                     act(frame, tangent, half);
                                     for (std::size_t end = 0; end < 2; ++end) {
                                         const std::size_t node = first + at + end - 1;
                                         const Force f = turned(D[end].transpose(), half);
                                         act(frame, chain.place(node), -1.0 * f);
                                         if (!chain.is_bridge(node)) forces_[node] += f;
                                     }
                                 });
    }

    template <class Place>
    OPENSIM_INERTIA_INLINED OfSpan& load_body(const Place& at, const Force& f) {
        OfSpan& span = spans_[at.span];
        span.moment += cross(three(at.place()), f);
        if (!at.sample.is_spread) span.force += f;
        return span;
    }

    OPENSIM_INERTIA_INLINED void hand_on_loads(const Element& element) {
        const OfSpan& loads = spans_[static_cast<std::size_t>(element.span)];
        const Span<Real>& span = m_->spans[static_cast<std::size_t>(element.span)];
        const SpanAxes<Real> axes = gradients_->axes(*m_, element.span);
        const Force force = turned(axes.from_ground.transpose(), loads.force);
        act(span.frame.body,
            turned(axes.from_ground.transpose(), loads.moment) + cross(three(span.frame.arm(axes.origin)), force),
            force);
        if (UnrolledString<Real>::is_one(span))
            load_ends(element, gradients_->string(*m_, element.span).on_ends(loads.string));
        else
            load_ends(element, loads.ends);
    }

    // D^T f, for its variable i.
    template <class T>
    OPENSIM_INERTIA_INLINED static V by(const Vec3<T>& D, int i, const Force& f) {
        return D[0].g[i] * f.x + D[1].g[i] * f.y + D[2].g[i] * f.z;
    }

    // A sample is pulled along the path.
    template <class Place>
    OPENSIM_INERTIA_INLINED void slide(const Place& at, const V& pull) {
        along_L_ += at.by_length * pull;
        if (!at.sample.is_spread) along_S_[at.sample.element] -= pull;
    }
};

}    // namespace opensim_inertia
