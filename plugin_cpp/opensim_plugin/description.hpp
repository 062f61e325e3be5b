// The muscles as the Python package describes them: JSON in one property of the component, after its version and
// checksum.
#pragma once

#include <string>
#include <vector>

#include "opensim_inertia/muscle/muscle.hpp"
#include "outline.hpp"

namespace opensim_inertia::native {

// The version of the text; opensim_inertia/model/plugin/library.py writes the same.
constexpr int kVersion = 7;

// The second and third rotation of a joint, for its bias (outline.hpp has the rest of the joint).
struct RotationRates {
    ScalarFunction second, third;    // angles
    Vec3d cosine, sine;              // the missing acceleration's directions, in the child frame

    // What Simbody's angular acceleration lacks at udot = 0, in the child frame.
    Vec3d lacking(const double* q, const double* u) const {
        const auto by_second = second(q[second.coordinate]), by_third = third(q[third.coordinate]);
        const double rate = by_second.df * u[second.coordinate] * by_third.df * u[third.coordinate];
        return rate * (std::cos(by_third.f) * cosine + std::sin(by_third.f) * sine);
    }
};

struct Description {
    Outline outline;
    std::vector<RotationRates> rates;    // of outline.rotations
    std::vector<Muscle> muscles;
};

// Raises std::runtime_error, which says what is wrong and where, for a text that is not such a description.
Description read_description(const std::string& text);

}    // namespace opensim_inertia::native
