"""Simulations as functions of PyTorch: its own checks, networks in front, places of markers, closed forms."""

from typing import Any

import numpy as np
import opensim as osim
import pytest
from conftest import slow_except
from oracles import limbs, sliders

import opensim_inertia as oi

torch = pytest.importorskip("torch")

CLOSED = 1e-12  # Relative, of closed forms: rounding
DIFFERENCED = 1e-7  # Relative, against central differences of smooth simulations; measured 1e-9


@pytest.fixture(scope="module")
def pulled() -> oi.InertialModel:
    return oi.InertialModel(limbs.limbs("fixed", pull=True), limbs.masses())


def short_simulation(inertial: oi.InertialModel, **options: Any) -> oi.DifferentiableSimulation:
    parameters = {
        "torque": oi.gradients.Forces(["hip", "ankle"]),
        "speed": oi.gradients.InitialSpeeds(["knee"]),
        "excitation": oi.gradients.Excitations(["long", "short"], [0.0, 0.01]),
    }
    problem = oi.Problem(inertial, t_final=0.01)
    return oi.DifferentiableSimulation(
        problem, parameters, oi.integrators.SDIRK2(step=2.5e-3, accuracy=1e-11), **options
    )


def tensors(**values: Any) -> dict[str, Any]:
    return {name: torch.tensor(v, dtype=torch.float64, requires_grad=True) for name, v in values.items()}


START = {"torque": [1.0, -0.5], "speed": [0.7], "excitation": [[0.3, 0.6], [0.5, 0.2]]}


def test_forward_euler_of_a_sliding_mass() -> None:
    n, step = 40, 0.01
    parameters = {
        "force": oi.gradients.Forces("x0"),
        "start": oi.gradients.InitialCoordinates("x0"),
        "speed": oi.gradients.InitialSpeeds("x0"),
    }
    simulation = oi.DifferentiableSimulation(
        oi.Problem(sliders.massless(sliders.slider()), t_final=n * step),
        parameters,
        oi.integrators.ForwardEuler(step=step),
    )
    given = tensors(force=[3.0], start=[0.2], speed=[-0.4])
    trajectory = simulation(**given)
    place, fast = sliders.euler_end(np.full(n, 3.0), step, 0.2, -0.4)
    assert float(trajectory.coordinate("x0")[-1].detach()) == pytest.approx(place, rel=CLOSED)
    assert float(trajectory.speed("x0")[-1].detach()) == pytest.approx(fast, rel=CLOSED)
    trajectory.coordinate("x0")[-1].backward()
    for name, slope in sliders.euler_slopes(n, step).items():
        if name in given:
            np.testing.assert_allclose(given[name].grad.numpy(), slope, rtol=CLOSED)


@pytest.mark.parametrize("method", ["bdf1", "sdirk2"])
def test_implicit_steps_of_a_falling_mass_with_drag(method: str) -> None:
    """m v' = f - c v: linear, so that steps have the method's stability function."""
    model, c, n, step = sliders.slider(), 4.0, 10, 0.05
    drag = osim.SpringGeneralizedForce("x0")
    drag.setStiffness(0.0)
    drag.setViscosity(c)
    model.addForce(drag)
    model.finalizeConnections()
    simulation = oi.DifferentiableSimulation(
        oi.Problem(sliders.massless(model), t_final=n * step),
        {"force": oi.gradients.Forces("x0")},
        oi.integrators.named(method, step=step, accuracy=1e-13),
    )
    given = tensors(force=[2.0])
    speed = simulation(**given).speed("x0")[-1]
    z, gamma = -c / sliders.MASS * step, 1 - 0.5**0.5
    growth = 1 / (1 - z) if method == "bdf1" else (1 + (1 - 2 * gamma) * z) / (1 - gamma * z) ** 2
    exact = (1 - growth**n) / c  # per unit of force
    assert float(speed.detach()) == pytest.approx(2.0 * exact, rel=1e-10)
    speed.backward()
    np.testing.assert_allclose(given["force"].grad.numpy(), [exact], rtol=1e-8)  # f is differenced: 1e-10


def test_gradcheck(pulled: oi.InertialModel) -> None:
    simulation = short_simulation(pulled)
    given = tensors(**START)

    def outcome(torque: Any, speed: Any, excitation: Any) -> Any:
        trajectory = simulation(torque=torque, speed=speed, excitation=excitation)
        return trajectory.coordinates()[-1].sum() + trajectory.speeds().pow(2).mean()

    assert torch.autograd.gradcheck(outcome, tuple(given.values()), eps=1e-4, atol=1e-5, rtol=1e-4)


@pytest.fixture(scope="module")
def floating() -> oi.DifferentiableSimulation:
    """Ball joint: places depend on coordinates that are no integrals of speeds."""
    model = limbs.limbs("ball")
    model.addMarker(osim.Marker("toe", model.getBodySet().get("foot"), osim.Vec3(0.1, -0.1, 0.05)))
    model.finalizeConnections()
    inertial = oi.InertialModel(model, limbs.masses())
    parameters = {"pose": oi.gradients.InitialCoordinates(inertial.coordinate_names)}
    return oi.DifferentiableSimulation(
        oi.Problem(inertial, t_final=0.03), parameters, oi.integrators.SDIRK2(step=0.01, accuracy=1e-12)
    )


def _tip(state: osim.State, model: osim.Model) -> np.ndarray:
    return model.getMarkerSet().get("toe").getLocationInGround(state).to_numpy().copy()


WAYS = {
    "marker": lambda t: t.marker("toe", -1),
    "marker, all rows": lambda t: t.marker("toe").sum(dim=0),
    "point": lambda t: t.point("foot", [0.1, -0.1, 0.05], -1),
    "point, some rows": lambda t: t.point("foot", [0.1, -0.1, 0.05], [1, 3]).sum(dim=0),
    "of_state": lambda t: t.of_state(lambda s: _tip(s, t.run.system.model), -1),
    "velocity": lambda t: t.of_state(
        lambda s: t.run.system.model.getMarkerSet().get("toe").getVelocityInGround(s).to_numpy().copy(), [0, 2]
    ).sum(dim=0),
    "energy": lambda t: t.of_state(t.run.system.model.calcKineticEnergy).reshape(1),
}


@pytest.mark.parametrize("way", slow_except({"marker", "of_state"}, WAYS))
def test_places_and_functions_of_states(way: str, floating: oi.DifferentiableSimulation) -> None:
    pose = np.array([0.2, -0.3, 0.1, 0.4, -0.2, 0.3])
    n = len(floating.values["pose"])
    weights = torch.tensor([0.5, -1.0, 2.0], dtype=torch.float64)

    def outcome(values: Any) -> Any:
        found = WAYS[way](floating(pose=values))
        return (found * weights[: found.numel()]).sum()

    given = torch.tensor(pose[:n], requires_grad=True)
    outcome(given).backward()
    size = np.abs(given.grad.numpy()).max()
    assert size > 1e-3
    for i in range(n):
        ends = []
        for h in (1e-3, -1e-3, 5e-4, -5e-4):
            moved = torch.tensor(pose[:n])
            moved[i] += h
            ends.append(float(outcome(moved)))
        plain = (4 * (ends[2] - ends[3]) / 1e-3 - (ends[0] - ends[1]) / 2e-3) / 3
        assert abs(float(given.grad[i]) - plain) < DIFFERENCED * size


def test_marker_is_opensims(floating: oi.DifferentiableSimulation) -> None:
    trajectory = floating()
    rows = [_tip(s, trajectory.run.system.model) for s in trajectory.run.trajectory.states()]
    np.testing.assert_allclose(trajectory.marker("toe"), rows, rtol=0, atol=1e-14)
    assert trajectory.marker("toe", slice(1, 3)).shape == (2, 3) and trajectory.marker("toe", 0).shape == (3,)
    assert len(trajectory) == 4
    names = trajectory.run.system.inertial.coordinate_names
    np.testing.assert_array_equal(trajectory.coordinates(), trajectory.run.trajectory.coordinates().to_numpy())
    np.testing.assert_array_equal(trajectory.speeds(), trajectory.run.trajectory.speeds().to_numpy())
    np.testing.assert_array_equal(trajectory.speed(names[2]), trajectory.speeds()[:, 2])
    np.testing.assert_array_equal(trajectory.coordinate(names[1]), trajectory.coordinates()[:, 1])
