// Python's view of muscles and of the kernel: states in, terms out.
#include "kernel.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

namespace {

// A material point's chi and xi.
using Fraction = std::pair<double, double>;
using Site = std::tuple<oi::WrapSurface, int, int>;

oi::Muscle make_muscle(std::string name, std::vector<oi::PathPoint> points, const oi::MaterialMap<>& map, double mass,
                       const std::optional<std::vector<Fraction>>& fractions, std::optional<std::vector<double>> masses,
                       const std::vector<Site>& surfaces, bool path_is_given) {
    oi::Muscle muscle;
    muscle.map = map;
    if (fractions) {
        if (!masses || masses->size() != fractions->size())
            throw wrong("muscle '" + name + "': " + std::to_string(fractions->size()) + " fractions, but " +
                        std::to_string(masses ? masses->size() : 0) + " masses");
        std::vector<double> chi, xi;
        for (const auto& [along_aponeurosis, along_fibre] : *fractions) {
            chi.push_back(along_aponeurosis);
            xi.push_back(along_fibre);
        }
        muscle.mass = oi::MassDistribution::points(std::move(chi), std::move(xi), std::move(*masses));
    } else {
        muscle.mass = oi::MassDistribution::uniform(mass);
    }
    if (path_is_given && !surfaces.empty())
        throw wrong("muscle '" + name + "': its path is given, so it cannot be led over surfaces");
    oi::Path& path = muscle.path;
    path.name = std::move(name);
    path.points = std::move(points);
    for (const auto& [surface, first, last] : surfaces) path.sites.push_back({surface, first, last});
    path.is_given = path_is_given;
    return muscle;
}

// Several states, which stay while Python may do other things.
class States {
  public:
    explicit States(const nb::sequence& states) {
        for (nb::handle s : states) {
            kept_.push_back(nb::borrow(s));
            views_.push_back(&nb::cast<const BoundState&>(s).view());
        }
    }
    const std::vector<const oi::State<double>*>& views() const { return views_; }
    std::size_t count() const { return views_.size(); }

  private:
    std::vector<nb::object> kept_;
    std::vector<const oi::State<double>*> views_;
};

// Arrays are made once, when the terms are.
struct BoundTerms {
    nb::object mass_matrix, bias, gravity;
    double kinetic, potential;
    nb::object held;

    BoundTerms(oi::Terms t, std::size_t n)
        : mass_matrix(nb::cast(give(std::move(t.mass_matrix), {n, n}))),
          bias(nb::cast(give(std::move(t.bias), {n}))),
          gravity(nb::cast(give(std::move(t.gravity), {n}))),
          kinetic(t.kinetic),
          potential(t.potential),
          held(nb::cast(t.held)) {}
};

BoundTerms evaluate(const oi::Kernel& k, const BoundState& state, const Which& which) {
    return {computed([&] { return k.evaluate(state.view(), numbers(k, which)); }), size(k.speeds())};
}

nb::tuple equations(const oi::Kernel& k, const BoundState& state, const In<2>& mass_matrix, const In<1>& udot0,
                    const Which& which) {
    expect(mass_matrix, {k.speeds(), k.speeds()}, "mass_matrix");
    expect(udot0, {k.speeds()}, "udot0");
    oi::Equations found =
        computed([&] { return k.equations(state.view(), mass_matrix.data(), udot0.data(), numbers(k, which)); });
    const std::size_t n = size(k.speeds());
    return nb::make_tuple(give(std::move(found.mass_matrix), {n, n}), give(std::move(found.force), {n}), found.held);
}

nb::tuple inverse(const oi::Kernel& k, const nb::sequence& given, const In<2>& udot, const Which& which) {
    const States states(given);
    expect(udot, {static_cast<int>(states.count()), k.speeds()}, "udot");
    oi::Rows tau = computed([&] { return k.inverse(states.views(), udot.data(), numbers(k, which)); });
    return nb::make_tuple(give(std::move(tau.values), {states.count(), size(k.speeds())}), tau.held);
}

nb::tuple inverse_each(const oi::Kernel& k, const nb::sequence& given, const In<2>& udot, const Which& which) {
    const States states(given);
    expect(udot, {static_cast<int>(states.count()), k.speeds()}, "udot");
    oi::Rows tau = computed([&] { return k.inverse_each(states.views(), udot.data(), numbers(k, which)); });
    const std::size_t muscles = numbers(k, which).size();
    return nb::make_tuple(give(std::move(tau.values), {states.count(), muscles, size(k.speeds())}), tau.held);
}

nb::tuple pseudo_inertia(const oi::Kernel& k, const BoundState& state, const Which& which) {
    oi::Rows found = computed([&] { return k.pseudo_inertia(state.view(), numbers(k, which)); });
    return nb::make_tuple(give(std::move(found.values), {numbers(k, which).size(), 4, 4}), found.held);
}

nb::tuple mass_points(const oi::Kernel& k, const BoundState& state, int muscle, const std::vector<Fraction>& fractions,
                      bool want_jacobian) {
    std::vector<oi::Material<double>> material;
    for (const auto& [along_aponeurosis, along_fibre] : fractions) material.push_back({along_aponeurosis, along_fibre});
    oi::MaterialPoints found = computed([&] { return k.mass_points(state.view(), muscle, material, want_jacobian); });
    const std::size_t n = fractions.size();
    return nb::make_tuple(give(std::move(found.position), {n, 3}), give(std::move(found.velocity), {n, 3}),
                          give(std::move(found.jacobian), {want_jacobian ? n : 0, 3, size(k.speeds())}),
                          give(std::move(found.bias), {n, 3}), found.held);
}

Out lengths(const oi::Kernel& k, const BoundState& state, const Which& which) {
    return give(computed([&] { return k.lengths(state.view(), numbers(k, which)); }), {numbers(k, which).size(), 4});
}

Out length_gradients(const oi::Kernel& k, const BoundState& state, const Which& which) {
    return give(computed([&] { return k.length_gradients(state.view(), numbers(k, which)); }),
                {numbers(k, which).size(), size(6 * k.bodies() + k.speeds())});
}

}    // namespace

void bind_kernel(nb::module_& m) {
    nb::class_<oi::Muscle>(m, "Muscle")
        .def(
            "__init__",
            [](oi::Muscle* muscle, std::string name, std::vector<oi::PathPoint> points, const oi::MaterialMap<>& map,
               double mass, const std::optional<std::vector<Fraction>>& fractions,
               std::optional<std::vector<double>> masses, const std::vector<Site>& surfaces, bool path_is_given) {
                new (muscle) oi::Muscle(make_muscle(std::move(name), std::move(points), map, mass, fractions,
                                                    std::move(masses), surfaces, path_is_given));
            },
            nb::arg("name"), nb::arg("points"), nb::arg("map"), nb::arg("mass"), nb::arg("fractions") = nb::none(),
            nb::arg("masses") = nb::none(), nb::arg("surfaces") = nb::tuple(), nb::arg("path_is_given") = false)
        .def_prop_ro("name", [](const oi::Muscle& muscle) { return muscle.path.name; });

    nb::class_<BoundTerms>(m, "Terms")
        .def_ro("mass_matrix", &BoundTerms::mass_matrix)
        .def_ro("bias", &BoundTerms::bias)
        .def_ro("gravity", &BoundTerms::gravity)
        .def_ro("kinetic", &BoundTerms::kinetic)
        .def_ro("potential", &BoundTerms::potential)
        .def_ro("held", &BoundTerms::held);

    nb::class_<oi::Kernel>(m, "Kernel")
        .def(
            "__init__",
            [](oi::Kernel* k, int bodies, int speeds, const In<1>& gravity, std::vector<oi::Muscle> muscles) {
                new (k) oi::Kernel(bodies, speeds, vec3(gravity, "gravity"), std::move(muscles));
            },
            nb::arg("bodies"), nb::arg("speeds"), nb::arg("gravity"), nb::arg("muscles"))
        .def_prop_ro("size", &oi::Kernel::size)
        .def("evaluate", &evaluate, nb::arg("state"), nb::arg("which") = nb::none())
        .def("equations", &equations, nb::arg("state"), nb::arg("mass_matrix"), nb::arg("udot0"),
             nb::arg("which") = nb::none())
        .def("inverse", &inverse, nb::arg("states"), nb::arg("udot"), nb::arg("which") = nb::none())
        .def("inverse_each", &inverse_each, nb::arg("states"), nb::arg("udot"), nb::arg("which") = nb::none())
        .def("pseudo_inertia", &pseudo_inertia, nb::arg("state"), nb::arg("which") = nb::none())
        .def("mass_points", &mass_points, nb::arg("state"), nb::arg("muscle"), nb::arg("fractions"),
             nb::arg("want_jacobian") = true)
        .def("lengths", &lengths, nb::arg("state"), nb::arg("which") = nb::none())
        .def("length_gradients", &length_gradients, nb::arg("state"), nb::arg("which") = nb::none());
}
