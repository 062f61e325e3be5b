// Headers of OpenSim for the plugin. Model.h is left out: its layout differs between the supported versions, that of
// the classes below does not.
#pragma once

#include <OpenSim/Simulation/Model/ModelComponent.h>
#include <OpenSim/Simulation/Model/PhysicalFrame.h>
#include <OpenSim/Simulation/SimbodyEngine/Coordinate.h>
#include <Simbody.h>
