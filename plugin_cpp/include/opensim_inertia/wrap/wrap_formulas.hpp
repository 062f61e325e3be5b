// The wrap formulas behind one interface.
#pragma once

#include <algorithm>
#include <span>
#include <stdexcept>
#include <tuple>
#include <variant>

#include "opensim_inertia/wrap/divided_string.hpp"
#include "opensim_inertia/wrap/path_network.hpp"

namespace opensim_inertia {

// All kinds of surfaces.
inline constexpr SurfaceKind kSurfaces[] = {&kCylinder, &kSphere, &kEllipsoid, &kTorus};

// Every `Wrap<T>` has: touches; lead, bend, tail (lengths); departure, arrival (unit directions of lead and tail);
// on_bend(s), and where the bend is all of the string perhaps on_bend(many s, places). All in the surface's frame.
struct Helical {
    template <class T>
    using Wrap = HelixWrap<T>;

    template <class T>
    static Wrap<T> wrap(const WrapSurface& s, const Vec3<T>& p, const Vec3<T>& q) {
        return wrap_helix(s, p, q);
    }

    // Gauss points that sum a continuous mass over a fraction of the bend: the integrands turn twice as fast as the
    // path, error below 1e-12
    template <class T>
    static int gauss_points(const Wrap<T>& wrap, double fraction) {
        const double angle = wrap.angle() * fraction;
        return angle < 0.05 ? 3 : angle < 0.22 ? 4 : 5 + static_cast<int>(1.6 * angle);
    }
};

struct OverEllipsoid {
    template <class T>
    using Wrap = EllipsoidWrap<T>;

    template <class T>
    static Wrap<T> wrap(const WrapSurface& s, const Vec3<T>& p, const Vec3<T>& q) {
        return wrap_ellipsoid(s, p, q);
    }

    // Over no other surface; `known`: the solution, or null.
    template <class T>
    static Wrap<T> wrap_alone(const WrapSurface& s, const Vec3<T>& p, const Vec3<T>& q,
                              const std::shared_ptr<const ellipsoid::Found>& known) {
        return wrap_ellipsoid(s, p, q, known, true);
    }

    // The same string, differentiated otherwise.
    template <class T, class Known>
    static Wrap<T> wrap_again(const WrapSurface& s, const Vec3<T>& p, const Vec3<T>& q, const Wrap<Known>& known) {
        return wrap_ellipsoid(s, p, q, known.solution);
    }

    // Six, and one for each piece of the geodesic, which turns by about a radian; never more than 14.
    template <class T>
    static int gauss_points(const Wrap<T>& wrap, double fraction) {
        const int pieces = wrap.guided ? 8 : std::min(8, wrap.series->pieces());
        return 6 + static_cast<int>(std::ceil(pieces * fraction));
    }
};

struct Neural {
    template <class T>
    using Wrap = NetworkWrap<T>;

    template <class T>
    static Wrap<T> wrap(const WrapSurface& s, const Vec3<T>& p, const Vec3<T>& q) {
        return wrap_network(s, p, q);
    }

    // The same string, differentiated otherwise.
    template <class T, class Known>
    static Wrap<T> wrap_again(const WrapSurface& s, const Vec3<T>& p, const Vec3<T>& q, const Wrap<Known>& known) {
        return wrap_network(s, p, q, &known);
    }

    template <class T>
    static int gauss_points(const Wrap<T>&, double fraction) {
        return 8 + static_cast<int>(std::ceil(12 * fraction));
    }
};

// All formulas, each with a type of `Wrap` of its own.
using Formulas = std::tuple<Helical, OverEllipsoid, Neural>;

// A `Wrap<T>` of any of the formulas.
template <class T, class... Formula>
std::variant<typename Formula::template Wrap<T>...> any_wrap(std::tuple<Formula...>);
template <class T>
using AnyWrap = decltype(any_wrap<T>(Formulas()));

// Calls f with the formula of the surface's kind.
template <class F>
decltype(auto) with_closed_formula(const WrapSurface& s, F&& f) {
    if (s.kind == &kEllipsoid) return f.template operator()<OverEllipsoid>();
    return f.template operator()<Helical>();
}

// Calls f with the formula of the surface.
template <class F>
decltype(auto) with_formula(const WrapSurface& s, F&& f) {
    if (s.network) return f.template operator()<Neural>();
    return with_closed_formula(s, std::forward<F>(f));
}

enum class Piece { whole, lead, bend, tail };

// The places on a line, at distances from the start of its element; `skipped`: the distance of `from`.
template <class T>
struct Line {
    Vec3<T> from, direction;
    T skipped;

    Vec3<T> point(const T& distance) const { return from + spread(distance - skipped); }
    // Between places that are so far apart.
    Vec3<T> spread(const T& along) const { return direction * along; }
};

// The lead or the tail of a string from p to q.
template <class Wrap, class T>
Line<T> straight_piece(const Wrap& wrap, Piece piece, const Vec3<T>& p, const Vec3<T>& q) {
    if (piece == Piece::lead) return {p, wrap.departure, T(0.0)};
    return {q, wrap.arrival, wrap.lead + wrap.bend + wrap.tail};
}

// The places on a string over a surface, in the surface's frame. They depend on the ends p and q, and on the distance
// along it.
template <class Formula, class T>
class PlacesOnSpan {
  public:
    using Wrap = typename Formula::template Wrap<T>;

    PlacesOnSpan(const Wrap& wrap, const Vec3<T>& p, const Vec3<T>& q) : wrap_(wrap), p_(p), q_(q) {}

    Line<T> line(Piece piece) const { return straight_piece(wrap_, piece, p_, q_); }
    Vec3<T> point(Piece piece, const T& s) const {
        return piece == Piece::bend ? wrap_.on_bend(s - wrap_.lead) : line(piece).point(s);
    }

    // The same on the bend, at many distances at once, for which some formulas are faster.
    void points_on_bend(std::span<const T> s, std::span<Vec3<T>> x) const {
        if constexpr (requires { wrap_.on_bend(s, x); }) return wrap_.on_bend(s, x);    // without a lead
        for (std::size_t i = 0; i < s.size(); ++i) x[i] = point(Piece::bend, s[i]);
    }

  private:
    const Wrap& wrap_;
    const Vec3<T>&p_, &q_;
};

}    // namespace opensim_inertia
