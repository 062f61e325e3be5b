"""The tensions that stiffen swinging bellies along a motion: of a table, or by recruitment of the same motion."""

from __future__ import annotations

import os
from collections.abc import Sequence
from numbers import Real

import numpy as np
import pandas as pd

from ..._core.arrays import Array
from ..._core.checks import check_names, warn
from ..._core.errors import MotionError, OptionError
from ..._core.warnings import InfeasibleWarning
from ...dynamics.load_sharing import LoadSharing
from ...files import read_table
from ...model import InertialModel
from ...opensim_model.reading import Motion, base_coordinates
from ...options import Actuation, Polynomial

__all__ = ["are_net", "given_tensions", "recruited_tensions"]

#: A table's forces push where they are below this [N]: less comes from rounding.
PUSHES = -1e-6


def are_net(excluded: Sequence[str]) -> bool:
    """Return whether generalized forces are net ones, the muscles being among the forces that do not act."""
    return any(name.upper() in ("ALL", "ACTUATORS", "MUSCLES") for name in excluded)


def given_tensions(
    inertial: InertialModel, source: float | str | os.PathLike[str] | pd.DataFrame | None, times: Array
) -> Array:
    """Return the tensions (T, muscles with mass) [N] of a number, or of a table by muscle; 0 where there are none.

    Raises:
        MotionError: the table does not cover the times; OptionError: a force pushes; UnknownNameError: none of its
            columns is a muscle with mass.
    """
    if source is None or isinstance(source, Real):
        return np.full((len(times), len(inertial.muscle_names)), 0.0 if source is None else float(source))
    assert not isinstance(source, float)
    table = source if isinstance(source, pd.DataFrame) else read_table(source)
    what = "the table of tensions" if isinstance(source, pd.DataFrame) else os.fspath(source)
    tension = np.zeros((len(times), len(inertial.muscle_names)))
    known = [name for name in inertial.muscle_names if name in table.columns]
    if not known:
        check_names("muscle with mass", [str(name) for name in table.columns], inertial.muscle_names)
    at = table.index.to_numpy(float)
    if not len(at) or times[0] < at[0] - 1e-9 or times[-1] > at[-1] + 1e-9:
        span = f"{at[0]:.6g} to {at[-1]:.6g} s" if len(at) else "no time"
        raise MotionError(f"{what} covers {span}, the motion {times[0]:.6g} to {times[-1]:.6g} s")
    for i, name in enumerate(inertial.muscle_names):
        if name in known:
            tension[:, i] = np.interp(times, at, table[name].to_numpy(float))
    if not (tension >= PUSHES).all():
        name = inertial.muscle_names[int(np.argwhere(~(tension >= PUSHES))[0, 1])]
        raise OptionError("wobble_tension", what, f"forces that pull; that of '{name}' pushes or is no number")
    return np.maximum(tension, 0.0)


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
