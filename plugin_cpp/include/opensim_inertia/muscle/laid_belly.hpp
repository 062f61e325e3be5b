// A muscle's material along its path at one state.
#pragma once

#include "opensim_inertia/muscle/belly.hpp"
#include "opensim_inertia/muscle/muscle.hpp"
#include "opensim_inertia/path/laid_path.hpp"

namespace opensim_inertia {

template <class Real>
class LaidBelly : public LaidPath<Real> {
  public:
    using T = TimeJet<Real>;
    using LaidPath<Real>::start, LaidPath<Real>::parts, LaidPath<Real>::length, LaidPath<Real>::path;
    T proximal_end, aponeurosis, fibre;    // A, P and B of the material map
    Belly<Real> belly;
    Material<Real> slip{};    // the direction in which the distance from the belly's end stays
    T slip_distance;          // and does so at this moment only
    bool held = false;
    MaterialMap<Real> map;

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

    // Place of a material point that lies on this part.
    Vec3<T> place_on(const Part<Real>& part, const Material<Real>& material) const {
        return this->place_at(part, along(part.element, material));
    }

    // Distance of a part's start from the belly's proximal end, or of the path's end.
    Real distance(std::size_t part) const {
        return (part < parts.size() ? parts[part].start.v : length.v) - proximal_end.v;
    }

  protected:
    void lay_belly(const State<Real>& s, const Path& which, const MaterialMap<Real>& its_map,
                   const std::vector<Choice>* ways = nullptr) {
        this->lay_path(s, which, ways);
        lay_belly(its_map);
    }

    // On the path as it lies.
    void lay_belly(const MaterialMap<Real>& its_map) {
        map = its_map;
        fibre = map.fibre_length(length);
        proximal_end = map.proximal_end(length, fibre);
        aponeurosis = map.aponeurosis_length(length, fibre);
        const double L = value(length), B = value(fibre);
        held = map.holds(L);
        if (!(B > 0) || B > L * (1 + 1e-12))
            throw PathError(*path, "its belly, " + std::to_string(B) + " m, does not fit on its path of " +
                                       std::to_string(L) + " m; check its tendon slack length");
        belly = Belly<Real>(aponeurosis.v, fibre.v);
        slip = belly.point(Real(0.0), Real(1.0));
        slip_distance = apart(slip);
    }
};

}    // namespace opensim_inertia
