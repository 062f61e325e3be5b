// A muscle laid along its path at one state: nodes, elements and their parts, the samples that sum its mass, and the
// corners it slides past.
#pragma once

#include <variant>
#include <vector>

#include "bridge.hpp"
#include "material_path.hpp"
#include "muscle.hpp"

namespace opensim_inertia {

// A weighted vector whose squares add up to the muscle's: a place (of some mass) or a spread (dx/dbeta, which gravity
// does not see).
struct Sample {
    std::size_t element;
    Piece piece;
    double beta;
    double weight;
    bool is_spread;
    Vec3<TimeJet> x;
};

// Force that turns the mass sliding past a corner, on the corner's node [N].
struct CornerForce {
    int node;
    Vec3d force;
};

// An element over a surface.
struct Span {
    const WrapSurface* surface;
    SurfaceFrame frame;
    Vec3<TimeJet> p, q;    // its ends in the surface's frame
    std::variant<HelixSegment<TimeJet>, EllipsoidSegment<TimeJet>, NetworkSegment<TimeJet>> segment;

    template <class Formula>
    const typename Formula::template Segment<TimeJet>& as() const {
        return std::get<typename Formula::template Segment<TimeJet>>(segment);
    }
};

// An element, or a piece of one over which the path has one shape.
struct Part {
    std::size_t element;
    Piece piece;
    TimeJet start;    // arc length at which it starts
};

// Where several surfaces share a segment: its bridges are the nodes from `first_bridge` on.
struct Chain {
    Bridges bridges;
    int first_bridge;
    std::vector<Vec3d> ends;    // the nodes from the one before the first bridge to the one after the last

    bool is_bridge(std::size_t node) const {
        const int j = static_cast<int>(node) - first_bridge;
        return j >= 0 && j < static_cast<int>(bridges.y.size());
    }
    const Vec3d& place(std::size_t node) const { return ends[node + 1 - static_cast<std::size_t>(first_bridge)]; }
};

class LaidMuscle {
  public:
    std::vector<Node> nodes;
    std::vector<Vec3<TimeJet>> x;
    std::vector<Vec3<TimeJet>> seen_from_first;    // node i + 1 from the first node of its element
    std::vector<Element> elements;
    std::vector<TimeJet> start;    // arc length at which each element starts
    std::vector<Part> parts;
    std::vector<Span> spans;
    std::vector<Chain> chains;
    TimeJet length;                 // of the path
    TimeJet proximal_end, belly;    // A and B of the material map
    std::vector<Sample> samples;    // in the order of their elements
    std::vector<CornerForce> corners;
    bool held = false;
    const Muscle* muscle = nullptr;

    void lay(const State& s, const Muscle& which) {
        muscle = &which;
        build(s);
        measure();
        samples.clear();
        corners.clear();
        if (which.mass.total > 0) which.mass.continuous ? sum_continuous() : sum_points();
    }

    // Parts on which the material points `beta` (increasing) lie.
    std::vector<std::size_t> locate(const std::vector<double>& beta) const {
        std::vector<std::size_t> found;
        std::size_t k = 0;
        for (double b : beta) {
            while (k + 1 < parts.size() && b >= beta_at(k + 1).v) ++k;
            found.push_back(k);
        }
        return found;
    }

    // The material on element k along the motion, from the element's first node.
    template <Shape shape>
    MaterialOnElement<shape, TimeJet> material(std::size_t k) const {
        const TimeJet& end = k + 1 < start.size() ? start[k + 1] : length;
        return {elements[k], seen_from_first.data() + elements[k].first, proximal_end - start[k], belly,
                end - start[k]};
    }

    // The material on element k, which is a span.
    template <class Formula>
    MaterialOnSegment<Formula, TimeJet> over_surface(std::size_t k) const {
        const Span& span = spans[static_cast<std::size_t>(elements[k].span)];
        return {span.as<Formula>(), span.p, span.q, proximal_end - start[k], belly};
    }

    // Place of the material point beta, which lies on this part.
    Vec3<TimeJet> place_on(const Part& part, double beta) const {
        const std::size_t k = part.element;
        if (elements[k].span >= 0) {
            const Span& span = spans[static_cast<std::size_t>(elements[k].span)];
            return with_formula(*span.surface, [&]<class Formula>() {
                return span.frame.to_ground(over_surface<Formula>(k).point(part.piece, beta));
            });
        }
        const Vec3<TimeJet>& first = x[static_cast<std::size_t>(elements[k].first)];
        return first +
               (elements[k].arc ? material<Shape::arc>(k).point(beta) : material<Shape::straight>(k).point(beta));
    }

  private:
    static constexpr double kCoincident = 1e-9;    // [m] nodes nearer than this are one
    static constexpr double kNoArc = 1e-7;         // [m] an arc shorter than this is a point

    bool add_node(Node&& node) {
        if (!nodes.empty() && (value(node.x) - value(x.back())).squaredNorm() < kCoincident * kCoincident) return false;
        x.push_back(node.x);
        nodes.push_back(std::move(node));
        return true;
    }

    void connect(Node&& node) {
        const bool first = nodes.empty();
        if (add_node(std::move(node)) && !first) elements.push_back({static_cast<int>(nodes.size()) - 2});
    }

    void build(const State& s) {
        nodes.clear();
        x.clear();
        elements.clear();
        spans.clear();
        chains.clear();
        if (!muscle->sites.empty()) {
            build_over_surfaces(s);
        } else if (!muscle->wraps) {
            for (const PathPoint& point : muscle->points)
                if (point.active(s.q)) connect(place(s, point));
        } else {
            for (int i : muscle->sequence) {
                if (i >= 0)
                    connect(place(s, muscle->points[static_cast<std::size_t>(i)]));
                else
                    add_arc(s, muscle->arcs[static_cast<std::size_t>(-1 - i)]);
            }
        }
        if (elements.empty()) throw PathError(*muscle, "its path has no length at this state");
    }

    void build_over_surfaces(const State& s) {
        int before = -1;
        for (int i = 0; i < static_cast<int>(muscle->points.size()); ++i) {
            const PathPoint& point = muscle->points[static_cast<std::size_t>(i)];
            if (!point.active(s.q)) continue;
            Node node = place(s, point);
            if (before >= 0 && (value(node.x) - value(x.back())).squaredNorm() >= kCoincident * kCoincident)
                pass_surfaces(s, before, i, node.x);
            // the element that leads here is there if a surface was touched, else it is the straight line
            if (!spans.empty() && elements.size() && elements.back().last() == static_cast<int>(nodes.size())) {
                x.push_back(node.x);
                nodes.push_back(std::move(node));
            } else {
                connect(std::move(node));
            }
            before = i;
        }
    }

    // Lead the path from the last node to q over the surfaces between the path points i and j.
    void pass_surfaces(const State& s, int i, int j, const Vec3<TimeJet>& q) {
        Bridges bridges;
        for (const WrapSite& site : muscle->sites)
            if (site.first <= i && j <= site.last) bridges.passages.push_back(Passage(s, site.surface));
        if (bridges.passages.empty()) return;
        if (bridges.passages.size() == 1) {
            add_span(bridges.passages[0], static_cast<int>(nodes.size()) - 1, x.back(), q, false);
            return;
        }
        if (!bridges.solve(x.back(), q)) throw PathError(*muscle, "its wraps do not come together at this state");
        const int first = static_cast<int>(nodes.size()) - 1;
        const auto touched = bridges.passages.size();
        for (std::size_t k = 0; k < touched; ++k) {
            add_span(bridges.passages[k], first + static_cast<int>(k), x.back(), k + 1 < touched ? bridges.y[k] : q,
                     touched > 1);
            if (k + 1 == touched) break;
            Node node;
            node.body = bridges.passages[k].frame.body;
            node.x = bridges.y[k];
            node.arm = bridges.passages[k].frame.arm(value(node.x));
            node.is_bridge = true;
            x.push_back(node.x);
            nodes.push_back(std::move(node));
        }
        if (touched < 2) return;
        std::vector<Vec3d> ends;
        for (std::size_t i = static_cast<std::size_t>(first); i < x.size(); ++i) ends.push_back(value(x[i]));
        ends.push_back(value(q));
        chains.push_back({std::move(bridges), first + 1, std::move(ends)});
    }

    void add_span(const Passage& passage, int first, const Vec3<TimeJet>& from, const Vec3<TimeJet>& to,
                  bool in_chain) {
        const WrapSurface& surface = *passage.surface;
        const SurfaceFrame& frame = passage.frame;
        const Vec3<TimeJet> p = frame.to_local(from), q = frame.to_local(to);
        with_formula(surface, [&]<class Formula>() {
            auto segment = Formula::wrap(surface, p, q);
            if constexpr (requires { segment.converged; })
                if (segment.touches && !segment.converged)
                    throw PathError(*muscle, "no path was found over its wrap object at this state");
            if (!segment.touches) {
                if (in_chain) elements.push_back({first});
                return;
            }
            elements.push_back({first, nullptr, static_cast<int>(spans.size())});
            spans.push_back({&surface, frame, p, q, std::move(segment)});
        });
    }

    void add_arc(const State& s, const FreeArc& arc) {
        const auto& c = arc.controls;
        const double extent =
            (c.front().station - c.back().station).norm() + (c[c.size() / 2].station - c.front().station).norm();
        connect(place(s, c.front()));
        if (extent < kNoArc) return;
        const int first = static_cast<int>(nodes.size()) - 1;
        for (std::size_t j = 1; j < c.size(); ++j) {
            nodes.push_back(place(s, c[j]));
            x.push_back(nodes.back().x);
        }
        elements.push_back({first, &ArcBasis::of(static_cast<int>(c.size()))});
    }

    void measure() {
        start.clear();
        parts.clear();
        seen_from_first.resize(x.size());
        length = TimeJet();
        for (std::size_t k = 0; k < elements.size(); ++k) {
            const Element& element = elements[k];
            start.push_back(length);
            if (element.span >= 0) {
                const Span& span = spans[static_cast<std::size_t>(element.span)];
                std::visit([&](const auto& segment) { add_parts(k, segment); }, span.segment);
                continue;
            }
            parts.push_back({k, Piece::whole, length});
            const auto first = static_cast<std::size_t>(element.first);
            for (std::size_t i = first; i < static_cast<std::size_t>(element.last()); ++i)
                seen_from_first[i] = x[i + 1] - x[first];
            const Vec3<TimeJet>* r = seen_from_first.data() + first;
            length = length + (element.arc ? element_length<Shape::arc>(element, r)
                                           : element_length<Shape::straight>(element, r));
        }
        belly = muscle->map.belly_length(length);
        proximal_end = muscle->map.proximal_end(length, belly);
        held = muscle->map.holds(length.v);
        if (!(belly.v > 0) || belly.v > length.v * (1 + 1e-12))
            throw PathError(*muscle, "its belly, " + std::to_string(belly.v) + " m, does not fit on its path of " +
                                         std::to_string(length.v) + " m; check its tendon slack length");
    }

    template <class Segment>
    void add_parts(std::size_t k, const Segment& segment) {
        parts.push_back({k, Piece::lead, length});
        length = length + segment.lead;
        parts.push_back({k, Piece::bend, length});
        length = length + segment.bend;
        parts.push_back({k, Piece::tail, length});
        length = length + segment.tail;
    }

    // Material coordinate at the start of part i.
    TimeJet beta_at(std::size_t i) const { return (parts[i].start - proximal_end) * inverse(belly); }

    // Along a part the place is affine in beta.
    bool is_affine(const Part& part) const {
        return part.piece == Piece::whole ? elements[part.element].is_straight() : part.piece != Piece::bend;
    }

    void add_affine(const Part& part, const ElementMass& mass) {
        if (mass.mass <= 0) return;
        const std::size_t k = part.element;
        samples.push_back({k, part.piece, mass.mean, mass.mass, false, place_on(part, mass.mean)});
        if (mass.spread > 0) samples.push_back({k, part.piece, mass.mean, mass.spread, true, spread_on(part)});
    }

    Vec3<TimeJet> spread_on(const Part& part) const {
        const std::size_t k = part.element;
        if (part.piece == Piece::whole) return material<Shape::straight>(k).spread();
        const Span& span = spans[static_cast<std::size_t>(elements[k].span)];
        return with_formula(*span.surface, [&]<class Formula>() {
            return span.frame.vector_to_ground(over_surface<Formula>(k).spread(part.piece));
        });
    }

    void add_point(const Part& part, double beta, double mass) {
        samples.push_back({part.element, part.piece, beta, mass, false, place_on(part, beta)});
    }

    const GaussRule& gauss_rule(const Part& part) const {
        const Element& element = elements[part.element];
        if (element.arc) return element.arc->rule;
        const Span& span = spans[static_cast<std::size_t>(element.span)];
        return with_formula(*span.surface, [&]<class Formula>() -> const GaussRule& {
            return GaussRule::of(Formula::gauss_points(span.as<Formula>()));
        });
    }

    void sum_continuous() {
        const double m = muscle->mass.total;
        double low = 0;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const bool last = i + 1 == parts.size();
            const TimeJet end = last ? TimeJet(1.0) : beta_at(i + 1);
            const double high = last ? 1.0 : std::clamp(end.v, 0.0, 1.0);
            if (high > low) {
                if (is_affine(parts[i])) {
                    add_affine(parts[i], uniform_part(m, low, high));
                } else {
                    const GaussRule& rule = gauss_rule(parts[i]);
                    for (std::size_t g = 0; g < rule.x.size(); ++g)
                        add_point(parts[i], low + (high - low) * rule.x[g], m * (high - low) * rule.w[g]);
                }
            }
            low = std::max(low, high);
            if (!last && end.v > 0 && end.v < 1 && parts[i].element != parts[i + 1].element)
                add_corner(parts[i].element, end);
        }
    }

    // Mass that slides past a corner with speed w = B |d(beta)/dt| changes its direction from e to e': the momentum
    // flux (m / B) w^2 (e' - e). It is what mu (adot [J^T v] - 1/2 [v.v] da/dq) of the quadratic velocity vector comes
    // to, as v = xdot - B adot e on either side. Within an element the path is smooth and owes none.
    void add_corner(std::size_t k, const TimeJet& beta) {
        const Vec3d turn = tangent(elements[k + 1], false) - tangent(elements[k], true);
        corners.push_back({elements[k].last(), -muscle->mass.total * belly.v * beta.d * beta.d * turn});
    }

    // Unit tangent at an element's start or end.
    Vec3d tangent(const Element& element, bool at_end) const {
        if (element.span < 0) return opensim_inertia::tangent(element, x.data(), at_end);
        const Span& span = spans[static_cast<std::size_t>(element.span)];
        return span.frame.R *
               std::visit([&](const auto& s) { return value(at_end ? s.arrival : s.departure); }, span.segment);
    }

    void sum_points() {
        const MassDistribution& d = muscle->mass;
        std::size_t first = 0;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const bool last = i + 1 == parts.size();
            const std::size_t end = last ? d.beta.size() : std::max(first, d.index_below(beta_at(i + 1).v));
            if (is_affine(parts[i])) {
                add_affine(parts[i], points_part(d, first, end));
            } else {
                for (std::size_t p = first; p < end; ++p)
                    if (d.mass[p] > 0) add_point(parts[i], d.beta[p], d.mass[p]);
            }
            first = end;
        }
    }
};

}    // namespace opensim_inertia
