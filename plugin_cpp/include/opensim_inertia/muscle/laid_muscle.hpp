// A muscle with its mass, laid along its path at one state.
#pragma once

#include "opensim_inertia/muscle/continuous_mass.hpp"
#include "opensim_inertia/muscle/point_masses.hpp"

namespace opensim_inertia {

template <class Real>
class LaidMuscle : public LaidBelly<Real>, public MassSamples<Real> {
  public:
    void lay(const State<Real>& s, const Muscle& muscle) { lay(s, muscle, muscle.map.template as<Real>()); }

    // With another map than the muscle's own; all of its mass, or what is in a window.
    void lay(const State<Real>& s, const Muscle& muscle, const MaterialMap<Real>& its_map,
             const MassWindow& window = {}) {
        this->lay_belly(s, muscle.path, its_map);
        lay_mass(muscle, window);
    }

    // The muscle that was laid last, at the same state, with another map.
    void lay_again(const Muscle& muscle, const MaterialMap<Real>& its_map, const MassWindow& window = {}) {
        this->lay_belly(its_map);
        lay_mass(muscle, window);
    }

    // The belly on its path, with no sample of its mass.
    void lay_bare(const State<Real>& s, const Muscle& muscle) {
        this->lay_belly(s, muscle.path, muscle.map.template as<Real>());
        this->clear();
    }

    // The mass as a rigid body, in ground: [[sum m x x^T, sum m x], [., sum m]] (Wensing, Kim, Slotine 2018).
    Mat4<Real> pseudo_inertia() const {
        Mat4<Real> P = Mat4<Real>::Zero();
        for (const Sample<Real>& s : this->samples) {
            Eigen::Matrix<Real, 4, 1> place;
            place << real(s.x), Real(s.is_spread ? 0.0 : 1.0);
            P += s.weight * place * place.transpose();
        }
        return P;
    }

  private:
    void lay_mass(const Muscle& muscle, const MassWindow& window) {
        this->clear();
        if (muscle.mass.total <= 0) return;
        if (muscle.mass.continuous)
            ContinuousMass<Real>(*this, muscle.mass.total, *this).sum(window);
        else
            PointMasses<Real>(*this, muscle.mass, *this).sum(window);
    }
};

}    // namespace opensim_inertia
