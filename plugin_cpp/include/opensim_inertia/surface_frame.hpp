// A wrap surface's frame at a state: from ground into it and back, with velocities and accelerations.
#pragma once

#include "state.hpp"
#include "time_jet.hpp"
#include "wrap_surface.hpp"

namespace opensim_inertia {

struct SurfaceFrame {
    int body = 0;
    Mat3d R;          // to ground
    Vec3d c, v, a;    // its origin in ground
    Vec3d omega, alpha;
    Vec3d body_origin;

    SurfaceFrame() = default;
    SurfaceFrame(const State& s, const WrapSurface& surface) : body(surface.body), body_origin(s.p(surface.body)) {
        const Mat3d B = s.R(body);
        const Vec3d arm = B * surface.origin;
        R = B * surface.rotation;
        omega = s.omega(body);
        alpha = s.alpha(body);
        const Vec3d turn = omega.cross(arm);
        c = body_origin + arm;
        v = s.v(body) + turn;
        a = s.a(body) + alpha.cross(arm) + omega.cross(turn);
    }

    Vec3<TimeJet> to_local(const Vec3<TimeJet>& x) const {
        const Vec3d r = value(x) - c, turn = omega.cross(r);
        const Vec3d slip = rate(x) - v - turn;
        const Vec3d push = acceleration(x) - a - alpha.cross(r) - omega.cross(turn) - 2 * omega.cross(slip);
        return jets(R.transpose() * r, R.transpose() * slip, R.transpose() * push);
    }

    Vec3<TimeJet> vector_to_ground(const Vec3<TimeJet>& x) const {
        const Vec3d r = R * value(x), slip = R * rate(x), turn = omega.cross(r);
        return jets(r, turn + slip, alpha.cross(r) + omega.cross(turn) + 2 * omega.cross(slip) + R * acceleration(x));
    }

    Vec3<TimeJet> to_ground(const Vec3<TimeJet>& x) const { return vector_to_ground(x) + jets(c, v, a); }

    // From the body's origin.
    Vec3d arm(const Vec3d& point_in_ground) const { return point_in_ground - body_origin; }
};

}    // namespace opensim_inertia
