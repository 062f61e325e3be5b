// The samples that sum a muscle's mass at one state, and the corners it slides past.
#pragma once

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
};

// Force that turns the mass sliding past a corner, on the corner's node [N].
template <class Real>
struct CornerForce {
    int node;
    Vec<Real> force;
};

template <class Real>
class MassSamples {
  public:
    std::vector<Sample<Real>> samples;    // in the order of their elements
    std::vector<CornerForce<Real>> corners;
    Real slip_weight = Real(0.0);        // sum of mass times the square of what is along LaidBelly::slip
    MassMoments<Real> moments;           // collected for a part on which the place is affine
    std::vector<std::size_t> part_of;    // of each point mass

    void clear() {
        samples.clear();
        corners.clear();
        slip_weight = Real(0.0);
    }

    void add_place(const LaidBelly<Real>& m, const Part<Real>& part, const Real& mass, const Material<Real>& material) {
        samples.push_back({part.element, part.piece, material, mass, false, m.place_on(part, material)});
    }

    void add_spread(const LaidBelly<Real>& m, const Part<Real>& part, const Real& weight,
                    const Material<Real>& direction) {
        samples.push_back({part.element, part.piece, direction, weight, true, m.spread_at(part, m.apart(direction))});
    }

    void add_moments(const LaidBelly<Real>& m, const Part<Real>& part) {
        slip_weight += moments.reduce(
            m.belly, [&](const Real& mass, const Material<Real>& material) { add_place(m, part, mass, material); },
            [&](const Real& weight, const Material<Real>& direction) { add_spread(m, part, weight, direction); });
    }
};

}    // namespace opensim_inertia
