// Mass that a body carries, beside that of muscles.
#pragma once

#include "opensim_inertia/dynamics/carrier_sum.hpp"

namespace opensim_inertia {

// Mass, first moment and inertia about the body's origin, in its frame. What a body has given up is negative.
struct RigidMass {
    int body = 0;
    double mass = 0;
    Vec3d moment = Vec3d::Zero();
    Mat3d inertia = Mat3d::Zero();

    // With the bodies' accelerations at udot = 0 (bodies, 6): those by which the model's own bodies are moved, which
    // need not be the state's.
    void add_to(const State<double>& s, const double* bias, const Vec3d& field, CarrierSum& sum) const {
        const Vec3d c = s.R(body) * moment, w = s.omega(body);
        const Vec3d alpha(bias + 6 * body), a(bias + 6 * body + 3);
        const Mat3d I = turned_inertia(s), across = cross_matrix(c);
        CarrierSum::Block& block = sum.between(body, body);
        block.topLeftCorner<3, 3>() += I;
        block.topRightCorner<3, 3>() += across;
        block.bottomLeftCorner<3, 3>() -= across;
        block.bottomRightCorner<3, 3>() += mass * Mat3d::Identity();
        sum.bias.segment<3>(6 * body) -= I * alpha + c.cross(a) + w.cross(I * w);
        sum.bias.segment<3>(6 * body + 3) -= mass * a + alpha.cross(c) + w.cross(w.cross(c));
        sum.gravity.segment<3>(6 * body) += c.cross(field);
        sum.gravity.segment<3>(6 * body + 3) += mass * field;
    }

    double kinetic(const State<double>& s) const {
        const Vec3d w = s.omega(body), v = s.v(body);
        return 0.5 * (w.dot(turned_inertia(s) * w) + mass * v.squaredNorm()) + v.dot(w.cross(s.R(body) * moment));
    }

    // In ground.
    Vec3d moment_about_ground(const State<double>& s) const { return mass * s.p(body) + s.R(body) * moment; }

  private:
    Mat3d turned_inertia(const State<double>& s) const { return s.R(body) * inertia * s.R(body).transpose(); }

    static Mat3d cross_matrix(const Vec3d& c) {
        Mat3d m;
        m << 0, -c[2], c[1], c[2], 0, -c[0], -c[1], c[0], 0;
        return m;
    }
};

}    // namespace opensim_inertia
