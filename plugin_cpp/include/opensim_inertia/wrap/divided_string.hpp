// The ways of a string past a surface that it may pass on any side, and their shares. (wrap/shares.hpp)
#pragma once

#include "opensim_inertia/wrap/ellipsoid_wrap.hpp"
#include "opensim_inertia/wrap/helix_wrap.hpp"

namespace opensim_inertia {

// One of the ways.
struct Choice {
    Way way = Way::first;
    std::shared_ptr<const ellipsoid::Found> solution;    // of the string over an ellipsoid, if it is known
};

// Whether the mass that a string leads past this surface could be divided.
inline bool could_be_divided(const WrapSurface& s) {
    return !s.network && !s.has_quadrant() && (s.kind == &kEllipsoid || s.kind == &kSphere);
}

// How firm a string over a sphere is.
template <class T>
T firmness_over_sphere(const WrapSurface& s, const Vec3<T>& p, const Vec3<T>& q) {
    const T per_p = inverse(squared_norm(p)), per_q = inverse(squared_norm(q));
    return sqrt(squared_norm(cross(p, q)) * per_p * per_q * inverse(per_p + per_q)) * (1 / s.size[0]);
}

// The shares of a string that is known, as numbers.
template <class Wrap>
Shares<double> known_shares(const WrapSurface& s, const Vec3d& p, const Vec3d& q, const Wrap& known) {
    if constexpr (requires { known.solution; })
        return known.solution->shares;
    else
        return share_out(firmness_over_sphere(s, scalars(p), scalars(q)));
}

// The same with their derivatives.
template <class T, class Wrap>
Shares<T> shares_of(const WrapSurface& s, const Vec3<T>& p, const Vec3<T>& q, const Wrap& known) {
    if constexpr (requires { known.solution; }) {
        using namespace ellipsoid;
        const std::shared_ptr<const Found>& found = known.solution;
        const Vec3d& a = s.size;
        const Vec3d per_a = a.cwiseInverse();
        const Vec3d direction =
            initial_direction(a, value(p).cwiseProduct(per_a), value(q).cwiseProduct(per_a), nullptr, false, false);
        const auto string = wrap_ellipsoid(s, p, q, found);    // its level is that of all
        const Vec3<T> end_p = scaled(p, per_a) * string.per_level, end_q = scaled(q, per_a) * string.per_level;
        const T first = firmness(a, direction, end_p, end_q, {found, &found->free});
        if (found->guided) {
            const Tied<T> one(a, direction, end_p, end_q, {found, &found->free}),
                saddle(a, direction, end_p, end_q, {found, &found->saddle}),
                two(a, direction, end_p, end_q, {found, &found->other});
            return share_out(first, roundness(a, one.tie(a, end_q), saddle.tie(a, end_q), two.tie(a, end_q),
                                              sine_between(end_p, end_q)));
        }
        if (!found->has_other) return share_out(first);
        const T second = firmness(a, direction, end_p, end_q, {found, &found->other});
        const auto other = wrap_ellipsoid(s, p, q, found->with_other_first());
        const T longer = other.lead + other.bend + other.tail - string.lead - string.bend - string.tail;
        return share_out(first, second, longer * string.per_level * (1 / Found::decisive(a)));
    } else {
        return share_out(firmness_over_sphere(s, p, q));
    }
}

// The string that is known, or the other one.
template <class Wrap>
Choice choice_of(Way way, const Wrap& known) {
    if constexpr (requires { known.solution; })
        return {way, way == Way::second ? known.solution->with_other_first() : known.solution};
    else
        return {way, nullptr};
}

}    // namespace opensim_inertia
