// What the plugin includes of OpenSim. Model.h is left out: its layout is not the same in all versions that the plugin
// serves, that of the classes below is.
#pragma once

#include <OpenSim/Simulation/Model/ModelComponent.h>
#include <OpenSim/Simulation/Model/PhysicalFrame.h>
#include <OpenSim/Simulation/SimbodyEngine/Coordinate.h>
#include <Simbody.h>
