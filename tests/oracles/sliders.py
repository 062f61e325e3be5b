"""Point masses on sliders: machines whose discrete trajectories have closed forms."""

import numpy as np

import opensim_inertia as oi
from opensim_inertia._core.opensim import osim

from .finite_differences import Array

MASS = 2.5  # kg


def slider(bodies: int = 1) -> osim.Model:
    """Bodies that slide along x, each by itself: coordinates "x0", "x1", ...; no gravity, no muscles."""
    model = osim.Model()
    model.setName("sliders")
    model.setGravity(osim.Vec3(0.0))
    for i in range(bodies):
        body = osim.Body(f"body{i}", MASS, osim.Vec3(0), osim.Inertia(0.1))
        joint = osim.SliderJoint(f"slider{i}", model.getGround(), body)
        coordinate = joint.updCoordinate()
        coordinate.setName(f"x{i}")
        coordinate.setRangeMin(-100.0)
        coordinate.setRangeMax(100.0)
        model.addBody(body)
        model.addJoint(joint)
        marker = osim.Marker(f"mark{i}", body, osim.Vec3(0.1, 0.2, 0.3))
        model.addMarker(marker)
    model.finalizeConnections()
    return model


def massless(model: osim.Model) -> oi.InertialModel:
    """The model as it is: no muscle has mass."""
    return oi.InertialModel(model, {})


def euler_end(force: Array, step: float, start: float = 0.0, speed: float = 0.0) -> tuple[float, float]:
    """Where forward Euler takes the mass, and how fast it is then, with a force (steps,) [N] in each step."""
    n = len(force)
    later = np.arange(n)[::-1]  # steps that follow each
    return start + n * step * speed + step**2 / MASS * float(later @ force), speed + step / MASS * float(force.sum())


def euler_slopes(n: int, step: float) -> dict[str, Array]:
    """Slopes of the end's place over a constant force, start and speed, and over the force in every step."""
    later = np.arange(n)[::-1].astype(float)
    each = step**2 / MASS * later
    return {"force": np.array([each.sum()]), "start": np.ones(1), "speed": np.array([n * step]), "each": each}
