// What is in doubt about a path laid at a state. (docs/theory/wrapping.md, "What is marked at a state")
#pragma once

#include <string_view>

#include "opensim_inertia/path/laid_path.hpp"

namespace opensim_inertia {

enum class Doubt {
    flip,      // it is inside a flip from one side of a surface to the other
    fast,      // a place of it moves more than kFast times as fast as what it hangs on
    inside,    // an end lies inside a surface, which it wraps, and it is more than kFar longer than straight through
};

inline constexpr std::string_view kDoubts[] = {"flip", "fast", "inside"};

// By how much a place may move faster than the ends of its span, seen from the surface, or a bridge faster than what it
// is drawn by. It was chosen on the thoracoscapular shoulder, whose usual places stay below.
inline constexpr double kFast = 2.5;
inline constexpr double kFar = 1e-2;    // [m] by which OpenSim's path is another one

namespace path_doubts {

// By how much the middle of a string moves faster than its ends.
template <class Formula, class Wrap>
double speed_of_middle(const WrapSurface& surface, const Vec3d& p, const Vec3d& q, const Wrap& known) {
    using G = Gradient<6>;
    Vec3<G> a, b;
    for (int i = 0; i < 3; ++i) {
        a[i] = G::variable(p[i], i);
        b[i] = G::variable(q[i], 3 + i);
    }
    const auto wrap = [&] {
        if constexpr (requires { Formula::wrap_again(surface, a, b, known); })
            return Formula::wrap_again(surface, a, b, known);
        else
            return Formula::wrap(surface, a, b);
    }();
    if (!wrap.touches) return 0;
    const Vec3<G> middle = wrap.on_bend(wrap.bend * 0.5);
    double most = 0;
    for (int end = 0; end < 6; end += 3) {
        Mat3d moved;
        for (int i = 0; i < 3; ++i)
            for (int k = 0; k < 3; ++k) moved(i, k) = middle[i].g[end + k];
        most = std::max(most, std::sqrt((moved * moved.transpose()).selfadjointView<Eigen::Lower>().eigenvalues()[2]));
    }
    return most;
}

// Whether a string could be fast: the ends are nearly opposite to each other, so that it has hardly a side.
inline bool could_be_fast(const WrapSurface& surface, const Vec3d& p, const Vec3d& q) {
    return surface.kind == &kSphere && p.cross(q).norm() < 0.5 * p.norm() * q.norm();
}

template <class Real>
bool is_fast(const Span<Real>& span) {
    const Vec3d p = value(span.p), q = value(span.q);
    if (span.surface->network) return false;
    if (const auto* string = std::get_if<EllipsoidWrap<TimeJet<Real>>>(&span.wrap)) {
        constexpr double soft = 0.6;    // below it the sideways miss changes little as the string turns
        return !string->guided && std::abs(string->solution->free.slope) < soft &&
               speed_of_middle<OverEllipsoid>(*span.surface, p, q, *string) > kFast;
    }
    return could_be_fast(*span.surface, p, q) &&
           speed_of_middle<Helical>(*span.surface, p, q, span.template as<Helical>()) > kFast;
}

// Whether a bridge between surfaces moves much faster than the ends of the string over all of them.
template <class Real>
bool is_fast(const Chain<Real>& chain) {
    const Bridges<Real>& b = chain.bridges;
    const auto to_double = [](const Real& x) { return value(x); };
    const Matrix inverse = b.inverse.unaryExpr(to_double);
    const Mat3d by_p = 0.5 * b.passages.front().exit_p.unaryExpr(to_double),
                by_q = 0.5 * b.passages.back().entry_q.unaryExpr(to_double);
    const Matrix moved_p = inverse.leftCols(3) * by_p, moved_q = inverse.rightCols(3) * by_q;
    for (Eigen::Index j = 0; j < inverse.rows(); j += 3)
        if (std::max(moved_p.middleRows(j, 3).norm(), moved_q.middleRows(j, 3).norm()) > kFast * std::sqrt(3.0))
            return true;
    return false;
}

template <class Real>
bool is_from_inside(const LaidPath<Real>& path, const Element& element) {
    const Span<Real>& span = path.spans[static_cast<std::size_t>(element.span)];
    const WrapSurface& surface = *span.surface;
    if (!surface.kind->contains) return false;
    const auto lies_inside = [&](int node, const Vec3d& x) {
        return !path.nodes[static_cast<std::size_t>(node)].is_bridge && surface.kind->contains(surface.size, x);
    };
    const Vec3d p = value(span.p), q = value(span.q);
    if (!lies_inside(element.first, p) && !lies_inside(element.last(), q)) return false;
    const double length =
        std::visit([](const auto& w) { return value(w.lead) + value(w.bend) + value(w.tail); }, span.wrap);
    return length - (q - p).norm() > kFar;
}

}    // namespace path_doubts

// Calls f with each doubt about a path.
template <class Real, class F>
void each_doubt(const LaidPath<Real>& path, const F& f) {
    using namespace path_doubts;
    bool doubts[std::size(kDoubts)] = {};
    const auto raise = [&](Doubt doubt, bool is_raised) { doubts[static_cast<std::size_t>(doubt)] |= is_raised; };
    for (const Element& element : path.elements) {
        if (element.span < 0) continue;
        const Span<Real>& span = path.spans[static_cast<std::size_t>(element.span)];
        const auto* string = std::get_if<EllipsoidWrap<TimeJet<Real>>>(&span.wrap);
        raise(Doubt::flip, string && string->guided);
        raise(Doubt::fast, is_fast(span));
        raise(Doubt::inside, is_from_inside(path, element));
    }
    for (const Chain<Real>& chain : path.chains) raise(Doubt::fast, is_fast(chain));
    for (std::size_t i = 0; i < std::size(kDoubts); ++i)
        if (doubts[i]) f(static_cast<Doubt>(i));
}

}    // namespace opensim_inertia
