// One order of differentiation: a scalar as its lower part and the rates of that part.
//
// What is linear in the rates need be found for the lower part only: Lower * Rate is a Rate.
#pragma once

#include "opensim_inertia/scalar/dual.hpp"
#include "opensim_inertia/scalar/gradient.hpp"
#include "opensim_inertia/scalar/time_jet.hpp"

namespace opensim_inertia {

template <class T>
struct Order;

template <>
struct Order<double> {    // nothing changes
    using Lower = double;
    using Rate = double;
    static double lower(double x) { return x; }
    static double rate(double) { return 0; }
    static double whole(double x, double) { return x; }
};

template <int K>
struct Order<Dual<K>> {
    using Lower = double;
    using Rate = typename Dual<K>::D;
    static double lower(const Dual<K>& x) { return x.v; }
    static const Rate& rate(const Dual<K>& x) { return x.d; }
    static Dual<K> whole(double x, const Rate& rate) { return {x, rate}; }
};

template <int N, class Real>
struct Order<Gradient<N, Real>> {
    using Lower = Real;
    using Rate = typename Gradient<N, Real>::G;
    static const Real& lower(const Gradient<N, Real>& x) { return x.v; }
    static const Rate& rate(const Gradient<N, Real>& x) { return x.g; }
    static Gradient<N, Real> whole(const Real& x, const Rate& rate) { return {x, rate}; }
    static Gradient<N, Real> extended(const Real& x) { return x; }
};

template <class Real>
struct Order<TimeJet<Real>> {    // the value and its rate; the rate and its own
    using Lower = Gradient<1, Real>;
    using Rate = Gradient<1, Real>;
    static Lower lower(const TimeJet<Real>& x) { return pair(x.v, x.d); }
    static Rate rate(const TimeJet<Real>& x) { return pair(x.d, x.dd); }
    static TimeJet<Real> whole(const Lower& x, const Rate& rate) { return {x.v, rate.v, rate.g[0]}; }
    static TimeJet<Real> extended(const Lower& x) { return {x.v, x.g[0], 0.0}; }

  private:
    static Gradient<1, Real> pair(const Real& v, const Real& d) {
        Gradient<1, Real> r(v);
        r.g[0] = d;
        return r;
    }
};

template <class T>
using Lower = typename Order<T>::Lower;
template <class T>
using Rate = typename Order<T>::Rate;

template <class T>
Lower<T> lower(const T& x) {
    return Order<T>::lower(x);
}
template <class T>
Vec3<Lower<T>> lower(const Vec3<T>& x) {
    return {{lower(x[0]), lower(x[1]), lower(x[2])}};
}

template <class T>
Rate<T> rate_of(const T& x) {
    return Order<T>::rate(x);
}
template <class T>
Vec3<Rate<T>> rate_of(const Vec3<T>& x) {
    return {{rate_of(x[0]), rate_of(x[1]), rate_of(x[2])}};
}

// A lower part without rates but those that it implies.
template <class T>
T extended(const Lower<T>& x) {
    return Order<T>::extended(x);
}
template <class T>
T whole(const Lower<T>& x, const Rate<T>& rate) {
    return Order<T>::whole(x, rate);
}
template <class T>
Vec3<T> whole(const Vec3<Lower<T>>& x, const Vec3<Rate<T>>& rate) {
    return {{whole<T>(x[0], rate[0]), whole<T>(x[1], rate[1]), whole<T>(x[2], rate[2])}};
}

}    // namespace opensim_inertia
