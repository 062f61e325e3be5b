// Python bindings of the kernel: terms from muscles as plain data, and states.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "plain_data.hpp"
#include "states.hpp"

namespace {

// A material point's chi and xi.
using Fraction = std::pair<double, double>;

// Arrays are made once, when the terms are.
struct BoundTerms {
    nb::typed<nb::object, Out> mass_matrix, bias, gravity;
    double kinetic, potential;
    nb::typed<nb::object, Remarks> remarks;

    BoundTerms(oi::Terms t, std::size_t n)
        : mass_matrix(nb::cast(give(std::move(t.mass_matrix), {n, n}))),
          bias(nb::cast(give(std::move(t.bias), {n}))),
          gravity(nb::cast(give(std::move(t.gravity), {n}))),
          kinetic(t.kinetic),
          potential(t.potential),
          remarks(nb::cast(remarks_of(t.remarks))) {}
};

BoundTerms evaluate(const oi::Kernel& k, const BoundState& state, const Which& which, bool subtract_frozen) {
    return {computed([&] { return k.evaluate(state.view(), numbers(k, which), subtract_frozen); }), size(k.speeds())};
}

std::tuple<Out, Out, Remarks> equations(const oi::Kernel& k, const BoundState& state, const In<2>& mass_matrix,
                                        const In<1>& udot0, const Which& which) {
    expect(mass_matrix, {k.speeds(), k.speeds()}, "mass_matrix");
    expect(udot0, {k.speeds()}, "udot0");
    oi::Equations found =
        computed([&] { return k.equations(state.view(), mass_matrix.data(), udot0.data(), numbers(k, which)); });
    const std::size_t n = size(k.speeds());
    return {give(std::move(found.mass_matrix), {n, n}), give(std::move(found.force), {n}), remarks_of(found.remarks)};
}

// `find`: what a method of the kernel finds of each state.
template <auto find>
std::tuple<Out, Remarks> summed(const oi::Kernel& k, const StateSequence& given, const In<2>& udot,
                                const Which& which) {
    const States states(given, udot, k.speeds());
    oi::Rows found = computed([&] { return (k.*find)(states.views(), udot.data(), numbers(k, which)); });
    const auto columns = static_cast<std::size_t>(found.values.cols());
    return {give(std::move(found.values), {states.count(), columns}), remarks_of(found.remarks)};
}

std::tuple<Out, Remarks> inverse_each(const oi::Kernel& k, const StateSequence& given, const In<2>& udot,
                                      const Which& which) {
    const States states(given, udot, k.speeds());
    oi::Rows tau = computed([&] { return k.inverse_each(states.views(), udot.data(), numbers(k, which)); });
    const std::size_t muscles = numbers(k, which).size();
    return {give(std::move(tau.values), {states.count(), muscles, size(k.speeds())}), remarks_of(tau.remarks)};
}

std::tuple<Out, Out, Remarks> inverse_parts(const oi::Kernel& k, const StateSequence& given, const In<2>& udot,
                                            const std::vector<double>& weights) {
    const States states(given, udot, k.speeds());
    if (weights.size() != k.size())
        throw wrong(std::to_string(weights.size()) + " weights, expected " + std::to_string(k.size()));
    oi::RowsAndParts tau = computed([&] { return k.inverse_parts(states.views(), udot.data(), k.every(), weights); });
    return {give(std::move(tau.values), {states.count(), k.size(), size(k.speeds())}),
            give(std::move(tau.parts), {states.count(), 4, size(k.speeds())}), remarks_of(tau.remarks)};
}

using Records = nb::typed<nb::sequence, nb::typed<nb::sequence, PlainRecord>>;
using Maps = std::vector<std::vector<oi::MaterialMap<>>>;

// Sets of maps, each with one for each muscle.
Maps maps_from(const Records& sets, std::size_t muscles) {
    Maps read;
    for (nb::handle set : sets) {
        auto& maps = read.emplace_back();
        for (nb::handle map : set) maps.push_back(map_from(nb::cast<PlainRecord>(map)));
        if (maps.size() != muscles)
            throw wrong("a set has " + std::to_string(maps.size()) + " maps, expected " + std::to_string(muscles));
    }
    return read;
}

std::tuple<Out, Remarks> inverse_of_maps(const oi::Kernel& k, const StateSequence& given, const In<2>& udot,
                                         const std::vector<int>& which, const Records& maps, const FrozenParts& parts) {
    const States states(given, udot, k.speeds());
    const Maps sets = maps_from(maps, which.size());
    const std::vector<oi::FrozenMuscles> frozen = frozen_from(k, parts, sets.size(), which.size());
    oi::Rows tau = computed([&] { return k.inverse_of_maps(states.views(), udot.data(), which, sets, frozen); });
    return {give(std::move(tau.values), {sets.size(), states.count(), which.size(), size(k.speeds())}),
            remarks_of(tau.remarks)};
}

std::tuple<Out, Remarks> pseudo_inertia_of_maps(const oi::Kernel& k, const BoundState& state,
                                                const std::vector<int>& which, const Records& maps,
                                                const Windows& windows) {
    const Maps sets = maps_from(maps, which.size());
    const std::vector<oi::MassWindow> parts = windows_from(windows, which.size());
    oi::Rows found = computed([&] { return k.pseudo_inertia_of_maps(state.view(), which, sets, parts); });
    return {give(std::move(found.values), {sets.size(), which.size(), 4, 4}), remarks_of(found.remarks)};
}

std::tuple<Out, Remarks> pseudo_inertia(const oi::Kernel& k, const BoundState& state, const Which& which,
                                        const Windows& windows) {
    const std::vector<int>& muscles = numbers(k, which);
    const std::vector<oi::MassWindow> parts = windows_from(windows, muscles.size());
    oi::Rows found = computed([&] { return k.pseudo_inertia(state.view(), muscles, parts); });
    return {give(std::move(found.values), {numbers(k, which).size(), 4, 4}), remarks_of(found.remarks)};
}

std::tuple<Out, Out, Out, Out, Remarks> mass_points(const oi::Kernel& k, const BoundState& state, int muscle,
                                                    const std::vector<Fraction>& fractions, bool want_jacobian) {
    std::vector<oi::Material<double>> material;
    for (const auto& [along_aponeurosis, along_fibre] : fractions) material.push_back({along_aponeurosis, along_fibre});
    oi::MaterialPoints found = computed([&] { return k.mass_points(state.view(), muscle, material, want_jacobian); });
    const std::size_t n = fractions.size();
    return {give(std::move(found.position), {n, 3}), give(std::move(found.velocity), {n, 3}),
            give(std::move(found.jacobian), {want_jacobian ? n : 0, 3, size(k.speeds())}),
            give(std::move(found.bias), {n, 3}), remarks_of(found.remarks)};
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
    nb::class_<BoundTerms>(m, "Terms", "Terms of the equations of motion that the muscles' mass changes at a state.")
        .def_ro("mass_matrix", &BoundTerms::mass_matrix, "Added mass matrix dM, (speeds, speeds).")
        .def_ro("bias", &BoundTerms::bias, "Quadratic velocity vector h, (speeds,).")
        .def_ro("gravity", &BoundTerms::gravity, "Generalized forces of gravity g_m, (speeds,).")
        .def_ro("kinetic", &BoundTerms::kinetic, "Kinetic energy [J].")
        .def_ro("potential", &BoundTerms::potential, "Potential energy [J]; zero where the mass is at ground's origin.")
        .def_ro("remarks", &BoundTerms::remarks, "What becomes of muscles at the state.");

    nb::class_<oi::Kernel>(
        m, "Kernel", R"(All muscles of a model with mass. It is immutable, and may be used from several threads at once.

Inertia and forces are differences: mass that slides along the paths, less the same mass frozen to its donor segments.

Args:
    bodies, speeds: how many a state has.
    gravity: (3,) in ground [m/s^2].
    muscles: each as `opensim_inertia.paths.kernel.MuscleRecord` says; a muscle's number is its place here.

Raises:
    ValueError: names the muscle of which something is missing, unknown or impossible, or whose points or surfaces are
        on a body or coordinate that is out of range.

All methods raise ValueError if a state has other numbers of bodies or speeds, IndexError for a muscle number that is
out of range, and RuntimeError, which names the muscle, if a path cannot carry its mass at a state or is to be given
and the state has none.)")
        .def(
            "__init__",
            [](oi::Kernel* k, int bodies, int speeds, const In<1>& gravity, const PlainRecords& muscles) {
                new (k) oi::Kernel(bodies, speeds, vec3(gravity, "gravity"), muscles_from(muscles));
            },
            nb::arg("bodies"), nb::arg("speeds"), nb::arg("gravity"), nb::arg("muscles"))
        .def_prop_ro("size", &oi::Kernel::size, "Number of muscles.")
        .def("evaluate", &evaluate, nb::arg("state"), nb::arg("which") = nb::none(), nb::arg("subtract_frozen") = true,
             "dM, h, g_m and energies, summed over muscles; without ``subtract_frozen`` those of the muscles "
             "themselves.")
        .def("equations", &equations, nb::arg("state"), nb::arg("mass_matrix"), nb::arg("udot0"),
             nb::arg("which") = nb::none(),
             R"(The equations of motion with the muscles' mass: M + dM, M udot0 + h + g_m, and remarks.

Args:
    state: the state.
    mass_matrix: M of the rigid bodies, (speeds, speeds).
    udot0: the rigid bodies' accelerations under all forces, (speeds,).
    which: numbers of muscles.)")
        .def("inverse", &summed<&oi::Kernel::inverse>, nb::arg("states"), nb::arg("udot"),
             nb::arg("which") = nb::none(),
             "dM udot - h - g_m at T states, summed over muscles, (T, speeds), and remarks; ``udot`` (T, speeds).")
        .def("inverse_on_carriers", &summed<&oi::Kernel::inverse_on_carriers>, nb::arg("states"), nb::arg("udot"),
             nb::arg("which") = nb::none(),
             R"(``inverse`` before it is projected, and remarks.

Returns:
    wrenches on bodies (moment about the origin and force, in ground) and forces on coordinates by which path points
    slide in their bodies, (T, 6 bodies + speeds), and remarks.)")
        .def("inverse_each", &inverse_each, nb::arg("states"), nb::arg("udot"), nb::arg("which") = nb::none(),
             "``inverse`` of each muscle on its own, (T, muscles, speeds), and remarks.")
        .def("inverse_parts", &inverse_parts, nb::arg("states"), nb::arg("udot"), nb::arg("weights"),
             R"(``inverse_each`` of all muscles, what ``inverse`` is made of, and remarks.

Args:
    states, udot: as there.
    weights: [kg] of all muscles, of the kinetic energy of the rates of their lengths, sum weight rate^2 / 2.

Returns:
    (T, muscles, speeds); (T, 4, speeds): the force of that energy, the part of it that does not depend on udot, -h and
    -g_m; and remarks.)")
        .def("inverse_of_maps", &inverse_of_maps, nb::arg("states"), nb::arg("udot"), nb::arg("which"), nb::arg("maps"),
             nb::arg("frozen"), R"(``inverse_each`` with other maps in place of the muscles' own, and remarks.

Args:
    states, udot: as there.
    which: numbers of muscles.
    maps: several sets, each of a map for each of these muscles, as `opensim_inertia.paths.kernel.MapRecord` says.
    frozen: parts of these muscles' frozen mass: places of the muscles in ``which``, bodies, and mass, first moment (3)
        and second moments xx, yy, zz, xy, xz, yz about the body's origin, (sets, parts, 10).

Returns:
    (sets, T, muscles, speeds), and remarks.)")
        .def("pseudo_inertia_of_maps", &pseudo_inertia_of_maps, nb::arg("state"), nb::arg("which"), nb::arg("maps"),
             nb::arg("windows") = nb::none(),
             "``pseudo_inertia`` with other maps, as ``inverse_of_maps`` takes them, (sets, muscles, 4, 4).")
        .def("pseudo_inertia", &pseudo_inertia, nb::arg("state"), nb::arg("which") = nb::none(),
             nb::arg("windows") = nb::none(),
             R"(Each muscle's mass as a rigid body in ground, and remarks.

Args:
    state: the state.
    which: numbers of muscles; None: all.
    windows: of each of them the shares of its mass, counted from the origin, between which it is asked for; None: all.

Returns:
    [[sum m x x^T, sum m x], [sum m x^T, sum m]], (muscles, 4, 4), and remarks.)")
        .def("mass_points", &mass_points, nb::arg("state"), nb::arg("muscle"), nb::arg("fractions"),
             nb::arg("want_jacobian") = true,
             R"(Positions (n, 3), velocities (n, 3), Jacobians (n, 3, speeds), Jdot u (n, 3) and remarks.

Args:
    state: the state.
    muscle: number of the muscle.
    fractions: material points (chi, xi).
    want_jacobian: else there are no Jacobians, (0, 3, speeds).)")
        .def("lengths", &lengths, nb::arg("state"), nb::arg("which") = nb::none(),
             "Lengths of path, belly and fibres [m], and whether these are held (1 or 0), (muscles, 4).")
        .def("length_gradients", &length_gradients, nb::arg("state"), nb::arg("which") = nb::none(),
             R"(Derivatives of the paths' lengths, (muscles, 6 bodies + speeds).

They are with respect to the twists of the bodies (angular, linear of the origin, in ground) and to the speeds, along
which path points slide in the bodies, the bodies being held.)");
}
