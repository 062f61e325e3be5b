// The segment formulas behind one interface: the ways in which a string passes over a surface.
#pragma once

#include "ellipsoid_wrap.hpp"
#include "helix_segment.hpp"
#include "path_network.hpp"

namespace opensim_inertia {

// Every `Segment<T>` has: touches; lead, bend, tail (lengths); departure, arrival (unit directions of lead and tail);
// on_bend(s). All in the surface's frame.
struct Helical {
    template <class T>
    using Segment = HelixSegment<T>;

    template <class T>
    static Segment<T> wrap(const WrapSurface& s, const Vec3<T>& p, const Vec3<T>& q) {
        if (s.kind == SurfaceKind::cylinder) return wrap_cylinder(s, s.turn, p, q);
        return s.kind == SurfaceKind::sphere ? wrap_sphere(s, p, q) : wrap_torus(s, p, q);
    }

    // Gauss points that sum a continuous mass over a share of the bend: the integrands turn twice as fast as the path,
    // error below 1e-12
    template <class T>
    static int gauss_points(const Segment<T>& segment, double share) {
        const double angle = segment.angle() * share;
        return angle < 0.05 ? 3 : angle < 0.22 ? 4 : 5 + static_cast<int>(1.6 * angle);
    }
};

struct OverEllipsoid {
    template <class T>
    using Segment = EllipsoidSegment<T>;

    template <class T>
    static Segment<T> wrap(const WrapSurface& s, const Vec3<T>& p, const Vec3<T>& q) {
        return wrap_ellipsoid(s.size, s.smoothing, s.has_quadrant() ? &s.active : nullptr, p, q);
    }

    // The same segment, differentiated otherwise.
    template <class T, class Known>
    static Segment<T> wrap_again(const WrapSurface& s, const Vec3<T>& p, const Vec3<T>& q,
                                 const Segment<Known>& known) {
        return wrap_ellipsoid(s.size, s.smoothing, s.has_quadrant() ? &s.active : nullptr, p, q, known.solution);
    }

    template <class T>
    static int gauss_points(const Segment<T>&, double share) {
        return 6 + static_cast<int>(std::ceil(8 * share));
    }
};

struct Neural {
    template <class T>
    using Segment = NetworkSegment<T>;

    template <class T>
    static Segment<T> wrap(const WrapSurface& s, const Vec3<T>& p, const Vec3<T>& q) {
        return wrap_network(s, p, q);
    }

    template <class T>
    static int gauss_points(const Segment<T>&, double share) {
        return 8 + static_cast<int>(std::ceil(12 * share));
    }
};

// Calls f with the formula of the surface's kind.
template <class F>
decltype(auto) with_closed_formula(const WrapSurface& s, F&& f) {
    if (s.kind == SurfaceKind::ellipsoid) return f.template operator()<OverEllipsoid>();
    return f.template operator()<Helical>();
}

// Calls f with the formula of the surface.
template <class F>
decltype(auto) with_formula(const WrapSurface& s, F&& f) {
    if (s.network) return f.template operator()<Neural>();
    return with_closed_formula(s, std::forward<F>(f));
}
enum class Piece { whole, lead, bend, tail };

// The places on a segment, in the surface's frame. They depend on the ends p and q, and on the distance along the
// segment.
template <class Formula, class T>
class PlacesOnSegment {
  public:
    using Segment = typename Formula::template Segment<T>;

    PlacesOnSegment(const Segment& segment, const Vec3<T>& p, const Vec3<T>& q) : segment_(segment), p_(p), q_(q) {}

    Vec3<T> point(Piece piece, const T& s) const {
        if (piece == Piece::lead) return p_ + segment_.departure * s;
        if (piece == Piece::bend) return segment_.on_bend(s - segment_.lead);
        return q_ + segment_.arrival * (s - segment_.lead - segment_.bend - segment_.tail);
    }

    // Between places that are so far apart, on the straight pieces.
    Vec3<T> spread(Piece piece, const T& along) const {
        return (piece == Piece::lead ? segment_.departure : segment_.arrival) * along;
    }

  private:
    const Segment& segment_;
    const Vec3<T>&p_, &q_;
};

}    // namespace opensim_inertia
