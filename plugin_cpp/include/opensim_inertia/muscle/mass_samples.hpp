// The samples that sum a muscle's mass at one state, and the corners it slides past.
#pragma once

#include <span>
#include <vector>

#include "opensim_inertia/muscle/laid_belly.hpp"

namespace opensim_inertia {

// A weighted vector whose squares add up to the muscle's: the place of a material point (of some mass), or a spread
// (how the place changes along a direction of the material, which gravity does not see).
template <class Real>
struct Sample {
    using T = TimeJet<Real>;
    std::size_t element;
    Piece piece;
    Material<Real> material;
    Real weight;
    bool is_spread;
    Vec3<T> x;

    // How far it is along its element, or how far a spread reaches.
    T along(const LaidBelly<Real>& m) const { return is_spread ? m.apart(material) : m.along(element, material); }
};

// Force that turns the mass sliding past a corner, on the corner's node [N].
template <class Real>
struct CornerForce {
    int node;
    Vec<Real> force;
};

// The mass at some distances from the belly's proximal end, on a part on which the place is not affine.
template <class Real>
struct MassLines {
    std::vector<Real> c, mass;
    std::vector<Material<Real>> mean;
    std::vector<Vec<Real>> curvature;       // of the path there
    std::vector<Material<Real>> passing;    // material points that pass there

    void clear() {
        c.clear();
        mass.clear();
        mean.clear();
    }
    void add(const Real& distance, const Real& its_mass, const Material<Real>& its_mean) {
        c.push_back(distance);
        mass.push_back(its_mass);
        mean.push_back(its_mean);
    }
};

template <class Real>
class MassSamples {
  public:
    using T = TimeJet<Real>;

    std::vector<Sample<Real>> samples;    // in the order of their elements
    std::vector<CornerForce<Real>> corners;
    Real slip_weight = Real(0.0);        // sum of mass times the square of what is along LaidBelly::slip
    MassMoments<Real> moments;           // collected for a part on which the place is affine
    MassLines<Real> lines;               // the same where it is not
    std::vector<std::size_t> part_of;    // of each point mass

    void clear() {
        samples.clear();
        corners.clear();
        slip_weight = Real(0.0);
    }

    // A material point, or a spread, on a part whose places are on a line.
    void add(const LaidBelly<Real>& m, const Part<Real>& part, const Line<T>& line, const Real& weight,
             const Material<Real>& material, bool is_spread) {
        const Vec3<T> x = is_spread ? line.spread(m.apart(material)) : line.point(m.along(part.element, material));
        samples.push_back({part.element, part.piece, material, weight, is_spread, x});
    }

    // Places of many material points on one part; `places` until the next call.
    std::span<Vec3<T>> find_places(const LaidBelly<Real>& m, const Part<Real>& part,
                                   std::span<const Material<Real>> material) {
        distances_.clear();
        for (const Material<Real>& point : material) distances_.push_back(m.along(part.element, point));
        places_.resize(material.size());
        m.places_at(part, distances_, places_);
        return places_;
    }

    void add_places(const LaidBelly<Real>& m, const Part<Real>& part, std::span<const Real> mass,
                    std::span<const Material<Real>> material) {
        const std::span<Vec3<T>> places = find_places(m, part, material);
        for (std::size_t i = 0; i < mass.size(); ++i)
            samples.push_back({part.element, part.piece, material[i], mass[i], false, places[i]});
    }

    void add_moments(const LaidBelly<Real>& m, const Part<Real>& part) {
        const Line<T> line = m.line_of(part);
        const auto add_as = [&](bool is_spread) {
            return [&, is_spread](const Real& weight, const Material<Real>& material) {
                add(m, part, line, weight, material, is_spread);
            };
        };
        slip_weight += moments.reduce(m.belly, add_as(false), add_as(true));
    }

  private:
    std::vector<T> distances_;
    std::vector<Vec3<T>> places_;
};

}    // namespace opensim_inertia
