// A smooth max(0, x), the only transition in the kernel.
#pragma once

#include "opensim_inertia/scalar/types.hpp"

namespace opensim_inertia {

// Double integral of the kernel (15/16)(1 - u^2)^2: exactly 0 below -1, exactly u above 1, C3 between.
template <class T>
T smooth_ramp(const T& u) {
    const double x = value(u);
    if (x <= -1) return T(0.0);
    if (x >= 1) return u;
    const auto z = real(u), y = z * z;
    const auto f = 5.0 / 32 + z * 0.5 + (15.0 / 16) * y * (0.5 - y * (1.0 / 6) + y * y * (1.0 / 30));
    const auto df = 0.5 + (15.0 / 16) * z * (1 - y * (2.0 / 3) + y * y * (1.0 / 5));
    return chain(u, f, df, (15.0 / 16) * (1 - y) * (1 - y));
}

// Its first derivative: a step from 0 to 1, C2.
template <class T>
T smooth_step(const T& u) {
    const double x = value(u);
    if (x <= -1) return T(0.0);
    if (x >= 1) return T(1.0);
    const auto z = real(u), y = z * z;
    return chain(u, 0.5 + (15.0 / 16) * z * (1 - y * (2.0 / 3) + y * y * (1.0 / 5)), (15.0 / 16) * (1 - y) * (1 - y),
                 -(15.0 / 4) * z * (1 - y));
}

}    // namespace opensim_inertia
