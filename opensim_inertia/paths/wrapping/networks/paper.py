"""The network of Wang et al. 2022, for comparison: trained on OpenSim's own paths over wrap cylinders.

TrainingSamples are taken as in section 3.3.1: ends move freely beside a cylinder, OpenSim finds the tangent points.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Unpack

import numpy as np

from ...._core.arrays import Array
from ...._core.opensim import osim, quiet
from ...neural import NeuralWeights
from ...neural.settings import PAPER_SETTINGS, TrainingSettings
from ...neural.training.cylinders import train_over_cylinders
from ...neural.training.fit import TrainingTask
from ...neural.training.planar import ValidationSet
from ...neural.training.samples import TrainingSamples
from ...neural.training.training import TrainOptions

__all__ = ["OpenSimSampling", "opensim_samples", "train_paper"]

#: Number of training samples.
SAMPLES = 30_000

ENDS = ("origin", "insertion")

#: Turns [rad] this close to a full one are a touch seen from the other side.
NEARLY_FULL = 2 * np.pi - 1e-5


@dataclass(frozen=True)
class OpenSimSampling:
    """The choice of samples of OpenSim's paths.

    Attributes:
        radii: number of cylinders, of radii uniform in the validation set's range.
        discard: samples whose path is on the cylinder for less than this share of its length, but not 0, are thrown
            away: they are near touch.
    """

    radii: int = 100
    discard: float = 0.01

    def metadata(self) -> dict[str, Any]:
        """Return the choice for the weight file."""
        return {"distribution": "OpenSim's paths over a WrapCylinder, as the validation set", **asdict(self)}


def train_paper(
    settings: TrainingSettings = PAPER_SETTINGS,
    sampling: OpenSimSampling | None = None,
    **options: Unpack[TrainOptions],
) -> NeuralWeights:
    """Train a network as Wang et al. 2022 did, on OpenSim's own paths; the path's length is not learned.

    Args:
        settings: how to train.
        sampling: which samples to take; default: :class:`OpenSimSampling` as it is.
        options: see :func:`~opensim_inertia.paths.neural.training.training.train`.
    """
    sampling = OpenSimSampling() if sampling is None else sampling
    samples = opensim_samples(SAMPLES, np.random.default_rng([settings.seed, 2]), sampling)
    data = {"samples": SAMPLES, "sampling": sampling.metadata()}
    tasks = {"position": TrainingTask(samples, settings.position)}
    return train_over_cylinders("cylinder", "direct", tasks, settings, data, options)


def opensim_samples(count: int, rng: np.random.Generator, sampling: OpenSimSampling) -> TrainingSamples:
    """Draw ``count`` samples: origin, insertion, fraction, radius -> mass point, all in the cylinder's frame [m]."""
    parts: list[Array] = []
    missing = count
    with quiet():
        while missing > 0:
            for radius in rng.uniform(*ValidationSet.RADIUS, sampling.radii):
                parts.append(_samples(radius, -(-missing // sampling.radii), rng, sampling.discard))
            missing = count - sum(map(len, parts))
    table = np.concatenate(parts)[:count]
    return TrainingSamples(table[:, :8], np.empty((0, count, 8)), table[:, 8:], np.empty((0, count, 3)))


def _samples(radius: float, count: int, rng: np.random.Generator, discard: float) -> Array:
    """Draw at most ``count`` samples (n, 11) over one cylinder."""
    spans = ValidationSet.draw(count, rng, radius)
    tangents = _tangent_points(radius, spans.origin, spans.insertion)
    x, on_surface = _points(spans, tangents)
    keep = (on_surface == 0) | (on_surface >= discard)
    return np.column_stack([spans.origin, spans.insertion, spans.fraction, spans.radius, x])[keep]


def _tangent_points(radius: float, origin: Array, insertion: Array) -> Array:
    """Return OpenSim's tangent points (n, 2, 3) [m]; nan where the path is straight."""
    model, actuator = _model(radius)
    state = model.initSystem()
    names = [f"{end}_{axis}" for end in ENDS for axis in "xyz"]
    slots = [_slot(model, state, name) for name in names]
    q = np.zeros(state.getNQ())
    tangents = np.full((len(origin), 2, 3), np.nan)
    for row, ends in enumerate(np.concatenate([origin, insertion], axis=1)):
        q[slots] = ends
        state.setQ(osim.Vector.createFromMat(q))
        model.realizePosition(state)
        path = actuator.getCurrentPath(state)
        if path.getSize() == 4:
            tangents[row] = [path.get(i).getLocation(state).to_numpy() for i in (1, 2)]
    return tangents


def _slot(model: osim.Model, state: osim.State, name: str) -> int:
    """Return the index of a coordinate in q."""
    coordinate = model.getCoordinateSet().get(name)
    former_q = state.getQ().to_numpy().copy()
    coordinate.setValue(state, 1.0, False)
    slot = int(np.flatnonzero(state.getQ().to_numpy() != former_q)[0])
    coordinate.setValue(state, 0.0, False)
    return slot


def _model(radius: float) -> tuple[Any, Any]:
    """Build a model with a path between two points that move freely, held on the side -y of a cylinder about z."""
    model = osim.Model()
    ground = model.updGround()
    wrap = osim.WrapCylinder()
    wrap.setName("wrap")
    wrap.set_radius(radius)
    wrap.set_length(10.0)
    wrap.set_quadrant("-y")
    wrap.thisown = False  # ground takes it
    ground.addWrapObject(wrap)
    actuator = osim.PathActuator()
    actuator.setName("path")
    for end in ENDS:
        body = osim.Body(end, 1.0, osim.Vec3(0), osim.Inertia(1, 1, 1))
        model.addBody(body)
        transform = osim.SpatialTransform()
        for number, axis in enumerate("xyz", start=1):
            slide = getattr(transform, f"upd_translation{number}")()
            slide.setCoordinateNames(osim.ArrayStr(f"{end}_{axis}", 1))
            slide.set_function(osim.LinearFunction(1.0, 0.0))
        zero = osim.Vec3(0)
        model.addJoint(osim.CustomJoint(f"{end}_joint", ground, zero, zero, body, zero, zero, transform))
        actuator.addNewPathPoint(end, body, zero)
    model.addForce(actuator)
    model.finalizeConnections()
    path = osim.GeometryPath.safeDownCast(actuator.getPath())
    path.addPathWrap(wrap)
    model.finalizeConnections()
    return model, path


def _points(spans: ValidationSet, tangents: Array) -> tuple[Array, Array]:
    """Return the points at fractions of the paths through given tangent points (n, 3), and the arcs' share (n,)."""
    wraps = ~np.isnan(tangents[:, 0, 0])
    first = np.where(wraps[:, None], tangents[:, 0], spans.origin)
    last = np.where(wraps[:, None], tangents[:, 1], spans.insertion)
    arrival = np.arctan2(first[:, 1], first[:, 0])
    turn = (np.arctan2(last[:, 1], last[:, 0]) - arrival) % (2 * np.pi)
    turn = np.where(turn > NEARLY_FULL, 0.0, turn)
    rise = last[:, 2] - first[:, 2]
    arc = np.where(wraps, np.hypot(spans.radius * turn, rise), np.linalg.norm(last - first, axis=1))
    length_before = np.linalg.norm(first - spans.origin, axis=1)
    length_after = np.linalg.norm(spans.insertion - last, axis=1)
    total = length_before + arc + length_after
    s = spans.fraction * total
    share_before, share, share_after = (
        np.clip((s - start) / np.maximum(part, 1e-12), 0, 1)
        for start, part in ((0.0, length_before), (length_before, arc), (length_before + arc, length_after))
    )
    angle = arrival + share * turn
    helix = np.stack([spans.radius * np.cos(angle), spans.radius * np.sin(angle), first[:, 2] + share * rise], axis=1)
    middle = np.where(wraps[:, None], helix, first + share[:, None] * (last - first))
    x = middle + (1 - share_before)[:, None] * (spans.origin - first) + share_after[:, None] * (spans.insertion - last)
    return x, np.where(wraps, arc / total, 0.0)
