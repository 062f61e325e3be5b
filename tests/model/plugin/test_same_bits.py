"""The same simulation gives the same bytes: again and again, whatever was made before, and in other processes."""

import ctypes
import hashlib
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import opensim as osim
import pytest
from oracles import limbs
from oracles.plugin import Native

import opensim_inertia as oi

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
        assert done.stdout.split()[-len(RUNS) :] == here  # after what OpenSim says


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


DENSITY = 1060.0  # Of muscle [kg/m^3]
MOVING = np.array([0.1, -0.2, 0.3, 1.0, 2.0, -1.0])  # Angles [rad] and speeds [rad/s]
COMPONENT = "/componentset/inertial_muscles"


def add_springs(model: osim.Model) -> None:
    trunk, shank = (model.getBodySet().get(name) for name in ("trunk", "shank"))
    model.addForce(
        osim.PointToPointSpring(trunk, osim.Vec3(0.1, 0.0, 0.0), shank, osim.Vec3(0.0, -0.2, 0.1), 90.0, 0.1)
    )
    torsion = osim.SpringGeneralizedForce("ankle")
    torsion.setStiffness(7.0)
    model.addComponent(torsion)
    model.finalizeConnections()


def test_forces_that_are_added_later_are_seen() -> None:
    """Through OpenSim's own force subsystem, which comes first whatever the order of components."""
    model = limbs.limbs()
    add_springs(model)
    with_springs = oi.InertialModel(model, limbs.masses())
    without = oi.InertialModel(limbs.limbs(), limbs.masses())
    exported = without.native_model()
    add_springs(exported)
    native = Native(with_springs, exported)
    state = with_springs.initial_state()
    state.setY(osim.Vector.createFromMat(np.concatenate([MOVING, state.getZ().to_numpy()])))
    assert native.error_at(state) < 1e-11
    plain = without.initial_state()
    plain.setY(state.getY())
    assert np.abs(without.udot(plain) - with_springs.udot(state)).max() > 0.1


@pytest.mark.skipif(sys.platform != "linux", reason="calls Simbody by its name in a library of Linux")
def test_a_later_force_subsystem_is_refused() -> None:
    """Python cannot add one, C++ can."""
    model = oi.InertialModel(limbs.limbs(), limbs.masses()).native_model()
    model.initSystem()
    simbody = ctypes.CDLL(str(next(Path(osim.__file__).parent.glob("libSimTKsimbody.so.*"))))
    handle = ctypes.create_string_buffer(64)
    construct = simbody["_ZN5SimTK21GeneralForceSubsystemC1ERNS_15MultibodySystemE"]
    construct(handle, ctypes.c_void_p(int(model.updMultibodySystem())))
    with pytest.raises(RuntimeError, match="'inertial_muscles': another component has added forces .* after it"):
        model.initializeState()


class Spheres(osim.DecorativeGeometryImplementation):  # type: ignore[misc]
    """Notes the centres and radii [m] of the spheres that it is given, and nothing else."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[list[float]] = []

    def implementSphereGeometry(self, sphere: Any) -> None:
        centre = sphere.getTransform().p()
        self.found.append([*(centre.get(i) for i in range(3)), sphere.getRadius()])


def test_decorations() -> None:
    """A sphere of each mass point's volume, where the point is."""
    inertial = oi.InertialModel(limbs.limbs(), limbs.masses(), distribution="points")
    model = inertial.native_model()
    state = model.initSystem()
    state.setQ(osim.Vector.createFromMat(MOVING[:3].copy()))
    model.realizePosition(state)
    drawn, spheres = osim.ArrayDecorativeGeometry(), Spheres()
    model.getComponent(COMPONENT).generateDecorations(False, model.getDisplayHints(), state, drawn)
    for i in range(drawn.size()):
        drawn.at(i).implementGeometry(spheres)
    ours = inertial.initial_state()
    ours.setQ(state.getQ())
    points = inertial.mass_points(ours).values()
    places = np.concatenate([of_muscle.positions for of_muscle in points])
    masses = np.concatenate([of_muscle.masses for of_muscle in points])
    found = np.array(spheres.found)
    assert len(found) == drawn.size() == len(masses) > 3
    apart = np.linalg.norm(found[:, None, :3] - places, axis=2)
    which = apart.argmin(axis=1)  # muscle by muscle, but within one in an order of their own
    assert sorted(which) == list(range(len(places)))
    assert apart.min(axis=1).max() < 1e-12
    masses = masses[which]
    assert found[:, 3] ** 3 * 4 / 3 * np.pi * DENSITY == pytest.approx(masses, rel=1e-9)
