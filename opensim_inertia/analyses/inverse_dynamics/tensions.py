"""The tensions that stiffen swinging bellies along a motion, by recruitment of the same motion."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..._core.arrays import Array
from ..._core.checks import warn
from ..._core.warnings import InfeasibleWarning
from ...dynamics.load_sharing import LoadSharing
from ...model import InertialModel
from ...opensim_model.reading import Motion, base_coordinates
from ...options import Actuation, Polynomial

__all__ = ["are_net", "recruited_tensions"]


def are_net(excluded: Sequence[str]) -> bool:
    """Return whether generalized forces are net ones, the muscles being among the forces that do not act."""
    return any(name.upper() in ("ALL", "ACTUATORS", "MUSCLES") for name in excluded)


def recruited_tensions(inertial: InertialModel, motion: Motion, forces: Array) -> tuple[Array, list[str]]:
    """Return the tensions (T, muscles with mass) [N] of muscles that make a motion's forces, and sentences about them.

    Each row is solved as :func:`~opensim_inertia.recruit` does with its default options: the sum of squared activations
    is least. Coordinates that move the whole model in ground are free, and so are those on which nothing acts.

    Args:
        inertial: the model.
        motion: the motion.
        forces: generalized forces (T, nu) that the muscles are to make.
    """
    on_base = base_coordinates(inertial.model, inertial.coordinates)
    free = [name for name, is_base in zip(inertial.coordinate_names, on_base, strict=True) if is_base]
    sharing = LoadSharing(inertial, Actuation(), free, motion.q[0])
    place = {name: i for i, name in enumerate(inertial.muscle_names)}
    recruited = [(i, place[name]) for i, name in enumerate(sharing.actuation.muscles) if name in place]
    of_actuators, of_table = np.array(recruited, dtype=np.intp).reshape(-1, 2).T
    tension = np.zeros((len(motion), len(place)))
    short = []
    for row in range(len(motion)):
        at = sharing.at(float(motion.times[row]), motion.q[row], motion.u[row])
        solution = sharing.solve(at, at.needed(forces[row]), Polynomial(), sharing.kept & at.acting)
        tension[row, of_table] = (solution.activations * at.strengths)[of_actuators]
        if solution.status != "solved":
            short.append(row)
    if not short:
        return np.maximum(tension, 0.0), []
    text = (
        f"the muscles whose tensions stiffen the bellies cannot make the motion's forces at {len(short)} of "
        f"{len(motion)} rows, from {motion.times[short[0]]:.6g} to {motion.times[short[-1]]:.6g} s: tensions there are "
        "those of the activations that come nearest"
    )
    warn(InfeasibleWarning(text))
    return np.maximum(tension, 0.0), [text]
