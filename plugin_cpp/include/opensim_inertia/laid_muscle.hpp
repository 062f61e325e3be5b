// A muscle laid along its path at one state: nodes, elements and their parts, the samples that sum its mass, and the
// corners it slides past.
#pragma once

#include <algorithm>
#include <vector>

#include "laid_parts.hpp"
#include "muscle.hpp"

namespace opensim_inertia {

template <class Real>
class LaidMuscle {
  public:
    using T = TimeJet<Real>;
    std::vector<Node<Real>> nodes;
    std::vector<Vec3<T>> x;
    std::vector<Vec3<T>> seen_from_first;    // node i + 1 from the first node of its element
    std::vector<Element> elements;
    std::vector<T> start;    // arc length at which each element starts
    std::vector<Part<Real>> parts;
    std::vector<Span<Real>> spans;
    std::vector<Chain<Real>> chains;
    T length;                              // of the path
    T proximal_end, aponeurosis, fibre;    // A, P and B of the material map
    std::vector<Sample<Real>> samples;     // in the order of their elements
    std::vector<CornerForce<Real>> corners;
    Material<Real> slip{};           // the direction in which the distance from the belly's end stays
    T slip_distance;                 // and does so at this moment only
    Real slip_weight = Real(0.0);    // sum of mass times the square of what is along it
    bool held = false;
    const Muscle* muscle = nullptr;
    MaterialMap<Real> map;

    void lay(const State<Real>& s, const Muscle& which) { lay(s, which, which.map.template as<Real>()); }

    // With another map than the muscle's own.
    void lay(const State<Real>& s, const Muscle& which, const MaterialMap<Real>& its_map) {
        muscle = &which;
        map = its_map;
        build(s);
        measure();
        belly_ = Belly<Real>(aponeurosis.v, fibre.v);
        slip = belly_.point(Real(0.0), Real(1.0));
        slip_distance = apart(slip);
        slip_weight = Real(0.0);
        samples.clear();
        corners.clear();
        if (which.mass.total > 0) which.mass.continuous ? sum_continuous() : sum_points();
    }

    // The part on which a material point lies.
    std::size_t locate(const Material<Real>& material) const {
        const double s = value(proximal_end) + value(apart(material));
        std::size_t k = 0;
        while (k + 1 < parts.size() && s >= value(parts[k + 1].start)) ++k;
        return k;
    }

    // chi P + xi B
    T apart(const Material<Real>& m) const { return aponeurosis * m.chi + fibre * m.xi; }

    // How far a material point is along element k.
    T along(std::size_t k, const Material<Real>& m) const { return proximal_end - start[k] + apart(m); }

    // The places on element k along the motion, from the element's first node.
    template <Shape shape>
    PlacesOnElement<shape, T> places(std::size_t k) const {
        const T& end = k + 1 < start.size() ? start[k + 1] : length;
        return {elements[k], seen_from_first.data() + elements[k].first, end - start[k]};
    }

    // The places on element k, which is a span.
    template <class Formula>
    PlacesOnSegment<Formula, T> over_surface(std::size_t k) const {
        const Span<Real>& span = spans[static_cast<std::size_t>(elements[k].span)];
        return {span.template as<Formula>(), span.p, span.q};
    }

    // The mass as a rigid body, in ground: [[sum m x x^T, sum m x], [., sum m]] (Wensing, Kim, Slotine 2018).
    Mat4<Real> pseudo_inertia() const {
        Mat4<Real> P = Mat4<Real>::Zero();
        for (const Sample<Real>& s : samples) {
            Eigen::Matrix<Real, 4, 1> place;
            place << real(s.x), Real(s.is_spread ? 0.0 : 1.0);
            P += s.weight * place * place.transpose();
        }
        return P;
    }

    // Place of a material point that lies on this part.
    Vec3<T> place_on(const Part<Real>& part, const Material<Real>& material) const {
        const std::size_t k = part.element;
        const T s = along(k, material);
        if (elements[k].span >= 0) {
            const Span<Real>& span = spans[static_cast<std::size_t>(elements[k].span)];
            return with_formula(*span.surface, [&]<class Formula>() {
                return span.frame.to_ground(over_surface<Formula>(k).point(part.piece, s));
            });
        }
        const Vec3<T>& first = x[static_cast<std::size_t>(elements[k].first)];
        if constexpr (!Differentiating<Real>)
            if (elements[k].arc) return first + places<Shape::arc>(k).point(s);
        return first + places<Shape::straight>(k).point(s);
    }

  private:
    static constexpr double kCoincident = 1e-9;    // [m] nodes nearer than this are one
    static constexpr double kNoArc = 1e-7;         // [m] an arc shorter than this is a point

    Belly<Real> belly_;
    MassMoments<Real> moments_;
    std::vector<std::size_t> part_of_;    // of each point mass

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

    void build(const State<Real>& s) {
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
        } else if constexpr (!Differentiating<Real>) {    // paths that come from outside have no derivatives
            for (int i : muscle->sequence) {
                if (i >= 0)
                    connect(place(s, muscle->points[static_cast<std::size_t>(i)]));
                else
                    add_arc(s, muscle->arcs[static_cast<std::size_t>(-1 - i)]);
            }
        }
        if (elements.empty()) throw PathError(*muscle, "its path has no length at this state");
    }

    void build_over_surfaces(const State<Real>& s) {
        int before = -1;
        for (int i = 0; i < static_cast<int>(muscle->points.size()); ++i) {
            const PathPoint& point = muscle->points[static_cast<std::size_t>(i)];
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

    // Lead the path from the last node to q over the surfaces between the path points i and j.
    void pass_surfaces(const State<Real>& s, int i, int j, const Vec3<T>& q) {
        const auto passes = [&](const WrapSite& site) { return site.first <= i && j <= site.last; };
        const auto count = std::ranges::count_if(muscle->sites, passes);
        if (count == 0) return;
        if (count == 1) {
            const WrapSurface& surface = std::ranges::find_if(muscle->sites, passes)->surface;
            add_span(surface, SurfaceFrame<Real>(s, surface), static_cast<int>(nodes.size()) - 1, x.back(), q, false);
            return;
        }
        Bridges<Real> bridges;
        for (const WrapSite& site : muscle->sites)
            if (passes(site)) bridges.add(site.surface, SurfaceFrame<Real>(s, site.surface));
        if (!bridges.solve(x.back(), q)) throw PathError(*muscle, "its wraps do not come together at this state");
        const int first = static_cast<int>(nodes.size()) - 1;
        const auto touched = bridges.passages.size();
        for (std::size_t k = 0; k < touched; ++k) {
            add_span(*bridges.passages[k].surface, bridges.frames[k], first + static_cast<int>(k), x.back(),
                     k + 1 < touched ? bridges.y[k] : q, touched > 1);
            if (k + 1 == touched) break;
            Node<Real> node;
            node.body = bridges.frames[k].body;
            node.x = bridges.y[k];
            node.arm = bridges.frames[k].arm(real(node.x));
            node.is_bridge = true;
            x.push_back(node.x);
            nodes.push_back(std::move(node));
        }
        if (touched < 2) return;
        std::vector<Vec<Real>> ends;
        for (std::size_t i = static_cast<std::size_t>(first); i < x.size(); ++i) ends.push_back(real(x[i]));
        ends.push_back(real(q));
        chains.push_back({std::move(bridges), first + 1, std::move(ends)});
    }

    void add_span(const WrapSurface& surface, const SurfaceFrame<Real>& frame, int first, const Vec3<T>& from,
                  const Vec3<T>& to, bool in_chain) {
        const Vec3<T> p = frame.to_local(from), q = frame.to_local(to);
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
        start.clear();
        parts.clear();
        seen_from_first.resize(x.size());
        length = T(0.0);
        for (std::size_t k = 0; k < elements.size(); ++k) {
            const Element& element = elements[k];
            start.push_back(length);
            if (element.span >= 0) {
                const Span<Real>& span = spans[static_cast<std::size_t>(element.span)];
                std::visit([&](const auto& segment) { add_parts(k, segment); }, span.segment);
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
            length = length + element_length<Shape::straight>(element, r);
        }
        fibre = map.fibre_length(length);
        proximal_end = map.proximal_end(length, fibre);
        aponeurosis = map.aponeurosis_length(length, fibre);
        const double L = value(length), B = value(fibre);
        held = map.holds(L);
        if (!(B > 0) || B > L * (1 + 1e-12))
            throw PathError(*muscle, "its belly, " + std::to_string(B) + " m, does not fit on its path of " +
                                         std::to_string(L) + " m; check its tendon slack length");
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

    // Along a part the place is affine in the material.
    bool is_affine(const Part<Real>& part) const {
        return part.piece == Piece::whole ? elements[part.element].is_straight() : part.piece != Piece::bend;
    }

    void add_place(const Part<Real>& part, const Real& mass, const Material<Real>& material) {
        samples.push_back({part.element, part.piece, material, mass, false, place_on(part, material)});
    }

    // The moments collected for a part on which the place is affine.
    void add_moments(const Part<Real>& part) {
        slip_weight += moments_.reduce(
            belly_, [&](const Real& mass, const Material<Real>& material) { add_place(part, mass, material); },
            [&](const Real& weight, const Material<Real>& direction) { add_spread(part, weight, direction); });
    }

    void add_spread(const Part<Real>& part, const Real& weight, const Material<Real>& direction) {
        samples.push_back({part.element, part.piece, direction, weight, true, spread_on(part, direction)});
    }

    Vec3<T> spread_on(const Part<Real>& part, const Material<Real>& direction) const {
        const std::size_t k = part.element;
        const T s = apart(direction);
        if (part.piece == Piece::whole) return places<Shape::straight>(k).spread(s);
        const Span<Real>& span = spans[static_cast<std::size_t>(elements[k].span)];
        return with_formula(*span.surface, [&]<class Formula>() {
            return span.frame.vector_to_ground(over_surface<Formula>(k).spread(part.piece, s));
        });
    }

    // Gauss points over a share of a part that is not straight.
    const GaussRule& gauss_rule(const Part<Real>& part, double share) const {
        const Element& element = elements[part.element];
        if (element.arc) return element.arc->rule;
        const Span<Real>& span = spans[static_cast<std::size_t>(element.span)];
        return with_formula(*span.surface, [&]<class Formula>() -> const GaussRule& {
            return GaussRule::of(Formula::gauss_points(span.template as<Formula>(), share));
        });
    }

    static const GaussRule& two_points() {
        static const GaussRule rule(2);
        return rule;
    }

    // Distance of a part's start from the belly's proximal end, or of the path's end.
    Real distance(std::size_t part) const {
        return (part < parts.size() ? parts[part].start.v : length.v) - proximal_end.v;
    }

    void sum_continuous() {
        const auto zones = belly_.zones();
        Real low = 0.0;
        for (std::size_t i = 0; i < parts.size() && value(low) < value(zones[3]); ++i) {
            const bool last = i + 1 == parts.size();
            const Real end = last ? zones[3] : distance(i + 1);
            const bool within = value(end) < value(zones[3]);
            if (value(end) > value(low)) {
                add_section(parts[i], low, within ? end : zones[3], value(distance(i + 1)) - value(distance(i)));
                low = within ? end : zones[3];
            }
            if (!last && value(end) > 0 && within && parts[i].element != parts[i + 1].element)
                add_corner(parts[i].element, end, start[parts[i + 1].element]);
        }
    }

    // The mass between two distances from the belly's proximal end, which lies on one part.
    void add_section(const Part<Real>& part, const Real& from, const Real& to, double part_length) {
        const auto zones = belly_.zones();
        const bool affine = is_affine(part);
        moments_.clear();
        for (std::size_t zone = 0; zone < 3; ++zone) {
            const Real low = value(from) > value(zones[zone]) ? from : zones[zone];
            const Real high = value(to) < value(zones[zone + 1]) ? to : zones[zone + 1];
            if (!(value(high) > value(low))) continue;
            const Real extent = high - low;
            // the mass per length and its moments over z are at most cubic, which two points sum exactly
            const GaussRule& rule =
                affine ? two_points() : gauss_rule(part, std::min(1.0, value(extent) / part_length));
            for (std::size_t g = 0; g < rule.x.size(); ++g) {
                const Real c = low + extent * rule.x[g];
                const MaterialLine<Real> line = belly_.at(c);
                const Real mass = muscle->mass.total * line.density * extent * rule.w[g];
                if (affine)
                    moments_.add(c, line.mean, mass, line.variance());
                else
                    add_line(part, c, line, mass);
            }
        }
        if (affine) add_moments(part);
    }

    // The mass at one distance: its mean, and what slips past it. On a bend that is held on the surface by
    // its own speed: the mean of the accelerations exceeds the mean's acceleration by the variance of the speeds along
    // the path times the path's curvature.
    void add_line(const Part<Real>& part, const Real& c, const MaterialLine<Real>& line, const Real& mass) {
        const Material<Real> mean = belly_.point(c, line.mean);
        add_place(part, mass, mean);
        if (belly_.is_line()) return;
        const Real variance = line.variance();
        slip_weight += mass * variance;
        Vec3<T>& x = samples.back().x;
        const Vec<Real> bends = curvature(part, c, line, x) * (variance * slip_distance.d * slip_distance.d);
        for (int i = 0; i < 3; ++i) x[i].dd += bends[i];
    }

    // Second derivative of the place over the distance along the path, in ground, at the material that is at x.
    Vec<Real> curvature(const Part<Real>& part, const Real& c, const MaterialLine<Real>& line, const Vec3<T>& x) const {
        const Element& element = elements[part.element];
        if (element.span >= 0) {
            const Span<Real>& span = spans[static_cast<std::size_t>(element.span)];
            if (const auto* helix = std::get_if<HelixSegment<T>>(&span.segment))
                return span.frame.R * helix->curvature(span.frame.to_local_place(real(x)));
        }
        // the place is a function of time and distance: two material points that pass it at other speeds tell
        const Real speed = slip_distance.d;
        if (value(speed) * value(speed) < 1e-300) return Vec<Real>::Zero();
        const auto passing = [&](double z) { return acceleration(place_on(part, belly_.point(c, line.mean + z))); };
        return (passing(1.0) + passing(-1.0) - 2.0 * acceleration(x)) * (0.5 / (speed * speed));
    }

    // Mass that slides past a corner with speed w changes its direction from e to e': a force - mu w^2 (e' - e), mu
    // being the mass per length. It is what mu (adot [J^T v] - 1/2 [v.v] da/dq) of the quadratic velocity vector comes
    // to, as v = xdot - w e on either side. Within an element the path is smooth and owes none. What is at the corner
    // is a line of the belly's material, along which w is affine.
    void add_corner(std::size_t k, const Real& c, const T& corner) {
        const Vec<Real> turn = tangent(elements[k + 1], false) - tangent(elements[k], true);
        const MaterialLine<Real> line = belly_.at(c);
        const Real w = proximal_end.d - corner.d + apart(belly_.point(c, line.mean)).d;
        const Real slips = slip_distance.d;
        const Real flux = line.density * (w * w + slips * slips * line.variance());
        corners.push_back({elements[k].last(), turn * Real(-muscle->mass.total * flux)});
    }

    // Unit tangent at an element's start or end.
    Vec<Real> tangent(const Element& element, bool at_end) const {
        if (element.span < 0) return opensim_inertia::tangent<Real>(element, x.data(), at_end);
        const Span<Real>& span = spans[static_cast<std::size_t>(element.span)];
        return span.frame.R *
               std::visit([&](const auto& s) { return real(at_end ? s.arrival : s.departure); }, span.segment);
    }

    // Points of fibres that all start at one place, where the path is affine: their running moments say all, however
    // many they are.
    void sum_points_on_line() {
        const MassDistribution& d = muscle->mass;
        const double per_fibre = 1 / value(fibre);
        std::size_t first = 0;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const bool last = i + 1 == parts.size();
            const double end_xi = last ? 0.0 : value(distance(i + 1)) * per_fibre;
            const std::size_t end = last ? d.mass.size() : std::max(first, d.index_below(end_xi));
            const double m = d.m0[end] - d.m0[first];
            if (!is_affine(parts[i])) {
                for (std::size_t p = first; p < end; ++p)
                    if (d.mass[p] > 0) add_place(parts[i], Real(d.mass[p]), {Real(0.0), Real(d.xi[p])});
            } else if (m > 0) {
                const double mean = (d.m1[end] - d.m1[first]) / m, spread = d.m2[end] - d.m2[first] - m * mean * mean;
                add_place(parts[i], Real(m), {Real(0.0), Real(mean)});
                if (spread > 0) add_spread(parts[i], Real(spread), {Real(0.0), Real(1.0)});
            }
            first = end;
        }
    }

    void sum_points() {
        if constexpr (!Differentiating<Real>)
            if (belly_.is_line()) return sum_points_on_line();
        const MassDistribution& d = muscle->mass;
        part_of_.resize(d.mass.size());
        for (std::size_t p = 0; p < d.mass.size(); ++p) part_of_[p] = locate({Real(d.chi[p]), Real(d.xi[p])});
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const bool affine = is_affine(parts[i]);
            moments_.clear();
            for (std::size_t p = 0; p < d.mass.size(); ++p) {
                if (part_of_[p] != i || !(d.mass[p] > 0)) continue;
                if (affine)
                    moments_.add(belly_.distance(d.chi[p], d.xi[p]), Real(belly_.z(d.chi[p], d.xi[p])), Real(d.mass[p]),
                                 Real(0.0));
                else
                    add_place(parts[i], Real(d.mass[p]), {Real(d.chi[p]), Real(d.xi[p])});
            }
            if (affine) add_moments(parts[i]);
        }
    }
};

}    // namespace opensim_inertia
