// One muscle's part of inverse dynamics at a state: wrenches on the bodies it touches and forces on sliding
// coordinates.
#pragma once

#include "opensim_inertia/dynamics/node_forces.hpp"

namespace opensim_inertia {

// Wrenches on bodies, about their origins, (6 bodies), and forces on coordinates (speeds).
template <class Real>
struct CarriedForces {
    VectorOf<Real> wrench, tau;

    void clear(Eigen::Index bodies, Eigen::Index speeds) {
        wrench.setZero(6 * bodies);
        tau.setZero(speeds);
    }
    void add(int body, const Three<Real>& moment, const Three<Real>& force) {
        for (int c = 0; c < 3; ++c) {
            wrench[6 * body + c] += moment[c];
            wrench[6 * body + 3 + c] += force[c];
        }
    }
    void pull(int speed, const Real& force) { tau[speed] += force; }
    // The generalized forces; few bodies have a wrench.
    Vector projected(const State<double>& s) const {
        Vector all = tau;
        for (int b = 0; b < s.bodies; ++b) {
            const Eigen::Matrix<double, 6, 1> own = wrench.template segment<6>(6 * b);
            if (own.any()) all.noalias() += RowMap(s.jacobian + 6 * b * s.speeds, 6, s.speeds).transpose() * own;
        }
        return all;
    }
};

template <class Real>
class MuscleForces {
  public:
    LaidMuscle<Real> laid;

    void find(const State<Real>& s, const Muscle& muscle, const Vec3d& gravity) {
        find(s, muscle, muscle.map.template as<Real>(), gravity);
    }

    void find(const State<Real>& s, const Muscle& muscle, const MaterialMap<Real>& map, const Vec3d& gravity) {
        state_ = &s;
        laid.lay(s, muscle, map);
        if (laid.is_divided()) return divide(muscle, map, gravity);
        find_as_laid(gravity);
    }

    // The muscle that was found last, at the same state, which is still there, with another map.
    void find_again(const Muscle& muscle, const MaterialMap<Real>& map, const Vec3d& gravity) {
        laid.lay_again(muscle, map);
        if (laid.is_divided()) return divide(muscle, map, gravity);
        find_again_as_laid(gravity);
    }

    // Of the muscle laid straight past all surfaces.
    void find_straight(const State<Real>& s, const Muscle& muscle, const MaterialMap<Real>& map, const Vec3d& gravity) {
        laid.lay_straight(s, muscle, map);
        find_as_laid(gravity);
    }

    // Of `laid` as it is, which is not divided.
    void find_as_laid(const Vec3d& gravity) {
        gradients_.start(laid);
        find_again_as_laid(gravity);
    }

    // The same, where only its samples have changed since, not its path.
    void find_again_as_laid(const Vec3d& gravity) {
        forces_.clear();
        add(laid, gravity);
    }

    // The muscle's mass on several paths, where it is divided.
    const DividedMuscle<Real>& divided() const { return divided_; }

    void add_moment(int body, const Vec<Real>& moment) { forces_.act(body, three(moment), Three<Real>::zero()); }

    double stretch() const { return stretch_; }

    // Of the spans of `laid`, if that is not divided.
    AllSpanGradients<Real>& gradients() { return gradients_; }

    // Adds all of them, by sum.add(body, moment about its origin, force) and sum.pull(speed, force).
    template <class Sum>
    void add_to(Sum&& sum) const {
        for (const auto& w : forces_.wrenches) sum.add(w.body, w.moment, w.force);
        for (const auto& on : forces_.on_speeds) sum.pull(on.speed, on.pull);
    }

    // Parts of the forces that were found last: of the accelerations through udot, of which `twist` gives those of
    // bodies; of gravity; of a mass `kg` that moves as fast as the length changes, and the same at udot = 0.
    enum Part { kInertia, kWeight, kRates, kRatesAtRest, kParts };
    template <class TwistOf>
    OPENSIM_INERTIA_CLONES const NodeForces<Real, FourNumbers>& find_parts(const TwistOf& twist, const double* udot,
                                                                           const Vec3d& g, double kg) {
        parts_.clear();
        const auto begin = [&](const LaidMuscle<Real>& m) OPENSIM_INERTIA_INLINED_LAMBDA {
            parts_.begin(m, gradients_);
            motions_.find(m, gradients_, twist, [&](int speed) { return udot[speed]; });
        };
        const auto load = [&](const LaidMuscle<Real>& m) OPENSIM_INERTIA_INLINED_LAMBDA {
            each_sample(m, gradients_, m.samples, [&](const auto& place) { add_parts(place, g); });
            const double slips = map_derivatives(m).apart(m.slip);
            FourNumbers slipping(0.0);
            slipping.set(kInertia, m.slip_weight * slips * slips * motions_.length);
            parts_.pull(slipping);
        };
        if (laid.is_divided()) {
            for (const LaidMuscle<Real>& part : divided_.parts) {
                gradients_.start(part);
                begin(part);
                load(part);
                parts_.finish();
            }
            gradients_.start(laid);
            begin(laid);
            for (const auto& at : divided_.ends) {
                const auto none = Three<FourNumbers>::zero();
                BothEnds<FourNumbers> f{none, none};
                for (int i = 0; i < 6; ++i)
                    f[static_cast<std::size_t>(i / 3)][i % 3].set(kWeight, -at.moment.row(i).matrix().dot(g));
                parts_.load_ends(laid.elements[at.element], f);
            }
        } else {
            begin(laid);
            load(laid);
        }
        FourNumbers rates(0.0);
        rates.set(kRates, kg * laid.length.dd);
        rates.set(kRatesAtRest, kg * (laid.length.dd - motions_.length));
        parts_.pull(rates);
        parts_.finish();
        return parts_;
    }

  private:
    NodeForces<Real> forces_;
    NodeForces<Real, FourNumbers> parts_;
    NodeMotions<double> motions_;
    AllSpanGradients<Real> gradients_;
    DividedMuscle<Real> divided_;
    const State<Real>* state_ = nullptr;
    double stretch_ = 0;

    template <class Place>
    OPENSIM_INERTIA_CLONES void add_parts(const Place& place, const Vec3d& g) {
        const double weight = place.sample.weight;
        const Three<double> a = motions_.of(place);
        const Vec3d its_g = place.seen(g);
        auto f = Three<FourNumbers>::zero();
        for (int c = 0; c < 3; ++c) {
            f[c].set(kInertia, weight * a[c]);
            if (!place.sample.is_spread) f[c].set(kWeight, -weight * its_g[c]);
        }
        parts_.load(place, f);
    }

    // Of accelerations that contain udot.
    void add(const LaidMuscle<Real>& m, const Vec3d& g) {
        forces_.begin(m, gradients_);
        Stretch stretch;
        each_sample(m, gradients_, m.samples, [&](const auto& place) {
            Vec<Real> a = acceleration(place.sample.x);
            if (!place.sample.is_spread) a -= g;
            forces_.load(place, place.sample.weight * three(place.seen(a)));
            stretch.add(place);
        });
        stretch_ = stretch.largest();
        // what slips past other material at its place only pulls along the path
        forces_.pull(m.slip_weight * map_derivatives(m).apart(m.slip) * m.slip_distance.dd);
        forces_.turn(Real(-1.0));
        forces_.finish();
    }

    void divide(const Muscle& muscle, const MaterialMap<Real>& map, const Vec3d& g) {
        divided_.divide(*state_, muscle, map, laid);
        forces_.clear();
        for (const LaidMuscle<Real>& part : divided_.parts) {
            gradients_.start(part);
            add(part, g);
        }
        gradients_.start(laid);
        forces_.begin(laid, gradients_);
        for (const auto& at : divided_.ends) {
            Eigen::Array<Real, 6, 1> f = at.kinetic * Real(-1.0);
            for (int c = 0; c < 3; ++c) f -= at.moment.col(c) * Real(g[c]);
            forces_.load_ends(laid.elements[at.element], {{{f[0], f[1], f[2]}, {f[3], f[4], f[5]}}});
        }
        forces_.finish();
        stretch_ = 0;
    }
};

}    // namespace opensim_inertia
