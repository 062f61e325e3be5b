// The ways of a string past a surface on either side, and their shares. (wrap/shares.hpp)
#pragma once

#include <stdexcept>
#include <vector>

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

// The shares of a string that is known and alone on its span, as numbers.
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
        const Vec3d& direction = found->direction;
        const auto string = wrap_ellipsoid(s, p, q, found);    // its level is that of all
        const Vec3<T> end_p = scaled(p, per_a) * string.per_level, end_q = scaled(q, per_a) * string.per_level;
        const T first = firmness(a, direction, end_p, end_q, {found, &found->free});
        if (!found->has_other) return share_out(first);
        const T second = firmness(a, direction, end_p, end_q, {found, &found->other});
        const auto other = wrap_ellipsoid(s, p, q, found->with_other_first());
        const T longer = other.lead + other.bend + other.tail - string.lead - string.bend - string.tail;
        return share_out(first, second, longer * string.per_level * (1 / Found::decisive(a)));
    } else {
        return share_out(firmness_over_sphere(s, p, q));
    }
}

// A string as its neighbours see it, which leave the same end at a small angle to its side: straight pieces, and how
// the bend changes their distance to the side and the angle,
//   distance' = over[0] distance + over[1] angle,   angle' = over[2] distance + over[3] angle.
// Surfaces that are no ellipsoids or spheres count as flat to the side.
template <class T>
struct Neighbourhood {
    T lead, bend, tail;
    std::array<T, 4> over;
    T led;    // what it leads if it swings over, else 1
};

// Of a string that is known.
template <class T, class Wrap>
Neighbourhood<T> neighbourhood(const WrapSurface& s, const Vec3<T>& p, const Vec3<T>& q, const Wrap& known) {
    const T one(1.0), zero(0.0);
    if constexpr (requires { known.solution; }) {
        using namespace ellipsoid;
        const std::shared_ptr<const Found>& found = known.solution;
        const Vec3d& a = s.size;
        const Vec3d per_a = a.cwiseInverse();
        const Vec3d& direction = found->direction;
        const auto string = wrap_ellipsoid(s, p, q, found);
        const Vec3<T> end_p = scaled(p, per_a) * string.per_level, end_q = scaled(q, per_a) * string.per_level;
        const Tied<T> free(a, direction, end_p, end_q, {found, &found->free});
        const GeodesicPoint<T> end = free.end(a, found->free);
        Neighbourhood<T> n{
            string.lead,
            string.bend,
            string.tail,
            {end.beside[0], end.beside[1] * string.level, end.beside_rate[0] * string.per_level, end.beside_rate[1]},
            one};
        if (found->guided) {
            const Tied<T> saddle(a, direction, end_p, end_q, {found, &found->saddle}),
                other(a, direction, end_p, end_q, {found, &found->other});
            n.led = led_in_swing(roundness(a, free.tie(a, end_q), saddle.tie(a, end_q), other.tie(a, end_q),
                                           sine_between(end_p, end_q)));
        }
        return n;
    } else if constexpr (requires { known.bend_curvature(); }) {
        const auto wrap = wrap_helix(s, p, q);
        if (s.kind != &kSphere) return {wrap.lead, wrap.bend, wrap.tail, {one, wrap.bend, zero, one}, one};
        const T k = wrap.bend_curvature(), angle = wrap.bend * k, c = cos(angle), d = sin(angle);
        return {wrap.lead, wrap.bend, wrap.tail, {c, d * inverse(k), d * k * -1.0, c}, one};
    } else {
        throw std::logic_error("kernel: mass that networks lead is not divided");
    }
}

// What of its mass a path leads over several surfaces, one after the other, each string beginning where the one before
// ends: by the distance to the side at its last end of a neighbour that leaves the first end, over that on flat ground.
// A path counts as loose below 0.1 of that, and as firm above 0.25.
template <class T>
T led_over(const std::vector<Neighbourhood<T>>& strings) {
    T distance(0.0), angle(1.0), length(0.0), led(1.0);
    for (const Neighbourhood<T>& n : strings) {
        distance = distance + angle * n.lead;
        const T across = n.over[0] * distance + n.over[1] * angle;
        angle = n.over[2] * distance + n.over[3] * angle;
        distance = across + angle * n.tail;
        length = length + n.lead + n.bend + n.tail;
        led = led * n.led;
    }
    constexpr double as_firm = 2;    // as a single string of twice the number
    return led_by(distance * inverse(length) * as_firm) * led;
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
