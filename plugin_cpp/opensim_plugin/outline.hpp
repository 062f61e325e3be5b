// Facts of a description about its model. Plain data, for both sides of the plugin: the one that sees the kernel and
// the one that sees OpenSim.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace opensim_inertia::native {

using Numbers3 = std::array<double, 3>;

// A CustomJoint whose acceleration bias Simbody gets wrong: its child frame, and the bodies that its motion carries.
struct SharedRotation {
    std::string body;                    // carries the child frame
    std::array<double, 9> rotation{};    // of the frame in the body, row-major
    Numbers3 origin{};
    std::vector<double> carries;    // of each described body: 1, -1 (the joint is reversed) or 0
};

// A property of one of the model's objects, as it was when the description was made.
struct DescribedProperty {
    std::string object, property;
    std::vector<double> values;
};

// A muscle, and of how many points and wraps its path consists.
struct DescribedParts {
    std::string object;
    int count = 0;
};

struct Outline {
    Numbers3 gravity{};
    std::vector<std::string> bodies, coordinates;    // along a state's axes
    std::vector<SharedRotation> rotations;
    std::vector<DescribedProperty> properties;
    std::vector<DescribedParts> parts;
};

}    // namespace opensim_inertia::native
