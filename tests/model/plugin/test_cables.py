"""Muscles on cables in the plugin: the same accelerations, and refused where obstacles or hints were changed."""

import re
import shutil
import subprocess
from collections.abc import Callable

import numpy as np
import opensim as osim
import pytest
from oracles.cables import cable_model, set_hint
from oracles.live_states import state_at
from oracles.plugin import Native, without_forces

import opensim_inertia as oi
from opensim_inertia.model.plugin import LIBRARY

pytestmark = pytest.mark.slow

SAME = 1e-11  # Relative to the largest acceleration: the same sums in another order

SHAPES: dict[str, tuple[float | tuple[float, ...], tuple[float, float, float]]] = {
    "cylinder": (0.03, (0.0, 0.03, 0.0)),
    "sphere": (0.03, (0.0, 0.03, 0.0)),
    "ellipsoid": ((0.04, 0.03, 0.05), (0.0, 0.03, 0.0)),
}


def heavy(kind: str, height: float) -> oi.InertialModel:
    size, hint = SHAPES[kind]
    model = cable_model(kind, size, hint, (-0.2, height, 0.002), (0.2, height, 0.0), most=0.006)
    return oi.InertialModel(
        model, {"muscle": 0.4}, oi.StrainModel("uniform", belly=(0.0, 1.0)), wrapping=oi.Wrapping(warn_wraps=False)
    )


@pytest.mark.parametrize("height", [0.012, -0.08])
@pytest.mark.parametrize("kind", SHAPES)
def test_accelerations_are_the_packages(kind: str, height: float) -> None:
    """Without forces of muscles: OpenSim's search for those of a cable stops at 1e-5 rad, not always at one place."""
    inertial = heavy(kind, height)
    native, rng = Native(inertial), np.random.default_rng(1)
    for _ in range(4):
        state = state_at(inertial, rng.uniform(-0.006, 0.006, 3), rng.normal(size=3))
        assert native.error_at(state, without_forces) < SAME


def radii(model: osim.Model) -> None:
    osim.ContactEllipsoid.safeDownCast(model.getContactGeometrySet().get("obstacle")).setRadii(osim.Vec3(0.05))


CHANGES: dict[str, tuple[Callable[[osim.Model], object], str]] = {
    "radii": (radii, "radii of '/contactgeometryset/obstacle' was 0.04 0.03 0.05 and is 0.05 0.05 0.05"),
    "hint": (
        lambda m: set_hint(m, -0.1, 0.2),
        "contact_hint of '/forceset/muscle/path/obstacle_0' was 0 0.03 0 and is",
    ),
    "place": (
        lambda m: m.getContactGeometrySet().get("obstacle").set_location(osim.Vec3(0, 0.01, 0)),
        "location of '/contactgeometryset/obstacle' was 0 0 0 and is 0 0.01 0",
    ),
}


@pytest.mark.parametrize("what", CHANGES)
def test_changed_obstacles_are_refused(what: str) -> None:
    model = heavy("ellipsoid", -0.002).native_model()
    change, message = CHANGES[what]
    change(model)
    with pytest.raises(RuntimeError, match=re.escape(message)):
        model.initSystem()


@pytest.mark.skipif(shutil.which("nm") is None, reason="needs nm")
def test_the_library_needs_nothing_that_logs() -> None:
    """OpenSim 4.6.1 has another logger: the plugin must not look for that of 4.6."""
    if not LIBRARY.is_file():
        pytest.skip("the OpenSim plugin was not built")
    needed = subprocess.run(["nm", "-D", "--undefined-only", str(LIBRARY)], capture_output=True, text=True, check=True)
    assert "SimTK" in needed.stdout and "Logger" not in needed.stdout and "spdlog" not in needed.stdout
