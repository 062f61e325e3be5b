// A muscle's mass as the published model holds it: fixed to a body at the reference pose.
#pragma once

#include <algorithm>
#include <vector>

#include "opensim_inertia/state/state.hpp"

namespace opensim_inertia {

// Mass, first moment and inertia about the body's origin, in its frame. It moves as Simbody moves its own bodies.
struct FrozenMass {
    int body = 0;
    double mass = 0;
    Vec3d moment = Vec3d::Zero();
    Mat3d inertia = Mat3d::Zero();

    static constexpr int kNumbers = 10;

    // Of mass, first moment and second moments xx, yy, zz, xy, xz, yz.
    static FrozenMass of(int body, const double* numbers) {
        const double* s = numbers + 4;
        FrozenMass m{body, numbers[0], Vec3d(numbers[1], numbers[2], numbers[3]), {}};
        m.inertia << s[1] + s[2], -s[3], -s[4], -s[3], s[0] + s[2], -s[5], -s[4], -s[5], s[0] + s[1];
        return m;
    }

    // Adds this mass to that of its body.
    void add_to(std::vector<FrozenMass>& of_bodies) const {
        const auto same = std::ranges::find(of_bodies, body, &FrozenMass::body);
        if (same == of_bodies.end()) {
            of_bodies.push_back(*this);
            return;
        }
        same->mass += mass;
        same->moment += moment;
        same->inertia += inertia;
    }

    // Moment about the body's origin and force, in ground, that the motion needs under gravity.
    template <class Real>
    Eigen::Matrix<Real, 6, 1> wrench(const State<Real>& s, const Vec3d& gravity) const {
        const Mat<Real> R = s.R(body);
        const Vec<Real> w = R.transpose() * s.omega(body), alpha = R.transpose() * s.simbody_alpha(body),
                        a = R.transpose() * (s.simbody_a(body) - gravity.cast<Real>());
        const Mat<Real> I = inertia.cast<Real>();
        const Vec<Real> c = moment.cast<Real>();
        Eigen::Matrix<Real, 6, 1> out;
        out << R * (I * alpha + w.cross(I * w) + c.cross(a)),
            R * (Real(mass) * a + alpha.cross(c) + w.cross(w.cross(c)));
        return out;
    }

    // In ground.
    Mat3d turned_inertia(const State<double>& s) const { return s.R(body) * inertia * s.R(body).transpose(); }
    Vec3d moment_about_ground(const State<double>& s) const { return mass * s.p(body) + s.R(body) * moment; }

    double kinetic(const State<double>& s) const {
        const Vec3d w = s.omega(body), v = s.v(body);
        return 0.5 * (w.dot(turned_inertia(s) * w) + mass * v.squaredNorm()) + v.dot(w.cross(s.R(body) * moment));
    }
};

// Of some muscles, each in several stretches.
using FrozenMuscles = std::vector<std::vector<FrozenMass>>;

}    // namespace opensim_inertia
