// A muscle laid along its path at one state: nodes, elements, the samples that sum its mass, and the corners it slides
// past.
#pragma once

#include <optional>
#include <vector>

#include "material_path.hpp"
#include "muscle.hpp"

namespace opensim_inertia {

// A weighted vector whose squares add up to the muscle's: a place (of some mass) or a spread (dx/dbeta, which gravity
// does not see).
struct Sample {
    std::size_t element;
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

class LaidMuscle {
  public:
    std::vector<Node> nodes;
    std::vector<Vec3<TimeJet>> x;
    std::vector<Vec3<TimeJet>> seen_from_first;    // node i + 1 from the first node of its element
    std::vector<Element> elements;
    std::vector<TimeJet> start;     // arc length at which each element starts
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

    // Elements on which the material points `beta` (increasing) lie.
    std::vector<std::size_t> locate(const std::vector<double>& beta) const {
        std::vector<std::size_t> found;
        std::size_t k = 0;
        for (double b : beta) {
            while (k + 1 < elements.size() && b >= beta_at(k + 1).v) ++k;
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

    // Place of the material point beta, which lies on element k.
    Vec3<TimeJet> place_on(std::size_t k, double beta) const {
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
        if (!muscle->wraps) {
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
        seen_from_first.resize(x.size());
        length = TimeJet();
        for (const Element& element : elements) {
            const auto first = static_cast<std::size_t>(element.first);
            for (std::size_t i = first; i < static_cast<std::size_t>(element.last()); ++i)
                seen_from_first[i] = x[i + 1] - x[first];
            start.push_back(length);
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

    // Material coordinate at the start of element k.
    TimeJet beta_at(std::size_t k) const { return (start[k] - proximal_end) * inverse(belly); }

    void add_straight(std::size_t k, const ElementMass& part) {
        if (part.mass <= 0) return;
        const auto on = material<Shape::straight>(k);
        const Vec3<TimeJet>& first = x[static_cast<std::size_t>(elements[k].first)];
        samples.push_back({k, part.mean, part.mass, false, first + on.point(part.mean)});
        if (part.spread > 0) samples.push_back({k, part.mean, part.spread, true, on.spread()});
    }

    void add_on_arc(std::size_t k, double beta, double mass) {
        samples.push_back({k, beta, mass, false, place_on(k, beta)});
    }

    void sum_continuous() {
        const double m = muscle->mass.total;
        double low = 0;
        for (std::size_t k = 0; k < elements.size(); ++k) {
            const bool last = k + 1 == elements.size();
            const TimeJet end = last ? TimeJet(1.0) : beta_at(k + 1);
            const double high = last ? 1.0 : std::clamp(end.v, 0.0, 1.0);
            if (high > low) {
                if (!elements[k].arc) {
                    add_straight(k, uniform_part(m, low, high));
                } else {
                    const GaussRule& rule = elements[k].arc->rule;
                    for (std::size_t g = 0; g < rule.x.size(); ++g)
                        add_on_arc(k, low + (high - low) * rule.x[g], m * (high - low) * rule.w[g]);
                }
            }
            low = std::max(low, high);
            if (!last && end.v > 0 && end.v < 1) add_corner(k, end);
        }
    }

    // Mass that slides past a corner with speed w = B |d(beta)/dt| changes its direction from e to e': the momentum
    // flux (m / B) w^2 (e' - e). It is what mu (adot [J^T v] - 1/2 [v.v] da/dq) of the quadratic velocity vector comes
    // to, as v = xdot - B adot e on either side.
    void add_corner(std::size_t k, const TimeJet& beta) {
        const Vec3d turn = tangent(elements[k + 1], x.data(), false) - tangent(elements[k], x.data(), true);
        corners.push_back({elements[k].last(), -muscle->mass.total * belly.v * beta.d * beta.d * turn});
    }

    void sum_points() {
        const MassDistribution& d = muscle->mass;
        std::size_t i = 0;
        for (std::size_t k = 0; k < elements.size(); ++k) {
            const bool last = k + 1 == elements.size();
            const std::size_t j = last ? d.beta.size() : std::max(i, d.index_below(beta_at(k + 1).v));
            if (!elements[k].arc) {
                add_straight(k, points_part(d, i, j));
            } else {
                for (std::size_t p = i; p < j; ++p)
                    if (d.mass[p] > 0) add_on_arc(k, d.beta[p], d.mass[p]);
            }
            i = j;
        }
    }
};

}    // namespace opensim_inertia
