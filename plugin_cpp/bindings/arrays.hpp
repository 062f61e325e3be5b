// Conversion of NumPy arrays, with checks of shapes.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <string>

#include "opensim_inertia/scalar/types.hpp"

namespace nb = nanobind;
namespace oi = opensim_inertia;

template <int D>
using In = nb::ndarray<const double, nb::ndim<D>, nb::c_contig, nb::device::cpu>;
template <int D>
using InOut = nb::ndarray<double, nb::ndim<D>, nb::c_contig, nb::device::cpu>;
using Out = nb::ndarray<nb::numpy, double>;
using Shape = std::initializer_list<std::size_t>;

// Values that become a NumPy array's own.
template <class M>
Out give(M values, Shape shape) {
    auto* kept = new M(std::move(values));
    nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<M*>(p); });
    return Out(kept->data(), shape, owner);
}

inline nb::builtin_exception wrong(const std::string& what) { return nb::value_error(("kernel: " + what).c_str()); }

template <class A>
void expect(const A& a, std::initializer_list<int> shape, const char* name) {
    int i = 0;
    for (int n : shape) {
        if (static_cast<int>(a.shape(static_cast<std::size_t>(i))) != n)
            throw wrong(std::string(name) + " has the wrong shape on axis " + std::to_string(i) + ": " +
                        std::to_string(a.shape(static_cast<std::size_t>(i))) + ", expected " + std::to_string(n));
        ++i;
    }
}

inline oi::Vec3d vec3(const In<1>& a, const char* name) {
    expect(a, {3}, name);
    return {a(0), a(1), a(2)};
}
