// A muscle laid along its path at one state: nodes, elements, the samples that sum its mass, and the corners it slides past.
#pragma once

#include <vector>

#include "material_path.hpp"
#include "muscle.hpp"

namespace opensim_inertia {

// A weighted vector whose squares add up to the muscle's: a place (of some mass) or a spread (dx/dbeta, of zero weight in gravity).
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
    std::vector<Element> elements;
    std::vector<Sample> samples;
    std::vector<CornerForce> corners;
    std::vector<std::size_t> element_of;  // of each point mass, see `locate`
    double length = 0, belly = 0;
    bool held = false;

    void lay(const State& s, const Muscle& muscle) {
        build(s, muscle);
        const MaterialPath<TimeJet> path(elements, x.data(), muscle.map, start_, length_);
        check(muscle, path);
        samples.clear();
        corners.clear();
        if (muscle.mass.total > 0) muscle.mass.continuous ? sum_continuous(muscle, path) : sum_points(muscle, path);
    }

    // Elements on which the material points `beta` (increasing) lie.
    void locate(const Muscle& muscle, const std::vector<double>& beta) {
        const MaterialPath<TimeJet> path(elements, x.data(), muscle.map, start_, length_);
        element_of.clear();
        std::size_t k = 0;
        for (double b : beta) {
            while (k + 1 < elements.size() && b >= value(path.beta(path.start(k + 1)))) ++k;
            element_of.push_back(k);
        }
    }

    // The path formula over the present nodes with any scalar (see material_path.hpp).
    const MaterialMap& map() const { return *map_; }

  private:
    const MaterialMap* map_ = nullptr;
    std::vector<TimeJet> start_, length_;

    static constexpr double kCoincident = 1e-9;  // [m] nodes nearer than this are one

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

    void build(const State& s, const Muscle& muscle) {
        map_ = &muscle.map;
        nodes.clear();
        x.clear();
        elements.clear();
        if (!muscle.wraps) {
            for (const PathPoint& point : muscle.points)
                if (point.active(s.q)) connect(place(s, point));
        } else {
            for (int i : muscle.sequence) {
                if (i >= 0)
                    connect(place(s, muscle.points[static_cast<std::size_t>(i)]));
                else
                    add_arc(s, muscle.arcs[static_cast<std::size_t>(-1 - i)]);
            }
        }
        if (elements.empty()) throw PathError(muscle, "its path has no length at this state");
    }

    void add_arc(const State& s, const FreeArc& arc) {
        const auto& c = arc.controls;
        connect(place(s, c.front()));
        const double chord = (c.front().station - c.back().station).norm() + (c[c.size() / 2].station - c.front().station).norm();
        if (chord < 1e-7) return;  // touching without wrapping
        const int first = static_cast<int>(nodes.size()) - 1;
        for (std::size_t j = 1; j < c.size(); ++j) {
            nodes.push_back(place(s, c[j]));
            x.push_back(nodes.back().x);
        }
        elements.push_back({first, &ArcBasis::of(static_cast<int>(c.size()))});
    }

    void check(const Muscle& muscle, const MaterialPath<TimeJet>& path) {
        length = path.L.v;
        belly = path.B.v;
        held = muscle.map.holds(length);
        if (!(belly > 0) || belly > length * (1 + 1e-12))
            throw PathError(muscle, "its belly, " + std::to_string(belly) + " m, does not fit on its path of " +
                                        std::to_string(length) + " m; check its tendon slack length");
    }

    void add(const MaterialPath<TimeJet>& path, std::size_t k, const ElementMass& part) {
        if (part.mass <= 0) return;
        samples.push_back({k, part.mean, part.mass, false, path.point(k, part.mean)});
        if (part.spread > 0) samples.push_back({k, part.mean, part.spread, true, path.spread(k)});
    }

    void sum_continuous(const Muscle& muscle, const MaterialPath<TimeJet>& path) {
        const double m = muscle.mass.total;
        double low = 0;
        for (std::size_t k = 0; k < elements.size(); ++k) {
            const bool last = k + 1 == elements.size();
            const TimeJet end = last ? TimeJet(1.0) : path.beta(path.start(k + 1));
            const double high = last ? 1.0 : std::clamp(end.v, 0.0, 1.0);
            if (high > low) {
                if (!elements[k].arc) {
                    add(path, k, uniform_part(m, low, high));
                } else {
                    const GaussRule& rule = elements[k].arc->rule;
                    for (std::size_t g = 0; g < rule.x.size(); ++g)
                        add(path, k, {m * (high - low) * rule.w[g], low + (high - low) * rule.x[g], 0});
                }
            }
            low = std::max(low, high);
            if (!last && end.v > 0 && end.v < 1) add_corner(m, path, k, end);
        }
    }

    // Mass that slides past a corner with speed w = B |d(beta)/dt| changes its direction from e to e': the momentum flux
    // (m / B) w^2 (e' - e). It is what mu (adot [J^T v] - 1/2 [v.v] da/dq) of the design comes to, as v = xdot - B adot e.
    void add_corner(double m, const MaterialPath<TimeJet>& path, std::size_t k, const TimeJet& beta) {
        const Vec3d turn = tangent(elements[k + 1], x.data(), false) - tangent(elements[k], x.data(), true);
        corners.push_back({elements[k].last(), -m * path.B.v * beta.d * beta.d * turn});
    }

    void sum_points(const Muscle& muscle, const MaterialPath<TimeJet>& path) {
        const MassDistribution& d = muscle.mass;
        std::size_t i = 0;
        for (std::size_t k = 0; k < elements.size(); ++k) {
            const bool last = k + 1 == elements.size();
            const std::size_t j =
                last ? d.beta.size() : std::max(i, d.index_below(value(path.beta(path.start(k + 1)))));
            if (!elements[k].arc) {
                add(path, k, points_part(d, i, j));
            } else {
                for (std::size_t p = i; p < j; ++p) add(path, k, {d.mass[p], d.beta[p], 0});
            }
            i = j;
        }
    }
};

}  // namespace opensim_inertia
