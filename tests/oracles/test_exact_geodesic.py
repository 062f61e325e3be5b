"""Three answers to one question, independent of each other: OpenSim's geodesic path, an ODE, and paper."""

import numpy as np
import pytest

from oracles.exact_geodesic import (
    ExactPath,
    Kind,
    Size,
    closed_form,
    exact_path,
    live_path,
    quadric,
)
from oracles.finite_differences import Array

CASES = 25
#: Newton stops at 1e-13 m and DOP853 runs at 1e-13; the closed form has rounding only. 3e-16 m measured [m].
ODE = 1e-12
LIVE_POINTS = 1e-5  # OpenSim's tangent points: its kink (1e-5 rad) times a lead (0.5 m), twice [m]

Case = tuple[Kind, Size, Array, Array, Array]


def random_case(kind: Kind, rng: np.random.Generator) -> Case:
    """A line of 20-50 cm that cuts a surface of 1-4 cm, hint on the nearer side."""
    while True:
        half_axes = rng.uniform(0.01, 0.04, 3)
        size: Size = tuple(half_axes) if kind == "ellipsoid" else float(half_axes[0])
        along = rng.normal(size=3) * ([1, 1, 0.5] if kind == "cylinder" else 1)
        along /= np.linalg.norm(along)
        side = np.cross(along, [0, 0, 1] if kind == "cylinder" else rng.normal(size=3))
        side *= rng.choice([-1, 1]) / np.linalg.norm(side)
        length, part = rng.uniform(0.2, 0.5), rng.uniform(0.2, 0.8)
        p = rng.uniform(0.1, 0.9) * np.min(size) * side - along * length * part
        q = p + along * length
        a = quadric(kind, size)
        if min(p @ (a * p), q @ (a * q)) > 1.1:
            return kind, size, p, q, side * np.max(size)


def difference(one: ExactPath, other: ExactPath, reverse: bool = False) -> float:
    """Greatest distance between places, length included [m]."""
    at = np.linspace(0.0, one.length, 9)
    gaps = [np.linalg.norm(one.place(s) - other.place(other.length - s if reverse else s)) for s in at]
    return max(abs(one.length - other.length), *map(float, gaps))


@pytest.mark.parametrize("kind", ["cylinder", "sphere"])
def test_ode_is_the_closed_form_and_opensim_is_near(kind: Kind) -> None:
    rng = np.random.default_rng(1)
    for _ in range(CASES):
        case = random_case(kind, rng)
        exact, live = exact_path(*case), live_path(*case)
        assert exact.confirmed
        assert difference(exact, closed_form(*case)) < ODE
        assert np.abs(live.points[[1, -2]] - exact.tangents).max() < LIVE_POINTS


def test_ellipsoid_path_is_taut() -> None:
    """Tangent to the surface at both ends, straight into the curve, and on the surface, of unit speed, in between."""
    case = random_case("ellipsoid", np.random.default_rng(4))
    path, a = exact_path(*case), quadric(*case[:2])
    assert path.touches and path.confirmed
    h = 1e-6  # m; differences over it round at 1e-16 / h
    for cut in path.cuts[1:3]:
        before, at, after = (path.place(float(cut) + k * h) for k in (-1, 0, 1))
        assert abs((at - before) @ (a * at)) / (h * np.linalg.norm(a * at)) < 1e-4  # h / (2 radius)
        np.testing.assert_allclose(at - before, after - at, atol=1e-10)  # h^2 / radius; a kink of 1e-4 rad shows
    for s in np.linspace(*path.cuts[1:3], 7):
        assert path.place(float(s)) @ (a * path.place(float(s))) == pytest.approx(1, abs=1e-11)
