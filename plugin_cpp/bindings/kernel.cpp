// Python's view of the kernel: states in, terms out.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "opensim_inertia/kernel.hpp"
#include "opensim_inertia/kernel_derivatives.hpp"
#include "opensim_inertia/system_state.hpp"

namespace {

// A material point's chi and xi.
using Fraction = std::pair<double, double>;

// One state's arrays, as `State` wants them.
oi::State<double> make_state(const oi::Kernel& k, const In<1>& q, const In<1>& u, const In<3>& R, const In<2>& p,
                             const In<2>& J, const In<2>& bias, const In<1>* udot = nullptr) {
    expect(q, {k.nu}, "q");
    expect(u, {k.nu}, "u");
    expect(R, {k.nb, 3, 3}, "rotation");
    expect(p, {k.nb, 3}, "position");
    expect(J, {6 * k.nb, k.nu}, "jacobian");
    expect(bias, {k.nb, 6}, "bias");
    if (udot) expect(*udot, {k.nu}, "udot");
    oi::State<double> s{k.nb,
                        k.nu,
                        q.data(),
                        u.data(),
                        R.data(),
                        p.data(),
                        J.data(),
                        bias.data(),
                        {},
                        {},
                        udot ? udot->data() : nullptr};
    s.derive();
    return s;
}

// Calls f(t, state) for states that are stacked along the first axis.
template <class F>
void for_each_state(const oi::Kernel& k, const In<2>& q, const In<2>& u, const In<2>& udot, const In<4>& R,
                    const In<3>& p, const In<3>& J, const In<3>& bias, F&& f) {
    const int T = static_cast<int>(q.shape(0));
    expect(q, {T, k.nu}, "q");
    expect(u, {T, k.nu}, "u");
    expect(udot, {T, k.nu}, "udot");
    expect(R, {T, k.nb, 3, 3}, "rotation");
    expect(p, {T, k.nb, 3}, "position");
    expect(J, {T, 6 * k.nb, k.nu}, "jacobian");
    expect(bias, {T, k.nb, 6}, "bias");
    oi::State<double> s{k.nb, k.nu, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, {}, {}};
    for (std::ptrdiff_t t = 0; t < T; ++t) {
        s.q = q.data() + t * k.nu;
        s.u = u.data() + t * k.nu;
        s.udot = udot.data() + t * k.nu;
        s.rotation = R.data() + t * 9 * k.nb;
        s.position = p.data() + t * 3 * k.nb;
        s.jacobian = J.data() + t * 6 * k.nb * k.nu;
        s.bias = bias.data() + t * 6 * k.nb;
        s.derive();
        f(t, s);
    }
}

void check_muscle(const oi::Kernel& k, int i) {
    if (i < 0 || i >= static_cast<int>(k.muscles.size())) throw nb::index_error("kernel: no such muscle");
}

oi::FreeArc make_arc(const oi::Kernel& k, int body, const In<2>& x, const In<3>& dx, const In<2>& ddx) {
    const int n = static_cast<int>(x.shape(0));
    if (n < 3 || n > oi::kMostControls) throw nb::value_error("kernel: an arc needs 3 to 20 control points");
    expect(x, {n, 3}, "controls");
    expect(dx, {n, 3, k.nu}, "dcontrols");
    expect(ddx, {n, 3}, "ddcontrols");
    oi::FreeArc arc;
    for (int j = 0; j < n; ++j) {
        oi::FreePoint point;
        point.body = body;
        point.station = Eigen::Map<const oi::Vec3d>(x.data() + 3 * j);
        point.dstation = oi::RowMap(dx.data() + static_cast<std::ptrdiff_t>(3) * k.nu * j, 3, k.nu);
        point.ddstation = Eigen::Map<const oi::Vec3d>(ddx.data() + 3 * j);
        arc.controls.push_back(std::move(point));
    }
    return arc;
}

}    // namespace

void bind_kernel(nb::module_& m) {
    nb::class_<oi::Kernel>(m, "Kernel")
        .def(
            "__init__",
            [](oi::Kernel* k, int bodies, int speeds, const In<1>& gravity) {
                new (k) oi::Kernel(bodies, speeds);
                k->gravity = vec3(gravity, "gravity");
            },
            nb::arg("bodies"), nb::arg("speeds"), nb::arg("gravity"))
        .def(
            "add_muscle",
            [](oi::Kernel& k, std::string name, std::vector<oi::PathPoint> points, const oi::MaterialMap<>& map,
               double mass, std::optional<std::vector<Fraction>> fractions, std::optional<std::vector<double>> masses,
               bool wraps) {
                for (const auto& p : points) {
                    int top = p.condition;
                    for (const auto& f : p.moving) top = std::max(top, f.coordinate);
                    if (p.body < 0 || p.body >= k.nb || top >= k.nu)
                        throw nb::value_error("kernel: body or coordinate out of range");
                }
                oi::Muscle muscle;
                muscle.name = std::move(name);
                muscle.points = std::move(points);
                muscle.map = map;
                if (fractions) {
                    if (!masses || masses->size() != fractions->size())
                        throw nb::value_error("kernel: as many masses as fractions are needed");
                    std::vector<double> chi, xi;
                    for (const auto& [along_aponeurosis, along_fibre] : *fractions) {
                        chi.push_back(along_aponeurosis);
                        xi.push_back(along_fibre);
                    }
                    muscle.mass = oi::MassDistribution::points(std::move(chi), std::move(xi), std::move(*masses));
                } else {
                    muscle.mass = oi::MassDistribution::uniform(mass);
                }
                muscle.wraps = wraps;
                k.muscles.push_back(std::move(muscle));
                return static_cast<int>(k.muscles.size()) - 1;
            },
            nb::arg("name"), nb::arg("points"), nb::arg("map"), nb::arg("mass"), nb::arg("fractions") = nb::none(),
            nb::arg("masses") = nb::none(), nb::arg("wraps") = false)
        .def_prop_ro("size", [](const oi::Kernel& k) { return k.muscles.size(); })
        .def(
            "add_wrap",
            [](oi::Kernel& k, int muscle, const oi::WrapSurface& surface, int first, int last) {
                check_muscle(k, muscle);
                if (surface.body < 0 || surface.body >= k.nb) throw nb::value_error("kernel: body out of range");
                k.muscles[static_cast<std::size_t>(muscle)].sites.push_back({surface, first, last});
            },
            nb::arg("muscle"), nb::arg("surface"), nb::arg("first"), nb::arg("last"))
        .def(
            "set_path",
            [](oi::Kernel& k, int muscle, std::vector<int> sequence,
               const std::vector<std::tuple<int, In<2>, In<3>, In<2>>>& arcs) {
                check_muscle(k, muscle);
                auto& m_ = k.muscles[static_cast<std::size_t>(muscle)];
                std::vector<oi::FreeArc> made;
                for (const auto& [body, x, dx, ddx] : arcs) {
                    if (body < 0 || body >= k.nb) throw nb::value_error("kernel: body out of range");
                    made.push_back(make_arc(k, body, x, dx, ddx));
                }
                for (int i : sequence)
                    if (i >= static_cast<int>(m_.points.size()) || -1 - i >= static_cast<int>(made.size()))
                        throw nb::index_error("kernel: no such path point or arc");
                m_.sequence = std::move(sequence);
                m_.arcs = std::move(made);
            },
            nb::arg("muscle"), nb::arg("sequence"), nb::arg("arcs"))
        .def(
            "evaluate",
            [](oi::Kernel& k, const In<1>& q, const In<1>& u, const In<3>& R, const In<2>& p, const In<2>& J,
               const In<2>& bias, const std::vector<int>& which) {
                for (int i : which) check_muscle(k, i);
                const auto s = make_state(k, q, u, R, p, J, bias);
                oi::Terms t;
                k.evaluate(s, which, t);
                const auto n = static_cast<std::size_t>(k.nu);
                return nb::make_tuple(give(t.mass_matrix, {n, n}), give(t.bias, {n}), give(t.gravity, {n}), t.kinetic,
                                      t.potential);
            },
            nb::arg("q"), nb::arg("u"), nb::arg("rotation"), nb::arg("position"), nb::arg("jacobian"), nb::arg("bias"),
            nb::arg("which"))
        .def(
            "equations",
            [](oi::Kernel& k, const In<1>& q, const In<1>& u, const std::vector<std::uintptr_t>& transforms,
               const std::vector<int>& mobods, const In<2>& J, const In<1>& bias, const In<2>& M, const In<1>& udot0,
               const std::vector<int>& which) {
                for (int i : which) check_muscle(k, i);
                expect(q, {k.nu}, "q");
                expect(u, {k.nu}, "u");
                const int rows = static_cast<int>(J.shape(0));
                expect(J, {rows, k.nu}, "jacobian");
                expect(bias, {rows}, "bias");
                expect(M, {k.nu, k.nu}, "mass_matrix");
                expect(udot0, {k.nu}, "udot0");
                if (static_cast<int>(mobods.size()) != k.nb || transforms.size() != mobods.size())
                    throw nb::value_error("kernel: one transform and one mobilized body are expected per body");
                for (int m : mobods)
                    if (m < 0 || 6 * m >= rows) throw nb::index_error("kernel: no such mobilized body");
                const oi::SystemState system(k.nu, q.data(), u.data(), transforms, mobods, J.data(), bias.data());
                oi::Terms t;
                k.evaluate(system.state(), which, t);
                const oi::RowMap rigid(M.data(), k.nu, k.nu);
                const oi::Vector force = rigid * oi::VecMap(udot0.data(), k.nu) + t.bias + t.gravity;
                t.mass_matrix += rigid;
                const auto n = static_cast<std::size_t>(k.nu);
                return nb::make_tuple(give(t.mass_matrix, {n, n}), give(force, {n}));
            },
            nb::arg("q"), nb::arg("u"), nb::arg("transforms"), nb::arg("mobods"), nb::arg("jacobian"), nb::arg("bias"),
            nb::arg("mass_matrix"), nb::arg("udot0"), nb::arg("which"))
        .def(
            "inverse",
            [](oi::Kernel& k, const In<2>& q, const In<2>& u, const In<2>& udot, const In<4>& R, const In<3>& p,
               const In<3>& J, const In<3>& bias, const std::vector<int>& which) {
                for (int i : which) check_muscle(k, i);
                oi::Matrix all(static_cast<Eigen::Index>(q.shape(0)), k.nu);
                oi::Vector tau;
                for_each_state(k, q, u, udot, R, p, J, bias, [&](std::ptrdiff_t t, const oi::State<double>& s) {
                    k.inverse(s, which, tau);
                    all.row(t) = tau;
                });
                return give(all, {q.shape(0), static_cast<std::size_t>(k.nu)});
            },
            nb::arg("q"), nb::arg("u"), nb::arg("udot"), nb::arg("rotation"), nb::arg("position"), nb::arg("jacobian"),
            nb::arg("bias"), nb::arg("which"))
        .def(
            "inverse_along",
            [](const oi::Kernel& k, const In<1>& q, const In<1>& u, const In<3>& R, const In<2>& p, const In<2>& J,
               const In<2>& bias, const In<1>& udot, const In<2>& dq, const In<2>& du, const In<3>& dtwist,
               const In<3>& dJ, const In<3>& dbias, const std::vector<int>& which) {
                for (int i : which) check_muscle(k, i);
                const auto s = make_state(k, q, u, R, p, J, bias, &udot);
                const int D = static_cast<int>(dq.shape(0));
                expect(dq, {D, k.nu}, "dq");
                expect(du, {D, k.nu}, "du");
                expect(dtwist, {D, k.nb, 6}, "dtwist");
                expect(dJ, {D, 6 * k.nb, k.nu}, "djacobian");
                expect(dbias, {D, k.nb, 6}, "dbias");
                oi::Matrix out;
                oi::KernelDerivatives(k).inverse_along(
                    s, {D, dq.data(), du.data(), dtwist.data(), dJ.data(), dbias.data()}, which, out);
                return give(out, {static_cast<std::size_t>(D), static_cast<std::size_t>(k.nu)});
            },
            nb::arg("q"), nb::arg("u"), nb::arg("rotation"), nb::arg("position"), nb::arg("jacobian"), nb::arg("bias"),
            nb::arg("udot"), nb::arg("dq"), nb::arg("du"), nb::arg("dtwist"), nb::arg("djacobian"), nb::arg("dbias"),
            nb::arg("which"))
        .def(
            "inverse_each",
            [](oi::Kernel& k, const In<2>& q, const In<2>& u, const In<2>& udot, const In<4>& R, const In<3>& p,
               const In<3>& J, const In<3>& bias, const std::vector<int>& which) {
                for (int i : which) check_muscle(k, i);
                const auto each = static_cast<Eigen::Index>(which.size());
                oi::Matrix all(static_cast<Eigen::Index>(q.shape(0)) * each, k.nu), tau;
                for_each_state(k, q, u, udot, R, p, J, bias, [&](std::ptrdiff_t t, const oi::State<double>& s) {
                    k.inverse_each(s, which, tau);
                    all.middleRows(t * each, each) = tau;
                });
                return give(all, {q.shape(0), which.size(), static_cast<std::size_t>(k.nu)});
            },
            nb::arg("q"), nb::arg("u"), nb::arg("udot"), nb::arg("rotation"), nb::arg("position"), nb::arg("jacobian"),
            nb::arg("bias"), nb::arg("which"))
        .def(
            "inverse_by_map",
            [](const oi::Kernel& k, const In<1>& q, const In<1>& u, const In<3>& R, const In<2>& p, const In<2>& J,
               const In<2>& bias, const In<1>& udot, const std::vector<int>& which) {
                for (int i : which) check_muscle(k, i);
                const auto s = make_state(k, q, u, R, p, J, bias, &udot);
                oi::Matrix out;
                oi::KernelDerivatives(k).inverse_by_map(s, which, out);
                return give(out, {which.size(), 3, static_cast<std::size_t>(k.nu)});
            },
            nb::arg("q"), nb::arg("u"), nb::arg("rotation"), nb::arg("position"), nb::arg("jacobian"), nb::arg("bias"),
            nb::arg("udot"), nb::arg("which"))
        .def(
            "pseudo_inertia",
            [](oi::Kernel& k, const In<1>& q, const In<1>& u, const In<3>& R, const In<2>& p, const In<2>& J,
               const In<2>& bias, const std::vector<int>& which) {
                for (int i : which) check_muscle(k, i);
                const auto s = make_state(k, q, u, R, p, J, bias);
                oi::Matrix out(4 * static_cast<Eigen::Index>(which.size()), 4);
                for (std::size_t i = 0; i < which.size(); ++i)
                    out.middleRows<4>(4 * static_cast<Eigen::Index>(i)) = k.pseudo_inertia(s, which[i]);
                return give(out, {which.size(), 4, 4});
            },
            nb::arg("q"), nb::arg("u"), nb::arg("rotation"), nb::arg("position"), nb::arg("jacobian"), nb::arg("bias"),
            nb::arg("which"))
        .def(
            "pseudo_inertia_by_map",
            [](const oi::Kernel& k, const In<1>& q, const In<1>& u, const In<3>& R, const In<2>& p, const In<2>& J,
               const In<2>& bias, const std::vector<int>& which) {
                for (int i : which) check_muscle(k, i);
                const auto s = make_state(k, q, u, R, p, J, bias);
                oi::Matrix out;
                oi::KernelDerivatives(k).pseudo_inertia_by_map(s, which, out);
                return give(out, {which.size(), 3, 4, 4});
            },
            nb::arg("q"), nb::arg("u"), nb::arg("rotation"), nb::arg("position"), nb::arg("jacobian"), nb::arg("bias"),
            nb::arg("which"))
        .def(
            "mass_points",
            [](oi::Kernel& k, const In<1>& q, const In<1>& u, const In<3>& R, const In<2>& p, const In<2>& J,
               const In<2>& bias, int muscle, const std::vector<Fraction>& fractions, bool jacobian) {
                check_muscle(k, muscle);
                const auto s = make_state(k, q, u, R, p, J, bias);
                std::vector<oi::Material<double>> material;
                for (const auto& [along_aponeurosis, along_fibre] : fractions)
                    material.push_back({along_aponeurosis, along_fibre});
                oi::MassPoints out;
                k.mass_points(s, muscle, material, jacobian, out);
                const auto n = fractions.size(), nu = static_cast<std::size_t>(k.nu);
                return nb::make_tuple(give(out.position, {n, 3}), give(out.velocity, {n, 3}),
                                      give(out.jacobian, {jacobian ? n : 0, 3, nu}), give(out.bias, {n, 3}));
            },
            nb::arg("q"), nb::arg("u"), nb::arg("rotation"), nb::arg("position"), nb::arg("jacobian"), nb::arg("bias"),
            nb::arg("muscle"), nb::arg("fractions"), nb::arg("want_jacobian") = true)
        .def("take_held", &oi::Kernel::take_held)
        .def(
            "lengths",
            [](oi::Kernel& k, const In<1>& q, const In<1>& u, const In<3>& R, const In<2>& p, const In<2>& J,
               const In<2>& bias, const std::vector<int>& which) {
                for (int i : which) check_muscle(k, i);
                const auto s = make_state(k, q, u, R, p, J, bias);
                oi::Matrix out(static_cast<Eigen::Index>(which.size()), 4);
                for (std::size_t i = 0; i < which.size(); ++i) {
                    const auto l = k.lengths(s, which[i]);
                    out.row(static_cast<Eigen::Index>(i)) << l[0], l[1], l[2], l[3];
                }
                return give(out, {which.size(), 4});
            },
            nb::arg("q"), nb::arg("u"), nb::arg("rotation"), nb::arg("position"), nb::arg("jacobian"), nb::arg("bias"),
            nb::arg("which"));
}
