"""The same simulation gives the same bytes: again and again, whatever was made before, and in other processes."""

import hashlib
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from oracles import limbs

import opensim_inertia as oi
from opensim_inertia._core.opensim import osim

#: Integrators and engines; Simbody's weigh speeds in their error norms, SciPy's do not.
RUNS = [
    ("runge_kutta_merson", "native"),
    ("cpodes", "native"),
    ("auto", "native"),
    ("rk45", "native"),
    ("auto", "python"),
    ("dop853", "python"),
]

pytestmark = [
    pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.ShortBellyWarning"),
]

CODE = """
import sys, warnings
sys.path[:0] = {paths!r}
warnings.simplefilter("ignore")
import opensim_inertia as oi
from model.plugin.test_same_bits import RUNS, simulated
oi.load_plugin()
for _ in range({before}):
    simulated("auto", "native")
print(*(simulated(*run) for run in RUNS))
"""


def pulled() -> oi.InertialModel:
    return oi.InertialModel(limbs.limbs("custom", pull=True), limbs.masses())


def simulated(integrator: str, engine: str, inertial: oi.InertialModel | None = None) -> str:
    """A checksum of times and states."""
    motion = oi.simulate(
        oi.Problem(inertial or pulled(), t_final=0.1, excitations={"long": 0.3}), integrator, engine=engine
    )
    assert motion.engine == engine
    return hashlib.sha256(motion.times.tobytes() + motion.y.tobytes()).hexdigest()


@pytest.mark.parametrize(("integrator", "engine"), RUNS)
def test_in_one_process(integrator: str, engine: str) -> None:
    """With one inertial model and with new ones, other models being made, bound and simulated in between."""
    kept, sums = pulled(), set()
    for _ in range(3):
        sums.add(simulated(integrator, engine, kept))
        other = oi.InertialModel(limbs.limbs(), limbs.masses())
        other.model.initSystem()
        other.evaluate(other.initial_state())
        simulated("runge_kutta_merson", "native", pulled())
        sums.add(simulated(integrator, engine))
    assert len(sums) == 1


@pytest.mark.slow
def test_in_other_processes(tmp_path: Path) -> None:
    """Which have done more or less before."""
    paths = [str(Path(__file__).parents[2])]
    here = [simulated(*run) for run in RUNS]
    for before in (0, 3):
        code = CODE.format(paths=paths, before=before)
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert done.stdout.split() == here


def test_accelerations_of_exports() -> None:
    """Evaluated in another order, and by copies."""
    inertial = pulled()
    ys, found = np.random.default_rng(0).normal(size=(5, inertial.initial_state().getNY())), []
    for order in (range(5), reversed(range(5)), range(5)):
        model = inertial.native_model()
        state, rows = osim.State(model.initSystem()), {}
        for i in order:
            state.setY(osim.Vector.createFromMat(ys[i].copy()))
            model.realizeAcceleration(state)
            rows[i] = state.getUDot().to_numpy().copy()
        found.append(np.array([rows[i] for i in range(5)]))
    assert np.array_equal(found[0], found[1]) and np.array_equal(found[0], found[2])
