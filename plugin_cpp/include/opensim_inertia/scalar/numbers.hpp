// A scalar as its doubles, `stride` apart, the value first.
#pragma once

#include "opensim_inertia/scalar/dual.hpp"
#include "opensim_inertia/scalar/time_jet.hpp"

namespace opensim_inertia {

template <class T>
struct Numbers;

template <>
struct Numbers<double> {
    static constexpr std::size_t count = 1;
    static void write(double x, double* to, std::size_t) { *to = x; }
    static double read(const double* from, std::size_t) { return *from; }
};

template <int K>
struct Numbers<Dual<K>> {
    static constexpr std::size_t count = 1 + K;
    static void write(const Dual<K>& x, double* to, std::size_t stride) {
        *to = x.v;
        for (int k = 0; k < K; ++k) *(to += stride) = x.d[k];
    }
    static Dual<K> read(const double* from, std::size_t stride) {
        Dual<K> x(*from);
        for (int k = 0; k < K; ++k) x.d[k] = *(from += stride);
        return x;
    }
};

template <class Real>
struct Numbers<TimeJet<Real>> {
    using Part = Numbers<Real>;
    static constexpr std::size_t count = 3 * Part::count;
    static void write(const TimeJet<Real>& x, double* to, std::size_t stride) {
        Part::write(x.v, to, stride);
        Part::write(x.d, to + Part::count * stride, stride);
        Part::write(x.dd, to + 2 * Part::count * stride, stride);
    }
    static TimeJet<Real> read(const double* from, std::size_t stride) {
        return {Part::read(from, stride), Part::read(from + Part::count * stride, stride),
                Part::read(from + 2 * Part::count * stride, stride)};
    }
};

}    // namespace opensim_inertia
