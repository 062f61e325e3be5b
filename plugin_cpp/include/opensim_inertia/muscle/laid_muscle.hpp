// A muscle with its mass, laid along its path at one state.
#pragma once

#include "opensim_inertia/muscle/continuous_mass.hpp"
#include "opensim_inertia/muscle/point_masses.hpp"

namespace opensim_inertia {

template <class Real>
class LaidMuscle : public LaidBelly<Real>, public MassSamples<Real> {
  public:
    void lay(const State<Real>& s, const Muscle& muscle) { lay(s, muscle, muscle.map.template as<Real>()); }

    // With another map than the muscle's own; all of its mass, or what is in a window; `ways` as LaidPath takes them.
    void lay(const State<Real>& s, const Muscle& muscle, const MaterialMap<Real>& its_map,
             const MassWindow& window = {}, const std::vector<Choice>* ways = nullptr) {
        this->lay_belly(s, muscle.path, its_map, ways);
        lay_mass(muscle, window);
    }

    // The muscle that was laid last, at the same state, with another map.
    void lay_again(const Muscle& muscle, const MaterialMap<Real>& its_map, const MassWindow& window = {}) {
        this->lay_belly(its_map);
        lay_mass(muscle, window);
    }

    // Straight past all surfaces.
    void lay_straight(const State<Real>& s, const Muscle& muscle, const MaterialMap<Real>& its_map,
                      const MassWindow& window = {}) {
        this->lay_path_straight(s, muscle.path);
        this->lay_belly(its_map);
        lay_mass(muscle, window);
    }

    // The belly on its path, with no sample of its mass.
    void lay_bare(const State<Real>& s, const Muscle& muscle) {
        this->lay_belly(s, muscle.path, muscle.map.template as<Real>());
        this->clear();
    }

    // A share of its mass that grows by `growth` [1/s]: what holds it at accelerations a is share (a + growth v).
    void take_share(const Real& share, const Real& growth) {
        for (Sample<Real>& sample : this->samples) {
            sample.weight = sample.weight * share;
            for (int c = 0; c < 3; ++c) sample.x[c].dd += growth * sample.x[c].d;
        }
        for (CornerForce<Real>& corner : this->corners) corner.force = corner.force * share;
        this->slip_weight = this->slip_weight * share;
        this->slip_distance.dd += growth * this->slip_distance.d;
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
