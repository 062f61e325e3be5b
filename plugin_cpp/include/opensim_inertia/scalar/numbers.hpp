// A scalar as the doubles that it is made of, the value first.
#pragma once

#include "opensim_inertia/scalar/dual.hpp"
#include "opensim_inertia/scalar/gradient.hpp"
#include "opensim_inertia/scalar/time_jet.hpp"

namespace opensim_inertia {

template <class T>
struct Numbers;

template <>
struct Numbers<double> {
    static constexpr int count = 1;
    static void write(double x, double* to) { *to = x; }
    static double read(const double* from) { return *from; }
};

template <int K>
struct Numbers<Dual<K>> {
    static constexpr int count = 1 + K;
    static void write(const Dual<K>& x, double* to) {
        to[0] = x.v;
        Eigen::Map<typename Dual<K>::D>(to + 1) = x.d;
    }
    static Dual<K> read(const double* from) { return {from[0], Eigen::Map<const typename Dual<K>::D>(from + 1)}; }
};

template <class Real>
struct Numbers<TimeJet<Real>> {
    using Part = Numbers<Real>;
    static constexpr int count = 3 * Part::count;
    static void write(const TimeJet<Real>& x, double* to) {
        Part::write(x.v, to);
        Part::write(x.d, to + Part::count);
        Part::write(x.dd, to + 2 * Part::count);
    }
    static TimeJet<Real> read(const double* from) {
        return {Part::read(from), Part::read(from + Part::count), Part::read(from + 2 * Part::count)};
    }
};

template <int N, class Real>
struct Numbers<Gradient<N, Real>> {
    using Part = Numbers<Real>;
    static constexpr int count = (1 + N) * Part::count;
    static void write(const Gradient<N, Real>& x, double* to) {
        Part::write(x.v, to);
        for (int i = 0; i < N; ++i) Part::write(x.g[i], to + (1 + i) * Part::count);
    }
    static Gradient<N, Real> read(const double* from) {
        Gradient<N, Real> x(Part::read(from));
        for (int i = 0; i < N; ++i) x.g[i] = Part::read(from + (1 + i) * Part::count);
        return x;
    }
};

}    // namespace opensim_inertia
