// Python bindings of single wrap surfaces and material maps.
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "opensim_inertia/wrap/wrap_formulas.hpp"
#include "plain_data.hpp"

namespace {

using Spans = std::tuple<Out, Out, Out, Out, Out, Out, Out, std::vector<bool>>;

// Points on strings over a surface, in its frame, with derivatives with respect to the ends and the fraction of length.
Spans wrap_spans(const oi::WrapSurface& s, const In<2>& origin, const In<2>& insertion, const In<1>& fraction) {
    const std::size_t n = fraction.shape(0);
    const int rows = static_cast<int>(n);
    expect(origin, {rows, 3}, "origin");
    expect(insertion, {rows, 3}, "insertion");
    using G = oi::Gradient<7>;
    oi::Matrix x(rows, 3), dp(rows, 9), dq(rows, 9), da(rows, 3), dLp(rows, 3), dLq(rows, 3);
    oi::Vector L(rows);
    std::vector<bool> flags(n);
    for (int i = 0; i < rows; ++i) {
        const auto k = static_cast<std::size_t>(i);
        oi::Vec3<G> p, q;
        for (std::size_t c = 0; c < 3; ++c) {
            p[static_cast<int>(c)] = G::variable(origin(k, c), static_cast<int>(c));
            q[static_cast<int>(c)] = G::variable(insertion(k, c), static_cast<int>(c) + 3);
        }
        const G a = G::variable(fraction(k), 6);
        oi::Vec3<G> place = p + (q - p) * a;
        G length = sqrt(oi::squared_norm(q - p));
        flags[k] = oi::with_formula(s, [&]<class Formula>() {
            const auto wrap = Formula::wrap(s, p, q);
            if (!wrap.touches) return false;
            length = wrap.lead + wrap.bend + wrap.tail;
            const double at = value(a) * value(length);
            const oi::Piece piece = at < value(wrap.lead)                      ? oi::Piece::lead
                                    : at < value(wrap.lead) + value(wrap.bend) ? oi::Piece::bend
                                                                               : oi::Piece::tail;
            place = oi::PlacesOnSpan<Formula, G>(wrap, p, q).point(piece, a * length);
            return true;
        });
        L[i] = value(length);
        for (int c = 0; c < 3; ++c) {
            x(i, c) = value(place[c]);
            da(i, c) = place[c].g[6];
            dLp(i, c) = length.g[c];
            dLq(i, c) = length.g[3 + c];
            for (int d = 0; d < 3; ++d) {
                dp(i, 3 * c + d) = place[c].g[d];
                dq(i, 3 * c + d) = place[c].g[3 + d];
            }
        }
    }
    return {give(x, {n, 3}), give(dp, {n, 3, 3}), give(dq, {n, 3, 3}), give(da, {n, 3}),
            give(L, {n}),    give(dLp, {n, 3}),   give(dLq, {n, 3}),   std::move(flags)};
}

}    // namespace

void bind_paths(nb::module_& m) {
    m.def(
        "surface_kinds",
        [] {
            nb::typed<nb::dict, nb::str, std::tuple<int, int, bool>> kinds;
            for (const oi::SurfaceKind kind : oi::kSurfaces)
                kinds[nb::str(kind->name.data(), kind->name.size())] =
                    nb::make_tuple(kind->least_sizes, kind->sizes, kind->planar);
            return kinds;
        },
        R"(For every kind of surface: the least and the largest number of sizes, and whether planar networks serve it.)");

    m.def(
        "fibre_length",
        [](const PlainRecord& map, double length) {
            const oi::MaterialMap<> read = map_from(map);
            const oi::TimeJet<double> B = read.fibre_length(oi::TimeJet<double>(length, 1, 0));
            return std::make_tuple(B.v, B.d, B.dd);
        },
        nb::arg("map"), nb::arg("length"),
        R"(Length of the fibres on a path of some length [m], and its first and second derivative.

Args:
    map: as `opensim_inertia.paths.kernel.MapRecord` says.
    length: of the path [m].)");

    m.def(
        "wrap_spans",
        [](const PlainRecord& surface, const In<2>& origin, const In<2>& insertion, const In<1>& fraction) {
            return wrap_spans(surface_from(surface), origin, insertion, fraction);
        },
        nb::arg("surface"), nb::arg("origin"), nb::arg("insertion"), nb::arg("fraction"),
        R"(Points at fractions of the length of n strings from origin to insertion over a surface, in its frame.

Args:
    surface: as `opensim_inertia.paths.kernel.SurfaceRecord` says.
    origin, insertion: ends of the strings, (n, 3) [m].
    fraction: fractions of the strings' lengths, (n,).

Returns:
    x (n, 3), its derivatives with respect to origin (n, 3, 3), insertion (n, 3, 3) and fraction (n, 3), the length
    (n,) and its derivatives (n, 3), (n, 3), and whether the surface is touched (n,).)");
}
