"""OpenSim's libraries are loaded before its Python modules: nothing that is computed depends on it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import opensim_inertia

ANSWER = """

from opensim_inertia import InertialModel, estimate_masses, inverse_dynamics
from opensim_inertia.demo import FILES
import opensim

model = opensim.Model(str(FILES["model"]))
result = inverse_dynamics(InertialModel(model, estimate_masses(model)), FILES["motion"])
state = model.initSystem()
state.setU(opensim.Vector(state.getNU(), 0.7))
model.realizeAcceleration(state)
print(result.inertial_forces.tobytes().hex(), state.getUDot().to_numpy().tobytes().hex())
"""


@pytest.mark.filterwarnings("ignore")
def test_same_bits_whichever_is_imported_first(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    exec(ANSWER, {})  # this process imported the package first
    here = capfd.readouterr().out.splitlines()[-1]
    environment = os.environ | {"PYTHONPATH": str(Path(opensim_inertia.__file__).parents[1])}
    command = [sys.executable, "-W", "ignore", "-c", "import opensim" + ANSWER]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    assert len(here) > 1000 and done.stdout.splitlines()[-1] == here
