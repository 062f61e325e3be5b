// Central differences of fourth order.
#pragma once

#include "opensim_inertia/scalar/types.hpp"

// df/dt at t = 0; f gives a double or an Eigen object.
template <class F>
auto derivative(F&& f, double h) {
    using Y = std::decay_t<decltype(f(0.0))>;
    const Y y = 8.0 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h));
    return Y(y / (12 * h));
}

// d2f/dt2 at t = 0.
template <class F>
auto second_derivative(F&& f, double h) {
    using Y = std::decay_t<decltype(f(0.0))>;
    const Y y = 16.0 * (f(h) + f(-h)) - (f(2 * h) + f(-2 * h)) - 30.0 * f(0.0);
    return Y(y / (12 * h * h));
}

// How far a is from b, relative to the largest entry of b.
template <class A, class B>
double apart(const A& a, const B& b) {
    return (a - b).cwiseAbs().maxCoeff() / b.cwiseAbs().maxCoeff();
}
