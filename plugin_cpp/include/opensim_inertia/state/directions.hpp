// Directions in which a state changes.
#pragma once

namespace opensim_inertia {

// Derivatives of one state's arrays along `count` directions; udot is held.
struct Directions {
    int count;
    const double* q;           // (count, speeds)
    const double* u;           // (count, speeds)
    const double* twist;       // (count, bodies, 6) motion of the bodies in ground: angular, linear of their origins
    const double* jacobian;    // (count, 6 bodies, speeds)
    const double* bias;        // (count, bodies, 6)
    const double* simbody_bias;    // (count, bodies, 6)
};

}    // namespace opensim_inertia
