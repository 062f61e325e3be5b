// A wrap surface's frame at a state: from ground into it and back, with velocities and accelerations.
#pragma once

#include "opensim_inertia/scalar/time_jet.hpp"
#include "opensim_inertia/state/state.hpp"
#include "opensim_inertia/wrap/wrap_surface.hpp"

namespace opensim_inertia {

template <class Real>
struct SurfaceFrame {
    int body = 0;
    Mat<Real> R;          // to ground
    Vec<Real> c, v, a;    // its origin in ground
    Vec<Real> omega, alpha;
    Vec<Real> body_origin;

    SurfaceFrame() = default;
    SurfaceFrame(const State<Real>& s, const WrapSurface& surface)
        : body(surface.body), body_origin(s.p(surface.body)) {
        const Mat<Real> B = s.R(body);
        const Vec<Real> arm = B * surface.origin.cast<Real>();
        R = B * surface.rotation.cast<Real>();
        omega = s.omega(body);
        alpha = s.alpha(body);
        const Vec<Real> turn = omega.cross(arm);
        c = body_origin + arm;
        v = s.v(body) + turn;
        a = s.a(body) + alpha.cross(arm) + omega.cross(turn);
    }

    Vec3<TimeJet<Real>> to_local(const Vec3<TimeJet<Real>>& x) const {
        const Vec<Real> r = real(x) - c, turn = omega.cross(r);
        const Vec<Real> slip = rate(x) - v - turn;
        const Vec<Real> relative = acceleration(x) - a - alpha.cross(r) - omega.cross(turn) - 2.0 * omega.cross(slip);
        return jets<Real>(R.transpose() * r, R.transpose() * slip, R.transpose() * relative);
    }

    Vec<Real> to_local_place(const Vec<Real>& x) const { return R.transpose() * (x - c); }

    Vec3<TimeJet<Real>> vector_to_ground(const Vec3<TimeJet<Real>>& x) const {
        const Vec<Real> r = R * real(x), slip = R * rate(x), turn = omega.cross(r);
        return jets<Real>(r, turn + slip, alpha.cross(r) + omega.cross(turn + 2.0 * slip) + R * acceleration(x));
    }

    Vec3<TimeJet<Real>> to_ground(const Vec3<TimeJet<Real>>& x) const { return vector_to_ground(x) + jets(c, v, a); }

    // From the body's origin.
    Vec<Real> arm(const Vec<Real>& point_in_ground) const { return point_in_ground - body_origin; }
};

}    // namespace opensim_inertia
