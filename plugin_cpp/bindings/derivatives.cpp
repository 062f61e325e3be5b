// Python bindings of the kernel's derivatives.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include "kernel.hpp"
#include "opensim_inertia/dynamics/kernel_derivatives.hpp"

namespace {

Out inverse_along(const oi::Kernel& k, const BoundState& state, const In<1>& udot, const BoundDirections& directions,
                  const Which& which) {
    expect(udot, {k.speeds()}, "udot");
    const oi::Directions& d = directions.of(state.view());
    return give(computed([&] {
                    const oi::State<double> s = state.view().accelerated(udot.data());
                    return oi::KernelDerivatives(k).inverse_along(s, d, numbers(k, which));
                }),
                {size(d.count), size(k.speeds())});
}

Out inverse_by_map(const oi::Kernel& k, const BoundState& state, const In<1>& udot, const FrozenParts& parts,
                   const Which& which) {
    expect(udot, {k.speeds()}, "udot");
    const std::vector<oi::FrozenMuscles> frozen = frozen_from(k, parts, 3, numbers(k, which).size());
    return give(computed([&] {
                    const oi::State<double> s = state.view().accelerated(udot.data());
                    return oi::KernelDerivatives(k).inverse_by_map(s, numbers(k, which), frozen);
                }),
                {numbers(k, which).size(), 3, size(k.speeds())});
}

Out pseudo_inertia_by_map(const oi::Kernel& k, const BoundState& state, const Which& which, const Windows& windows) {
    const std::vector<int>& muscles = numbers(k, which);
    const std::vector<oi::MassWindow> parts = windows_from(windows, muscles.size());
    return give(computed([&] { return oi::KernelDerivatives(k).pseudo_inertia_by_map(state.view(), muscles, parts); }),
                {muscles.size(), 3, 4, 4});
}

}    // namespace

// Adds the methods to the class `Kernel`.
void bind_derivatives(nb::module_& m) {
    auto kernel = nb::borrow<nb::class_<oi::Kernel>>(m.attr("Kernel"));
    kernel
        .def("inverse_along", &inverse_along, nb::arg("state"), nb::arg("udot"), nb::arg("directions"),
             nb::arg("which") = nb::none(),
             R"(Derivatives of ``inverse`` at a state along D directions, udot (speeds,) being held, (D, speeds); exact.

Raises:
    RuntimeError: names a muscle whose path is given: it has no derivatives.)")
        .def(
            "inverse_by_map", &inverse_by_map, nb::arg("state"), nb::arg("udot"), nb::arg("frozen"),
            nb::arg("which") = nb::none(),
            R"(Derivatives of ``inverse_each`` by each muscle's own `proximal`, `phi` and `aponeurosis`, at udot (speeds,).

Args:
    state: the state.
    udot: accelerations.
    frozen: derivatives of the frozen mass by the three, as ``inverse_of_maps`` takes it.
    which: numbers of muscles; None: all.

Returns:
    (muscles, 3, speeds); exact.

Raises:
    RuntimeError: as ``inverse_along``.)")
        .def("pseudo_inertia_by_map", &pseudo_inertia_by_map, nb::arg("state"), nb::arg("which") = nb::none(),
             nb::arg("windows") = nb::none(),
             R"(Derivatives of ``pseudo_inertia`` by each muscle's own `proximal`, `phi` and `aponeurosis`; exact.

Returns:
    (muscles, 3, 4, 4).

Raises:
    RuntimeError: as ``inverse_along``.)");
}
