// How a laid muscle moves if what carries it does: its nodes, the ends of its spans, its elements' starts, and samples
// of its mass. V: a number, or four of as many motions.
#pragma once

#include <vector>

#include "opensim_inertia/dynamics/sample_places.hpp"

namespace opensim_inertia {

template <class V>
class NodeMotions {
  public:
    // Of a body, in ground.
    struct Twist {
        Three<V> angular, linear;    // of its origin

        OPENSIM_INERTIA_INLINED Three<V> at(const Vec3d& arm) const { return linear - cross(three(arm), angular); }
    };
    // Of a span: of its surface's body, at the span's axes and in them; of the ends as the surface sees them.
    struct OfSpan {
        Twist body;
        BothEnds<V> ends;
        UnrolledString<double>::Components<V> unrolled;    // if it is
    };

    std::vector<Three<V>> nodes;    // in ground
    std::vector<OfSpan> spans;
    std::vector<V> starts;    // of the elements, along the path
    V length;                 // of the path

    // `twist`: of a body; `speed`: of a coordinate
    template <class TwistOf, class SpeedOf>
    OPENSIM_INERTIA_INLINED void find(const LaidMuscle<double>& m, AllSpanGradients<double>& gradients,
                                      const TwistOf& twist, const SpeedOf& speed) {
        nodes.resize(m.nodes.size());
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            nodes[i] = twist(m.nodes[i].body).at(m.nodes[i].arm);
            for (const Slide<double>& slide : m.nodes[i].slides) {
                const V by = speed(slide.speed);
                for (int c = 0; c < 3; ++c) nodes[i][c] += slide.direction[c] * by;
            }
        }
        for (const Chain<double>& chain : m.chains) move_bridges(chain, twist);
        spans.resize(m.spans.size());
        starts.resize(m.elements.size());
        length = V(0.0);
        for (std::size_t k = 0; k < starts.size(); ++k) {
            const Element& element = m.elements[k];
            starts[k] = length;
            const auto first = static_cast<std::size_t>(element.first);
            if (element.span < 0) {
                length_gradient(m, element, [&](int i, double by) OPENSIM_INERTIA_INLINED_LAMBDA {
                    length += by * seen(first, i);
                });
                continue;
            }
            OfSpan& span = spans[static_cast<std::size_t>(element.span)];
            const SurfaceFrame<double>& frame = m.spans[static_cast<std::size_t>(element.span)].frame;
            const Twist body = twist(frame.body);
            const SpanAxes<double> axes = gradients.axes(m, element.span);
            span.body = {turned(axes.from_ground, body.angular),
                         turned(axes.from_ground, body.at(frame.arm(axes.origin)))};
            for (std::size_t end = 0; end < 2; ++end)
                span.ends[end] =
                    turned(frame.R.transpose(), nodes[first + end] - body.at(frame.arm(value(m.x[first + end]))));
            if (UnrolledString<double>::is_one(m.spans[static_cast<std::size_t>(element.span)]))
                span.unrolled = gradients.string(m, element.span).moves(span.ends);
            const auto by_ends = gradients.length(m, element.span);
            for (int i = 0; i < 6; ++i) length += by_ends[i] * span.ends[static_cast<std::size_t>(i / 3)][i % 3];
        }
    }

    // A sample, in its place's axes.
    template <class T>
    OPENSIM_INERTIA_INLINED Three<V> of(const OnElement<double, T>& at) const {
        const auto first = static_cast<std::size_t>(at.element.first);
        const V along = of_distance(at);
        Three<V> x = at.sample.is_spread ? Three<V>::zero() : nodes[first];
        for (int c = 0; c < 3; ++c) {
            x[c] += at.gradients[c].g[at.kAlong] * along;
            for (int i = 0; i < at.others(); ++i) x[c] += at.gradients[c].g[i] * seen(first, i);
        }
        return x;
    }
    template <class T>
    OPENSIM_INERTIA_INLINED Three<V> of(const OnSpan<double, T>& at) const {
        const BothEnds<V>& ends = spans[at.span].ends;
        const V along = of_distance(at);
        Three<V> x;
        for (int c = 0; c < 3; ++c) {
            x[c] = at.gradients[c].g[at.kAlong] * along;
            for (int i = 0; i < 6; ++i) x[c] += at.gradients[c].g[i] * ends[static_cast<std::size_t>(i / 3)][i % 3];
        }
        return carried(at, x);
    }
    OPENSIM_INERTIA_INLINED Three<V> of(const OnString<double>& at) const {
        const V along = of_distance(at);
        return carried(at, at.string.moved(at.motion, spans[at.span].unrolled, along));
    }

  private:
    std::vector<Three<V>> before_;    // bridges before they are solved for

    // Component i of the nodes after the first one of an element, seen from there.
    OPENSIM_INERTIA_INLINED V seen(std::size_t first, int i) const {
        return nodes[first + 1 + static_cast<std::size_t>(i / 3)][i % 3] - nodes[first][i % 3];
    }

    template <class Place>
    OPENSIM_INERTIA_INLINED V of_distance(const Place& at) const {
        const V by_path = at.by_length * length;
        return at.sample.is_spread ? by_path : by_path - starts[at.sample.element];
    }

    // With its surface's body.
    template <class Place>
    OPENSIM_INERTIA_INLINED Three<V> carried(const Place& at, const Three<V>& seen) const {
        const Twist& body = spans[at.span].body;
        const Three<V> x = seen - cross(three(at.place()), body.angular);
        return at.sample.is_spread ? x : x + body.linear;
    }

    // Bridges move with what their neighbours' tangent points do, see wrap/bridge.hpp.
    template <class TwistOf>
    OPENSIM_INERTIA_INLINED void move_bridges(const Chain<double>& chain, const TwistOf& twist) {
        const Bridges<double>& b = chain.bridges;
        const auto first = static_cast<std::size_t>(chain.first_bridge);
        before_.assign(b.y.size(), Three<V>::zero());
        b.each_tangent_point([&](std::size_t j, std::size_t at, const auto& frame, const Vec3d& tangent, const auto& D)
                                 OPENSIM_INERTIA_INLINED_LAMBDA {
                                     const Twist body = twist(frame.body);
                                     Three<V> its = body.at(frame.arm(tangent));
                                     for (std::size_t end = 0; end < 2; ++end) {
                                         const std::size_t node = first + at + end - 1;
                                         Three<V> seen = -1.0 * body.at(frame.arm(chain.place(node)));
                                         if (!chain.is_bridge(node)) seen += nodes[node];
                                         its += turned(D[end], seen);
                                     }
                                     before_[j] += 0.5 * its;
                                 });
        for (std::size_t j = 0; j < before_.size(); ++j) {
            nodes[first + j] = Three<V>::zero();
            for (std::size_t k = 0; k < before_.size(); ++k) nodes[first + j] += turned(b.between(j, k), before_[k]);
        }
    }
};

}    // namespace opensim_inertia
