"""The OpenSim plugin under test, and OpenSim's accelerations of models that have its component."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import opensim_inertia as oi
from opensim_inertia._core.opensim import osim, quiet
from opensim_inertia.files import read_table, write_table
from opensim_inertia.model.plugin import LIBRARY
from opensim_inertia.opensim_model.reading.loading import model_xml

from .finite_differences import Array

STRENGTH = 10.0  # Of the actuators of :func:`with_torques` at a control of 1 [N m or N]


def need_plugin() -> None:
    """Load it; skip where it was not built, or fail if ``OPENSIM_INERTIA_REQUIRE_NATIVE`` is 1."""
    if not LIBRARY.is_file():
        reason = "the OpenSim plugin was not built, for want of headers of OpenSim"
        if os.environ.get("OPENSIM_INERTIA_REQUIRE_NATIVE") == "1":
            pytest.fail(reason, pytrace=False)
        pytest.skip(reason)
    oi.load_plugin()


class Native:
    """An inertial model's copy with the component."""

    def __init__(self, inertial: oi.InertialModel, model: osim.Model | None = None) -> None:
        self.inertial = inertial
        self.model = inertial.native_model() if model is None else model
        self.state = osim.State(self.model.initSystem())

    def udot(self, time: float, y: Array, change: Callable[[osim.Model, osim.State], Any] | None = None) -> Array:
        """OpenSim's accelerations (nu,); ``change`` is done to the state first, as a lock."""
        if change:
            change(self.model, self.state)
        self.state.setTime(time)
        self.state.setY(osim.Vector.createFromMat(np.ascontiguousarray(y)))
        self.model.realizeAcceleration(self.state)
        return np.array(self.state.getUDot().to_numpy())

    def error_at(self, state: osim.State, change: Callable[[osim.Model, osim.State], Any] | None = None) -> float:
        """Largest difference from ``InertialModel.udot`` at one of its states, relative to the largest acceleration."""
        if change:
            change(self.inertial.model, state)
        ours = self.inertial.udot(state)
        native_udot = self.udot(state.getTime(), state.getY().to_numpy().copy(), change)
        assert np.abs(ours).max() > 1e-3
        return float(np.abs(native_udot - ours).max() / np.abs(ours).max())


def without_forces(model: osim.Model, state: osim.State) -> None:
    """Let no muscle apply a force at a state."""
    for muscle in model.getMuscles():
        muscle.setAppliesForce(state, False)


def with_torques(model: osim.Model) -> osim.Model:
    """The model without muscles, with an actuator on each coordinate."""
    processor = osim.ModelProcessor(model)
    processor.append(osim.ModOpRemoveMuscles())
    processed = processor.process()
    for coordinate in processed.getCoordinateSet():
        actuator = osim.CoordinateActuator(coordinate.getName())
        actuator.setName(coordinate.getName())
        actuator.setOptimalForce(STRENGTH)
        actuator.setMinControl(-1000.0)
        actuator.setMaxControl(1000.0)
        processed.addForce(actuator)
    processed.finalizeConnections()
    return processed


def run_forward_tool(folder: Path, end: float) -> pd.Series:
    """Run OpenSim's tool, as a setup file has it, from the first row of start.sto to ``end`` [s], with model.osim."""
    tool = osim.ForwardTool()
    tool.setName("motion")
    tool.setModelFilename(str(folder / "model.osim"))
    tool.setStatesFileName(str(folder / "start.sto"))
    tool.setResultsDir(str(folder))
    tool.setInitialTime(0.0)
    tool.setFinalTime(end)
    tool.setErrorTolerance(1e-10)
    tool.setSolveForEquilibrium(False)
    tool.printToXML(str(folder / "setup.xml"))
    with quiet():
        assert osim.ForwardTool(str(folder / "setup.xml")).run()
    last = read_table(folder / "motion_states.sto").iloc[-1]
    assert abs(last.name - end) < 1e-12
    return last


def write_model(model: osim.Model, file: Path) -> None:
    """Write a model with its defaults, which models that are read after it may change."""
    file.write_text(model_xml(model))


def set_up_tracking(
    tool: Any,
    model: osim.Model,
    wanted: pd.DataFrame,
    folder: Path,
    gain: float,
    actuators: dict[str, str],
    force: float,
) -> None:
    """Let RRA or CMC follow a motion, in a new folder; ``actuators`` are names by coordinate, ``gain`` is in 1/s."""
    folder.mkdir()
    write_model(model, folder / "model.osim")
    write_table(wanted, folder / "wanted.sto", in_degrees=False, name="wanted")
    tasks, forces, files = osim.CMC_TaskSet(), osim.ForceSet(), osim.ArrayStr()
    for coordinate, name in actuators.items():
        task, actuator = osim.CMC_Joint(), osim.CoordinateActuator(coordinate)
        task.setName(coordinate)
        task.setCoordinateName(coordinate)
        task.setKP(gain**2, 1.0, 1.0)
        task.setKV(2 * gain, 1.0, 1.0)
        task.setActive(True, False, False)
        tasks.cloneAndAppend(task)
        actuator.setName(name)
        actuator.setOptimalForce(force)
        actuator.setMinControl(-100.0)
        actuator.setMaxControl(100.0)
        forces.cloneAndAppend(actuator)
    tasks.printToXML(str(folder / "tasks.xml"))
    forces.printToXML(str(folder / "actuators.xml"))
    files.append(str(folder / "actuators.xml"))
    tool.setModelFilename(str(folder / "model.osim"))
    tool.setDesiredKinematicsFileName(str(folder / "wanted.sto"))
    tool.setTaskSetFileName(str(folder / "tasks.xml"))
    tool.setForceSetFiles(files)
    tool.setInitialTime(0.0)
    tool.setResultsDir(str(folder))
