// Registration of the plugin's types when OpenSim loads the library.
#include "InertialMuscles.h"

#if defined(_WIN32)
#define OPENSIM_INERTIA_EXPORT __declspec(dllexport)
#else
#define OPENSIM_INERTIA_EXPORT __attribute__((visibility("default")))
#endif

extern "C" OPENSIM_INERTIA_EXPORT void RegisterTypes_osimInertialMuscles() {
    OpenSim::Object::registerType(OpenSim::InertialMuscles());
}

namespace {

const struct Registration {
    Registration() { RegisterTypes_osimInertialMuscles(); }
} registration;

}    // namespace
