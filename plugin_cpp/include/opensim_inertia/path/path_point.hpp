// Path points as the model defines them.
#pragma once

#include <vector>

#include "opensim_inertia/path/scalar_function.hpp"
#include "opensim_inertia/scalar/types.hpp"

namespace opensim_inertia {

// A point of a path: fixed to a body, or moving in it with coordinates, or present only in a coordinate's range.
struct PathPoint {
    int body = 0;
    Vec3d station = Vec3d::Zero();                // in the body's frame; where `moving` is empty
    std::vector<ScalarFunction> moving;           // three functions: OpenSim's MovingPathPoint
    Mat3d moving_rotation = Mat3d::Identity();    // from the frame the point hangs on to the body
    Vec3d moving_origin = Vec3d::Zero();
    int condition = -1;    // coordinate index: OpenSim's ConditionalPathPoint
    double low = 0, high = 0;

    // OpenSim's activation rule, with its tolerance (ConditionalPathPoint::isActive)
    template <class Real>
    bool active(const Real* q) const {
        constexpr double tolerance = 1e-5;
        if (condition < 0) return true;
        const double x = value(q[condition]);
        return x >= low - tolerance && x <= high + tolerance;
    }
};

}    // namespace opensim_inertia
