"""Points where external loads act, against the bodies they act on: wrong bodies, units and places."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .._core.arrays import Array
from .._core.diagnostics import Diagnostic
from ..opensim_model.setups.loads import Loads
from .moving_model import GROUND, MovingModel, PointLoad

__all__ = ["contact_findings"]

ACTS = 0.2
"""A load acts where its force is more than this share of its size, the 95th percentile."""
STRIDE = 1.0
"""Points are this near to the origin of the body that they act on [m]; of feet within 0.35 m in public data."""
FAR = 10.0
"""Beyond this no point belongs to a body [m]."""
OTHER = (0.35, 0.5)
"""Points further from their body than this [m], and nearer to another one by this share, seem to belong to that."""
WEIGHTS = 10.0
"""No force on a body that moves freely is more than this many times its weight."""
TORQUE = 0.05
"""Torques about the point are below this share of body weight at a metre, in nine of ten rows; in public data below
0.02 at all of them."""
ABOUT = 0.1
"""Torques are about the origin of ground where less than this share of them is left without the forces' moments."""
HEIGHT = (-0.3, 0.1)
"""Points on the ground are between these heights above the origin of the foot that stands there [m]."""
LOW, UPWARD = 0.3, 0.7
"""A body no higher than this above the lowest one [m], on which most of the force acts upwards, is a foot."""


def contact_findings(loads: Loads, moving: MovingModel) -> list[Diagnostic]:
    """Return findings of forces, points, torques and bodies of loads that do not fit the model."""
    sizes = list(_sizes(loads, moving))
    if sizes:
        return sizes
    distances = {name: _distances(load, moving) for name, load in moving.loads.items() if _acting(load).any()}
    far = [finding for name in distances for finding in _far(name, loads, moving, distances[name])]
    far += [finding for name in distances for finding in _high(name, loads, moving)]
    return far or list(_bodies(loads, moving, distances))


def _acting(load: PointLoad) -> Array:
    """Return whether a load acts, (R,)."""
    amount = np.linalg.norm(load.force, axis=1)
    if not amount.any():
        return np.zeros(len(amount), dtype=bool)
    return np.asarray(amount > ACTS * np.percentile(amount[amount > 0], 95))


def _distances(load: PointLoad, moving: MovingModel) -> dict[str, Array]:
    """Return how far a load's point is from each body's origin while it acts [m], by body."""
    acts = _acting(load)
    names = [name for name in moving.origins if name != GROUND]
    arms = load.point[acts] - np.array([moving.origins[name][acts] for name in names])
    return dict(zip(names, np.linalg.norm(arms, axis=2), strict=True))


def _sizes(loads: Loads, moving: MovingModel) -> Iterator[Diagnostic]:
    """Yield findings of forces and torques that are too large for a body that moves freely."""
    if not moving.moves_freely:
        return
    within = (loads.times >= moving.times[0]) & (loads.times <= moving.times[-1])
    torques: list[tuple[float, str]] = []
    for name, labels in loads.columns.items():
        values = np.abs(loads.values(name)[within])
        if not len(values):
            continue
        row, column = np.unravel_index(int(values[:, :3].argmax()), (len(values), 3))
        if values[row, column] > WEIGHTS * moving.weight:
            place = f"{loads.data}: column '{labels[column]}' in row {np.flatnonzero(within)[row] + 1}"
            text = (
                f"the force is {values[row, column]:.4g} N at time {loads.times[within][row]:.6g} s, "
                f"{values[row, column] / moving.weight:.3g} times the weight of the model; expected at most {WEIGHTS:g}"
            )
            yield Diagnostic("error", "body weight", place, text, ("correct the cell or the unit of the column (N)",))
        acts = values[:, :3].max(axis=1) > ACTS * values[:, :3].max()
        torque = float(np.percentile(values[acts, 6:].max(axis=1), 90)) if acts.any() else 0.0
        if torque > TORQUE * moving.weight:
            torques.append((torque, name))
    if torques:
        yield _torque(*max(torques), loads, moving.weight)


def _torque(torque: float, name: str, loads: Loads, weight: float) -> Diagnostic:
    """Return a finding of a load with a larger torque [N m] than feet bear."""
    values = loads.values(name)
    moments = np.cross(values[:, 3:6], values[:, :3])
    left = float(np.linalg.norm(values[:, 6:] - moments) / (np.linalg.norm(moments) or 1.0))
    if left < ABOUT:
        text = (
            f"torques of the load '{name}' are the moments of its forces about the origin of ground, p x F, to "
            f"{100 * left:.2g} %; OpenSim takes torques about the point, so that these moments act twice"
        )
        return Diagnostic("warning", "torques", str(loads.data), text, ("subtract p x F from the torques",))
    column = loads.columns[name][6 + int(np.abs(values[:, 6:]).max(axis=0).argmax())]
    text = (
        f"the torque exceeds {torque:.4g} N m in a tenth of all rows, which is {torque / weight:.3g} of the model's "
        "weight at a metre; feet bear up to 0.02"
    )
    cure = ("see that torques are in N m, about the point of the force",)
    return Diagnostic("warning", "torques", f"{loads.data}: column '{column}'", text, cure)


def _far(name: str, loads: Loads, moving: MovingModel, distances: dict[str, Array]) -> Iterator[Diagnostic]:
    """Yield a finding of a load whose point is far from the body it acts on."""
    body = moving.loads[name].body
    if body == GROUND or loads.bodies[name][2] is None:
        return
    distance = float(np.percentile(distances[body], 80))
    if distance <= STRIDE:
        return
    spread = np.abs(
        moving.loads[name].point[_acting(moving.loads[name])] - moving.origins[body][_acting(moving.loads[name])]
    )
    label = loads.columns[name][3 + int(spread.max(axis=0).argmax())]
    hint = "; it seems to be in millimetres" if distance > 100 else ""
    text = (
        f"the load '{name}' acts {distance:.3g} m and more from the origin of body '{body}', which it acts on, in a "
        f"fifth of the rows in which it acts{hint}"
    )
    cure = ("see the points' unit (m) and origin, and the frames that the setup names",)
    place = f"{loads.data}: column '{label}'"
    yield Diagnostic("error" if distance > FAR else "warning", "points", place, text, cure)


def _high(name: str, loads: Loads, moving: MovingModel) -> Iterator[Diagnostic]:
    """Yield a finding of a load on a foot whose point is not at the height of the ground below it."""
    load, acts = moving.loads[name], _acting(moving.loads[name])
    if load.body == GROUND or loads.bodies[name][2] is None or not moving.up.any():
        return
    lowest = np.min([origin @ moving.up for body, origin in moving.origins.items() if body != GROUND], axis=0)
    foot = moving.origins[load.body] @ moving.up
    upward = load.force @ moving.up > UPWARD * np.linalg.norm(load.force, axis=1)
    stands = acts & upward & (foot - lowest < LOW)
    if np.count_nonzero(stands) < 0.5 * np.count_nonzero(acts):
        return
    height = float(np.median((load.point @ moving.up - foot)[stands]))
    if HEIGHT[0] <= height <= HEIGHT[1]:
        return
    label = loads.columns[name][3 + int(np.argmax(np.abs(moving.up)))]
    text = (
        f"the load '{name}' acts on body '{load.body}' {abs(height):.3g} m {'above' if height > 0 else 'below'} its "
        "origin (median while it stands), where the ground is not"
    )
    cure = ("see the unit of the column (m), and that loads and motion have the same height of the ground",)
    yield Diagnostic("warning", "points", f"{loads.data}: column '{label}'", text, cure)


def _bodies(loads: Loads, moving: MovingModel, distances: dict[str, dict[str, Array]]) -> Iterator[Diagnostic]:
    """Yield findings of loads whose point is much nearer to another body than to the one that they act on."""
    far, share = OTHER
    near = {}
    for name, by_body in distances.items():
        body = moving.loads[name].body
        if body == GROUND or loads.bodies[name][2] is None:
            continue
        medians = dict(zip(by_body, np.median([*by_body.values()], axis=1).tolist(), strict=True))
        nearest = min(medians, key=lambda each: medians[each])
        if medians[body] > far and medians[nearest] < share * medians[body]:
            near[name] = (medians, nearest)
    for name, (medians, nearest) in near.items():
        body = moving.loads[name].body
        owners = [each for each in near if each != name and moving.loads[each].body != body]
        swapped = next(
            (
                each
                for each in owners
                if medians[moving.loads[each].body] < share * medians[body]
                and near[each][0][body] < share * near[each][0][moving.loads[each].body]
            ),
            None,
        )
        if swapped is not None:
            text = (
                f"the loads '{name}' and '{swapped}' seem to be exchanged: '{name}' acts on body '{body}', "
                f"{medians[body]:.3g} m from its point, and body '{moving.loads[swapped].body}' is "
                f"{medians[moving.loads[swapped].body]:.3g} m from it"
            )
            yield Diagnostic(
                "error", "bodies", str(loads.path), text, ("exchange the bodies, or the columns, in the setup",)
            )
            return
        text = (
            f"the load '{name}' acts on body '{body}', {medians[body]:.3g} m from its point; body '{nearest}' is "
            f"{medians[nearest]:.3g} m from it (medians while it acts)"
        )
        yield Diagnostic(
            "warning", "bodies", str(loads.path), text, ("see that it acts on the right body, in the right frame",)
        )
