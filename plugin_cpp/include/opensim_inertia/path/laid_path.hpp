// A muscle's path at one state: its nodes, its elements from node to node, and the parts of these that have one shape.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "opensim_inertia/path/laid_parts.hpp"
#include "opensim_inertia/path/node.hpp"
#include "opensim_inertia/path/path.hpp"

namespace opensim_inertia {

template <class Real>
class LaidPath {
  public:
    using T = TimeJet<Real>;
    std::vector<Node<Real>> nodes;
    std::vector<Vec3<T>> x;
    std::vector<Vec3<T>> seen_from_first;    // node i + 1 from the first node of its element
    std::vector<Element> elements;
    std::vector<T> start;         // arc length at which each element starts
    std::vector<T> per_length;    // 1 / length of a straight element, 0 for others
    std::vector<Part<Real>> parts;
    std::vector<Span<Real>> spans;
    std::vector<Chain<Real>> chains;
    std::vector<Group> groups;
    T length;
    const Path* path = nullptr;

    // `ways`: of each string past a surface, in their order, whether or not it touches; null: the first
    void lay_path(const State<Real>& s, const Path& which, const std::vector<Choice>* ways = nullptr) {
        start_over(which);
        ways_ = ways;
        build(s);
        measure();
    }

    // Straight from path point to path point, past all surfaces, and whatever path the state brings.
    void lay_path_straight(const State<Real>& s, const Path& which) {
        start_over(which);
        connect_points(s);
        measure();
    }

    // How many strings there are past surfaces, touched or not.
    std::size_t passages() const { return passages_; }

    // Whether mass on it is divided between several ways.
    bool is_divided() const {
        return std::ranges::any_of(spans, &Span<Real>::is_divided) || std::ranges::any_of(groups, &Group::is_divided);
    }

    // The places on element k, which is a span.
    template <class Formula>
    PlacesOnSpan<Formula, T> over_surface(std::size_t k) const {
        const Span<Real>& span = spans[static_cast<std::size_t>(elements[k].span)];
        return {span.template as<Formula>(), span.p, span.q};
    }

    // The places on a part, at distances from its element's start, in ground.
    void places_at(const Part<Real>& part, std::span<const T> s, std::span<Vec3<T>> out) const {
        const std::size_t k = part.element;
        if (is_affine(part)) {
            const Line<T> line = line_of(part);
            for (std::size_t i = 0; i < s.size(); ++i) out[i] = line.point(s[i]);
        } else if (elements[k].span >= 0) {
            const Span<Real>& span = spans[static_cast<std::size_t>(elements[k].span)];
            with_formula(*span.surface, [&]<class Formula>() { over_surface<Formula>(k).points_on_bend(s, out); });
            for (Vec3<T>& x : out) x = span.frame.to_ground(x);
        } else if constexpr (!Differentiating<Real>) {
            const Vec3<T>& first = x[static_cast<std::size_t>(elements[k].first)];
            const T& end = k + 1 < start.size() ? start[k + 1] : length;
            const PlacesOnElement<Shape::arc, T> on(elements[k], seen_from_first.data() + elements[k].first,
                                                    end - start[k]);
            for (std::size_t i = 0; i < s.size(); ++i) out[i] = first + on.point(s[i]);
        }
    }

    Vec3<T> place_at(const Part<Real>& part, const T& s) const {
        Vec3<T> place;
        places_at(part, {&s, 1}, {&place, 1});
        return place;
    }

    // The places on a part that is straight, in ground.
    Line<T> line_of(const Part<Real>& part) const {
        const Element& element = elements[part.element];
        const auto i = static_cast<std::size_t>(element.first);
        const Vec3<T>& first = x[i];
        if (part.piece == Piece::whole) return {first, seen_from_first[i] * per_length[part.element], T(0.0)};
        const Span<Real>& span = spans[static_cast<std::size_t>(element.span)];
        const Vec3<T>& last = x[static_cast<std::size_t>(element.last())];
        return std::visit(
            [&](const auto& wrap) -> Line<T> {
                const Line<T> seen = straight_piece(wrap, part.piece, first, last);
                return {seen.from, span.frame.vector_to_ground(seen.direction), seen.skipped};
            },
            span.wrap);
    }

    // Along a part the place is affine in the distance.
    bool is_affine(const Part<Real>& part) const {
        return part.piece == Piece::whole ? elements[part.element].is_straight() : part.piece != Piece::bend;
    }

    // Gauss points over a fraction of a part that is not straight.
    const GaussRule& gauss_rule(const Part<Real>& part, double fraction) const {
        const Element& element = elements[part.element];
        if (element.arc) return element.arc->rule;
        const Span<Real>& span = spans[static_cast<std::size_t>(element.span)];
        return with_formula(*span.surface, [&]<class Formula>() -> const GaussRule& {
            return GaussRule::of(Formula::gauss_points(span.template as<Formula>(), fraction));
        });
    }

    // Unit tangent at the start or the end of element k.
    Vec<Real> tangent(std::size_t k, bool at_end) const {
        const Element& element = elements[k];
        const auto first = static_cast<std::size_t>(element.first);
        if (element.arc) return arc_tangent<Real>(*element.arc, x.data() + first, at_end);
        if (element.span < 0) return real(seen_from_first[first]) * per_length[k].v;
        const Span<Real>& span = spans[static_cast<std::size_t>(element.span)];
        return span.frame.R *
               std::visit([&](const auto& s) { return real(at_end ? s.arrival : s.departure); }, span.wrap);
    }

  private:
    static constexpr double kCoincident = 1e-9;    // [m] nodes nearer than this are one
    static constexpr double kNoArc = 1e-7;         // [m] an arc shorter than this is a point

    const std::vector<Choice>* ways_ = nullptr;
    std::size_t passages_ = 0;

    bool add_node(Node<Real>&& node) {
        if (!nodes.empty() && (value(node.x) - value(x.back())).squaredNorm() < kCoincident * kCoincident) return false;
        x.push_back(node.x);
        nodes.push_back(std::move(node));
        return true;
    }

    void connect(Node<Real>&& node) {
        const bool first = nodes.empty();
        if (add_node(std::move(node)) && !first) elements.push_back({static_cast<int>(nodes.size()) - 2});
    }

    void start_over(const Path& which) {
        path = &which;
        ways_ = nullptr;
        passages_ = 0;
        nodes.clear();
        x.clear();
        elements.clear();
        spans.clear();
        chains.clear();
        groups.clear();
    }

    void connect_points(const State<Real>& s) {
        for (const PathPoint& point : path->points)
            if (point.active(s.q)) connect(place(s, point));
    }

    void build(const State<Real>& s) {
        const GivenPath* given = nullptr;    // paths that come from outside have no derivatives
        if constexpr (!Differentiating<Real>) given = s.path(path->number);
        if (given) {
            if constexpr (!Differentiating<Real>) build_as_given(s, *given);
        } else if (path->is_given) {
            throw PathError(*path, "OpenSim leads its path, and the state has no path of it");
        } else if (!path->sites.empty()) {
            build_over_surfaces(s);
        } else {
            connect_points(s);
        }
    }

    void build_as_given(const State<Real>& s, const GivenPath& given)
        requires(!Differentiating<Real>)
    {
        for (int i : given.sequence) {
            if (i >= static_cast<int>(path->points.size()))
                throw PathError(*path, "the path given goes to path point " + std::to_string(i) + ", it has " +
                                           std::to_string(path->points.size()));
            if (i >= 0)
                connect(place(s, path->points[static_cast<std::size_t>(i)]));
            else
                add_arc(s, given.arcs[static_cast<std::size_t>(-1 - i)]);
        }
    }

    void build_over_surfaces(const State<Real>& s) {
        int before = -1;
        for (int i = 0; i < static_cast<int>(path->points.size()); ++i) {
            const PathPoint& point = path->points[static_cast<std::size_t>(i)];
            if (!point.active(s.q)) continue;
            Node<Real> node = place(s, point);
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

    // The way of the next string.
    Choice next_choice() {
        const std::size_t passage = passages_++;
        return ways_ ? (*ways_)[passage] : Choice{};
    }

    // A string past a surface: its number; whether there is no other surface on its span, or it touches several; what
    // is known of it.
    struct Passing {
        int number;
        bool alone, in_chain;
        std::shared_ptr<const ellipsoid::Found> known;
    };

    // Lead the path from the last node to q over the surfaces between the path points i and j.
    void pass_surfaces(const State<Real>& s, int i, int j, const Vec3<T>& q) {
        const auto passes = [&](const WrapSite& site) { return site.first <= i && j <= site.last; };
        const auto count = std::ranges::count_if(path->sites, passes);
        if (count == 0) return;
        if (count == 1) {
            const WrapSurface& surface = std::ranges::find_if(path->sites, passes)->surface;
            const Choice choice = next_choice();
            if (choice.way == Way::straight) return;
            add_span(surface, SurfaceFrame<Real>(s, surface), static_cast<int>(nodes.size()) - 1, x.back(), q,
                     {static_cast<int>(passages_) - 1, true, false, choice.solution});
            return;
        }
        Group group{spans.size(), 0, passages_, static_cast<std::size_t>(count)};
        Bridges<Real> bridges;
        for (const WrapSite& site : path->sites)
            if (passes(site) && next_choice().way != Way::straight)
                bridges.add(site.surface, SurfaceFrame<Real>(s, site.surface), static_cast<int>(passages_) - 1);
        if (bridges.passages.empty()) return;
        if (!bridges.solve(x.back(), q)) throw PathError(*path, "its wraps do not come together at this state");
        const int first = static_cast<int>(nodes.size()) - 1;
        const auto touched = bridges.passages.size();
        for (std::size_t k = 0; k < touched; ++k) {
            add_span(*bridges.passages[k].surface, bridges.frames[k], first + static_cast<int>(k), x.back(),
                     k + 1 < touched ? bridges.y[k] : q, {bridges.passages[k].number, false, touched > 1, nullptr});
            if (k + 1 == touched) break;
            Node<Real> node;
            node.body = bridges.frames[k].body;
            node.x = bridges.y[k];
            node.arm = bridges.frames[k].arm(real(node.x));
            node.is_bridge = true;
            x.push_back(node.x);
            nodes.push_back(std::move(node));
        }
        group.spans = spans.size() - group.first_span;
        share_out_mass(group);
        if (touched < 2) return;
        std::vector<Vec<Real>> ends;
        for (std::size_t i = static_cast<std::size_t>(first); i < x.size(); ++i) ends.push_back(real(x[i]));
        ends.push_back(real(q));
        chains.push_back({std::move(bridges), first + 1, std::move(ends)});
    }

    // Of a group whose last span was just added.
    void share_out_mass(Group& group) {
        bool could_be = false;
        std::vector<Neighbourhood<double>> strings;
        for (std::size_t i = group.first_span; i < spans.size(); ++i) {
            const WrapSurface& surface = *spans[i].surface;
            if (surface.network) return;
            could_be |= could_be_divided(surface);
        }
        if (!could_be) return;
        for (std::size_t i = group.first_span; i < spans.size(); ++i)
            with_formula(*spans[i].surface, [&]<class Formula>() {
                const Vec3<double> p = scalars(value(spans[i].p)), q = scalars(value(spans[i].q));
                strings.push_back(neighbourhood(*spans[i].surface, p, q, spans[i].template as<Formula>()));
            });
        group.led = led_over(strings);
        groups.push_back(group);
    }

    void add_span(const WrapSurface& surface, const SurfaceFrame<Real>& frame, int first, const Vec3<T>& from,
                  const Vec3<T>& to, const Passing& passing) {
        const Vec3<T> p = frame.to_local(from), q = frame.to_local(to);
        with_formula(surface, [&]<class Formula>() {
            auto wrap = [&] {
                if constexpr (requires { Formula::wrap_alone(surface, p, q, passing.known); })
                    if (passing.alone) return Formula::wrap_alone(surface, p, q, passing.known);
                return Formula::wrap(surface, p, q);
            }();
            if constexpr (requires { wrap.converged; })
                if (wrap.touches && !wrap.converged)
                    throw PathError(*path, "no path was found over its wrap object at this state");
            if (!wrap.touches) {
                if (passing.in_chain) elements.push_back({first});
                return;
            }
            elements.push_back({first, nullptr, static_cast<int>(spans.size())});
            Shares<double> shares{1.0, 0.0, 0.0};
            if (passing.alone && could_be_divided(surface)) shares = known_shares(surface, value(p), value(q), wrap);
            spans.push_back({&surface, frame, p, q, std::move(wrap), passing.number, shares});
        });
    }

    void add_arc(const State<Real>& s, const FreeArc& arc)
        requires(!Differentiating<Real>)
    {
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
        if (elements.empty()) throw PathError(*path, "its path has no length at this state");
        start.clear();
        per_length.assign(elements.size(), T(0.0));
        parts.clear();
        seen_from_first.resize(x.size());
        length = T(0.0);
        for (std::size_t k = 0; k < elements.size(); ++k) {
            const Element& element = elements[k];
            start.push_back(length);
            if (element.span >= 0) {
                const Span<Real>& span = spans[static_cast<std::size_t>(element.span)];
                std::visit([&](const auto& wrap) { add_parts(k, wrap); }, span.wrap);
                continue;
            }
            parts.push_back({k, Piece::whole, length});
            const auto first = static_cast<std::size_t>(element.first);
            for (std::size_t i = first; i < static_cast<std::size_t>(element.last()); ++i)
                seen_from_first[i] = x[i + 1] - x[first];
            const Vec3<T>* r = seen_from_first.data() + first;
            if constexpr (!Differentiating<Real>)
                if (element.arc) {
                    length = length + element_length<Shape::arc>(element, r);
                    continue;
                }
            const T square = squared_norm(*r);
            per_length[k] = inverse_sqrt(square);
            length = length + square * per_length[k];
        }
    }

    template <class Wrap>
    void add_parts(std::size_t k, const Wrap& wrap) {
        parts.push_back({k, Piece::lead, length});
        length = length + wrap.lead;
        parts.push_back({k, Piece::bend, length});
        length = length + wrap.bend;
        parts.push_back({k, Piece::tail, length});
        length = length + wrap.tail;
    }
};

}    // namespace opensim_inertia
