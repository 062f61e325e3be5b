"""Memory: steps that are kept, checkpoints between, and what long simulations take."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from oracles import limbs
from oracles.integrators import FIXED, fixed_step

import opensim_inertia as oi
from opensim_inertia.analyses.gradients.simulation import MEMORY

STEPS = (200, 1000)
PER_STEP = 5e3
"""By which a step and its gradient may raise the peak [bytes]; measured 1.4e3. Ten thousand stay below 50 MB."""
PEAK = 500e6
"""Of the process [bytes]; measured 260e6, of which 240e6 are the code of OpenSim, Python and SciPy."""


@cache
def pulled() -> oi.InertialModel:
    return oi.InertialModel(limbs.limbs("fixed", pull=True), limbs.masses())


@pytest.mark.slow
@pytest.mark.parametrize("method", FIXED)
def test_checkpoints_give_the_same(method: str) -> None:
    """Steps that are made again come out to the last bit. Newton's method starts afresh at every checkpoint, so that
    with less memory implicit steps are others, as near as their accuracy (of stiff muscles) says.
    """
    step, near = (2e-3, 1e-6) if FIXED[method].is_implicit else (1e-5, 0.0)
    found = []
    for memory in (MEMORY, 3000.0, 1.0):  # everything, some steps, one step
        parameters = {"torque": oi.gradients.Forces(["hip", "knee"]), "speed": oi.gradients.InitialSpeeds(["hip"])}
        simulation = oi.DifferentiableSimulation(
            oi.Problem(pulled(), t_final=7 * step), parameters, fixed_step(method, step, 1e-11), memory=memory
        )
        run = simulation.run({"torque": [1.0, -2.0]})
        y = run.trajectory.y
        steps = list(run.tape.backwards())
        assert len(steps) == 7
        for made, t, state in zip(steps, run.trajectory.times[:0:-1], y[:0:-1], strict=True):
            assert made.landed[0] == t and len(made.stages) == FIXED[method].stage_count
            np.testing.assert_array_equal(made.landed[1], state)
        gradient = simulation.gradient(run, np.ones_like(y))
        again = simulation.gradient(run, np.ones_like(y))
        for name in gradient:
            np.testing.assert_array_equal(gradient[name], again[name])
        found.append((y, gradient))
    for y, gradient in found[1:]:
        np.testing.assert_allclose(y, found[0][0], rtol=near, atol=near)
        for name, array in gradient.items():
            np.testing.assert_allclose(array, found[0][1][name], rtol=near)


SCRIPT = """
import sys
import numpy as np
import opensim_inertia as oi
from oracles import limbs

def gradient(steps):
    inertial = oi.InertialModel(limbs.chain(2), {"muscle": 0.5}, "uniform")
    parameters = {"torque": oi.gradients.Forces(["q1", "q2"]), "mass": oi.gradients.MuscleMasses("muscle")}
    problem = oi.Problem(inertial, t_final=1e-4 * steps)
    simulation = oi.DifferentiableSimulation(problem, parameters, oi.integrators.ForwardEuler(1e-4), memory=1e5)
    run = simulation.run({"torque": [0.3, 0.1]})
    cotangents = np.zeros_like(run.trajectory.y)
    cotangents[-1] = 1.0
    return np.concatenate(list(simulation.gradient(run, cotangents).values()))

for steps in map(int, sys.argv[1:]):
    found = gradient(steps)
    with open("/proc/self/status") as status:  # ru_maxrss would start with that of the parent process
        peak = next(line.split()[1] for line in status if line.startswith("VmHWM"))
    print(1024 * int(peak), *found)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="peaks of memory as Linux tells them")
@pytest.mark.slow
def test_long_simulations_take_little(tmp_path: Path) -> None:
    paths = [str(Path(oi.__file__).parents[1]), str(Path(limbs.__file__).parents[1])]
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, *map(str, STEPS)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(paths)},
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    short, long = ([float(x) for x in line.split()] for line in done.stdout.splitlines())
    assert np.isfinite(long).all() and min(map(abs, long[1:])) > 0
    assert long[0] < PEAK
    assert (long[0] - short[0]) / (STEPS[1] - STEPS[0]) < PER_STEP
