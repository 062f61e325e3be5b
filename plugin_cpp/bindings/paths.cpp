// Python's view of what paths are made of: points, maps, surfaces, networks.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "arrays.hpp"
#include "opensim_inertia/muscle/material_map.hpp"
#include "opensim_inertia/path/path_point.hpp"
#include "opensim_inertia/wrap/wrap_formulas.hpp"

namespace {

oi::WrapSurface make_surface(const std::string& kind, const In<1>& size, double smoothing, double turn) {
    const auto known = std::ranges::find(oi::kSurfaces, kind, &oi::SurfaceTraits::name);
    if (known == std::end(oi::kSurfaces)) throw nb::value_error(("kernel: no surface of kind '" + kind + "'").c_str());
    const int n = static_cast<int>(size.shape(0));
    if (n < known->least_sizes || n > known->sizes) expect(size, {known->sizes}, "size");
    oi::WrapSurface s;
    s.kind = known->kind;
    for (int i = 0; i < n; ++i) s.size[i] = size(static_cast<std::size_t>(i));
    s.smoothing = smoothing;
    s.turn = turn;
    return s;
}

oi::Network make_network(const std::vector<std::pair<In<2>, In<1>>>& layers, int inputs, int outputs) {
    oi::Network network;
    int width = inputs;
    for (const auto& [weight, bias] : layers) {
        const int rows = static_cast<int>(weight.shape(0));
        expect(weight, {rows, width}, "weight");
        expect(bias, {rows}, "bias");
        network.layers.push_back({oi::RowMap(weight.data(), rows, width), oi::VecMap(bias.data(), rows)});
        width = rows;
    }
    if (layers.empty() || width != outputs) throw nb::value_error("kernel: a network's last layer has the wrong size");
    return network;
}

void set_network(oi::WrapSurface& s, std::shared_ptr<const oi::PathNetwork> network) {
    if (network && network->planar && !std::ranges::find(oi::kSurfaces, s.kind, &oi::SurfaceTraits::kind)->planar)
        throw nb::value_error("kernel: a planar network serves cylinders and spheres only");
    s.network = std::move(network);
}

// Points on strings over a surface, in its frame, with derivatives with respect to the ends and the fraction of length.
auto wrap_spans(const oi::WrapSurface& s, const In<2>& origin, const In<2>& insertion, const In<1>& fraction) {
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
    return nb::make_tuple(give(x, {n, 3}), give(dp, {n, 3, 3}), give(dq, {n, 3, 3}), give(da, {n, 3}), give(L, {n}),
                          give(dLp, {n, 3}), give(dLq, {n, 3}), std::move(flags));
}

}    // namespace

void bind_paths(nb::module_& m) {
    nb::class_<oi::ScalarFunction>(m, "ScalarFunction")
        .def(
            "__init__",
            [](oi::ScalarFunction* f, int coordinate, std::vector<double> breaks, const In<2>& pieces, double low,
               double high) {
                const auto terms = static_cast<int>(pieces.shape(1));
                expect(pieces, {static_cast<int>(breaks.size()) + 1, terms}, "pieces");
                new (f) oi::ScalarFunction{};
                f->coordinate = coordinate;
                f->breaks = std::move(breaks);
                f->terms = pieces.shape(1);
                f->pieces.assign(pieces.data(), pieces.data() + pieces.size());
                f->low = low;
                f->high = high;
            },
            nb::arg("coordinate"), nb::arg("breaks"), nb::arg("pieces"), nb::arg("low"), nb::arg("high"))
        .def("__call__", [](const oi::ScalarFunction& f, double x) {
            const auto y = f(x);
            return nb::make_tuple(y.f, y.df, y.ddf);
        });

    nb::class_<oi::PolynomialBasis>(m, "PolynomialBasis")
        .def(
            "__init__",
            [](oi::PolynomialBasis* b, std::vector<int> coordinates, const In<1>& centre, const In<1>& scale,
               const std::vector<std::vector<int>>& exponents) {
                const auto n = static_cast<int>(coordinates.size());
                expect(centre, {n}, "centre");
                expect(scale, {n}, "scale");
                oi::PolynomialBasis made{
                    std::move(coordinates), oi::VecMap(centre.data(), n), oi::VecMap(scale.data(), n), {}};
                if ((made.scale.array() <= 0).any())
                    throw nb::value_error("kernel: a polynomial's scales are positive");
                made.exponents.resize(static_cast<Eigen::Index>(exponents.size()), n);
                for (std::size_t t = 0; t < exponents.size(); ++t) {
                    if (exponents[t].size() != static_cast<std::size_t>(n) ||
                        std::ranges::any_of(exponents[t], [](int e) { return e < 0 || e > oi::kHighestPower; }))
                        throw nb::value_error("kernel: a term has one exponent for each coordinate, none negative");
                    std::ranges::copy(exponents[t], made.exponents.row(static_cast<Eigen::Index>(t)).data());
                }
                new (b) oi::PolynomialBasis(std::move(made));
            },
            nb::arg("coordinates"), nb::arg("centre"), nb::arg("scale"), nb::arg("exponents"));

    nb::class_<oi::PathPoint>(m, "PathPoint")
        .def_static(
            "fixed",
            [](int body, const In<1>& station) {
                oi::PathPoint p;
                p.body = body;
                p.station = vec3(station, "station");
                return p;
            },
            nb::arg("body"), nb::arg("station"))
        .def_static(
            "conditional",
            [](int body, const In<1>& station, int coordinate, double low, double high) {
                oi::PathPoint p;
                p.body = body;
                p.station = vec3(station, "station");
                p.condition = coordinate;
                p.low = low;
                p.high = high;
                return p;
            },
            nb::arg("body"), nb::arg("station"), nb::arg("coordinate"), nb::arg("low"), nb::arg("high"))
        .def_static(
            "polynomial",
            [](int body, std::shared_ptr<const oi::PolynomialBasis> basis, const In<2>& coefficients) {
                const auto terms = static_cast<int>(basis->exponents.rows());
                expect(coefficients, {3, terms}, "coefficients");
                oi::PathPoint p;
                p.body = body;
                p.coefficients = oi::RowMap(coefficients.data(), 3, terms);
                p.basis = std::move(basis);
                return p;
            },
            nb::arg("body"), nb::arg("basis"), nb::arg("coefficients"))
        .def_static(
            "moving",
            [](int body, const In<2>& rotation, const In<1>& origin, std::vector<oi::ScalarFunction> functions) {
                if (functions.size() != 3) throw nb::value_error("kernel: a moving point needs three functions");
                oi::PathPoint p;
                p.body = body;
                p.moving_rotation = mat3(rotation, "rotation");
                p.moving_origin = vec3(origin, "origin");
                p.moving = std::move(functions);
                return p;
            },
            nb::arg("body"), nb::arg("rotation"), nb::arg("origin"), nb::arg("functions"));

    nb::class_<oi::MaterialMap<>>(m, "MaterialMap")
        .def(
            "__init__",
            [](oi::MaterialMap<>* map, double phi, double slack, double proximal, double shortest, double hold_width,
               double aponeurosis) {
                new (map) oi::MaterialMap<>{phi, slack, proximal, shortest, hold_width, aponeurosis};
            },
            nb::arg("phi"), nb::arg("slack"), nb::arg("proximal"), nb::arg("shortest"), nb::arg("hold_width"),
            nb::arg("aponeurosis") = 0.0)
        .def("fibre_length", [](const oi::MaterialMap<>& map, double L) {
            const oi::TimeJet<double> B = map.fibre_length(oi::TimeJet<double>(L, 1, 0));
            return nb::make_tuple(B.v, B.d, B.dd);
        });

    nb::class_<oi::PathNetwork>(m, "PathNetwork")
        .def(
            "__init__",
            [](oi::PathNetwork* n, bool planar, const std::vector<std::pair<In<2>, In<1>>>& position,
               const std::vector<std::pair<In<2>, In<1>>>& length) {
                oi::PathNetwork made;
                made.planar = planar;
                made.position = make_network(position, planar ? 4 : 7, planar ? 2 : 3);
                made.length = make_network(length, planar ? 3 : 6, 1);
                new (n) oi::PathNetwork(std::move(made));
            },
            nb::arg("planar"), nb::arg("position"), nb::arg("length"));

    nb::class_<oi::WrapSurface>(m, "WrapSurface")
        .def(
            "__init__",
            [](oi::WrapSurface* s, const std::string& kind, const In<1>& size, double smoothing, double turn,
               const In<1>& active, bool long_way, int body, const In<2>& rotation, const In<1>& origin,
               std::shared_ptr<const oi::PathNetwork> network) {
                oi::WrapSurface made = make_surface(kind, size, smoothing, turn);
                made.active = vec3(active, "active");
                made.long_way = long_way;
                made.body = body;
                set_network(made, std::move(network));
                made.rotation = mat3(rotation, "rotation");
                made.origin = vec3(origin, "origin");
                new (s) oi::WrapSurface(made);
            },
            nb::arg("kind"), nb::arg("size"), nb::arg("smoothing"), nb::arg("turn"), nb::arg("active"),
            nb::arg("long_way"), nb::arg("body"), nb::arg("rotation"), nb::arg("origin"),
            nb::arg("network") = nb::none());

    m.def("surface_kinds", [] {
        nb::dict kinds;
        for (const oi::SurfaceTraits& s : oi::kSurfaces)
            kinds[nb::str(s.name.data(), s.name.size())] = nb::make_tuple(s.least_sizes, s.sizes, s.planar);
        return kinds;
    });

    m.def(
        "wrap_spans",
        [](const std::string& kind, const In<1>& size, double turn, double smoothing, const In<2>& origin,
           const In<2>& insertion, const In<1>& fraction, std::optional<In<1>> active,
           std::shared_ptr<const oi::PathNetwork> network) {
            oi::WrapSurface s = make_surface(kind, size, smoothing, turn);
            if (active) s.active = vec3(*active, "active");
            s.long_way = s.kind == oi::SurfaceKind::cylinder || s.kind == oi::SurfaceKind::torus;
            set_network(s, std::move(network));
            return wrap_spans(s, origin, insertion, fraction);
        },
        nb::arg("kind"), nb::arg("size"), nb::arg("turn"), nb::arg("smoothing"), nb::arg("origin"),
        nb::arg("insertion"), nb::arg("fraction"), nb::arg("active") = nb::none(), nb::arg("network") = nb::none());
}
