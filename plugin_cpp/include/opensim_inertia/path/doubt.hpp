// Kinds of doubt about a path. (docs/theory/wrapping.md, "Comparison and marks")
#pragma once

#include <string_view>

namespace opensim_inertia {

enum class Doubt {
    divided,     // two strings past a surface are of about one length, or there is hardly one: its mass is divided
    fast,        // its mass moves more than kFast times as fast as what carries it, which the muscle's terms tell
    inside,      // an end lies inside a surface, which it wraps, and it is more than kFar longer than straight through
    straight,    // its mass lies straight from path point to path point, for it would be fast
    far,         // its length is more than kFar off the one that the state brings
};

inline constexpr std::string_view kDoubts[] = {"divided", "fast", "inside", "straight", "far"};

// By how much a muscle's mass may move faster with a coordinate than all that carries it (dynamics/mass_speeds.hpp).
inline constexpr double kFast = 2;
inline constexpr double kFar = 1e-2;    // [m] by which OpenSim's path is another one

}    // namespace opensim_inertia
