"""The demo's leg in OpenSim's Analyze Tool: setups of its Static Optimization, and what the tool makes of them."""

import os
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pandas as pd

import opensim_inertia as oi
from opensim_inertia._core.opensim import osim, quiet
from opensim_inertia.model.recorded_motion import recorded_motion

from .demo_leg import swing_motion
from .recruited_leg import leg_model

#: Strengths of the actuators on all coordinates [N or N m]: those beside muscles are weak.
STRENGTH, WEAK = 100.0, {"knee_angle_r": 20.0, "ankle_angle_r": 5.0}
SETUP = """<OpenSimDocument Version="40000"><AnalyzeTool name="leg"><model_file>leg.osim</model_file>
<replace_force_set>false</replace_force_set><force_set_files>actuators.xml</force_set_files>
<results_directory>.</results_directory><initial_time>0.2</initial_time><final_time>0.4</final_time>
<solve_for_equilibrium_for_auxiliary_states>false</solve_for_equilibrium_for_auxiliary_states>
<AnalysisSet><objects><StaticOptimization name="StaticOptimization"><on>true</on><start_time>0.2</start_time>
<end_time>0.3</end_time><step_interval>5</step_interval><use_model_force_set>true</use_model_force_set>
<activation_exponent>2</activation_exponent><use_muscle_physiology>true</use_muscle_physiology>
</StaticOptimization></objects></AnalysisSet>
<states_file/><coordinates_file/><speeds_file/>
<lowpass_cutoff_frequency_for_coordinates>-1</lowpass_cutoff_frequency_for_coordinates>
</AnalyzeTool></OpenSimDocument>
"""


def write_setup(folder: Path, **changes: str) -> Path:
    """Write the leg, its swing, actuators on all of its coordinates, and a setup with some elements' texts."""
    model = leg_model()
    model.printToXML(str(folder / "leg.osim"))
    oi.write_table(swing_motion(), folder / "swing.sto", in_degrees=False)
    forces = osim.ForceSet()
    for coordinate in model.getCoordinateSet():
        actuator = osim.CoordinateActuator(coordinate.getName())
        actuator.setName(f"{coordinate.getName()}_motor")
        actuator.setOptimalForce(WEAK.get(coordinate.getName(), STRENGTH))
        forces.cloneAndAppend(actuator)
    forces.printToXML(str(folder / "actuators.xml"))
    root = ElementTree.fromstring(SETUP)
    for name, value in changes.items():
        for element in root.iter(name):
            element.text = value
    ElementTree.ElementTree(root).write(folder / "setup.xml")
    return folder / "setup.xml"


def write_weak_muscles(path: Path, share: float) -> None:
    forces = osim.ForceSet()
    model = leg_model()
    for muscle in model.getMuscles():
        weak = osim.Millard2012EquilibriumMuscle.safeDownCast(muscle).clone()
        weak.setMaxIsometricForce(share * muscle.getMaxIsometricForce())
        forces.cloneAndAppend(weak)
    forces.printToXML(str(path))


def states(factor: float) -> pd.DataFrame:
    """Return the swing as states, the speeds times a factor."""
    model = leg_model()
    motion = recorded_motion(oi.InertialModel(model, {}), oi.Recording(swing_motion()))
    owned = model.getCoordinateSet()
    columns = {}
    for i, name in enumerate(motion.coordinate_names):
        path = owned.get(name).getAbsolutePathString()
        columns |= {f"{path}/value": motion.q[:, i], f"{path}/speed": factor * motion.u[:, i]}
    return pd.DataFrame(columns, index=motion.times)


def run_tool(setup: Path) -> pd.DataFrame:
    here = Path.cwd()
    os.chdir(setup.parent)
    try:
        with quiet():
            assert osim.AnalyzeTool(str(setup)).run()
    finally:
        os.chdir(here)
    return oi.read_table(setup.parent / "leg_StaticOptimization_activation.sto")
