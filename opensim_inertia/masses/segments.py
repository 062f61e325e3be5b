"""What segments give up: the mass that goes into muscles leaves their donor segments.

A body gives up a *fraction*: its mass and its inertia shrink by the same factor and its centre of mass stays, as if
it had become less dense. Taking away point masses at the muscles' places instead would leave tibia, calcaneus and
pelvis with inertias that no body can have.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from .._opensim import osim
from ..errors import SegmentMassError
from .table import MassTable, check_mass_table

__all__ = ["give_up", "inertia_problem"]

_SLACK = 1e-9
"""Relative rounding allowed in the triangle inequality; a flat plate meets it with equality."""


def give_up(model: Any, table: MassTable, strict: bool = False) -> dict[str, float]:
    """Take the muscles' mass out of their donor segments, **in place**.

    Mass and inertia about the centre of mass scale by ``1 - fraction``, where fraction is the sum of the masses that a
    body gives up divided by its mass. Nothing is changed unless everything can be. A body that gives up nothing, or
    zero, keeps its exact bits.

    Args:
        model: ``osim.Model``, our own copy; call ``initSystem`` afterwards (again, if it was called before).
        table: mass table of the model.
        strict: also refuse to take mass from a body whose inertia was not physical in the first place.

    Returns:
        The fraction given up by each body that gives up more than zero.

    Raises:
        SegmentMassError: a body is asked for all of its mass or more (the message names the muscles that ask most), or,
            with ``strict``, its inertia is not physical.
        UnknownNameError, MassError, FileFormatError: see :func:`~opensim_inertia.masses.table.check_mass_table`.
    """
    table = check_mass_table(table, model)
    bodies = model.getBodySet()
    asked = {str(name): math.fsum(rows) for name, rows in table.groupby("segment", sort=False)["mass"]}
    asked = {name: mass for name, mass in asked.items() if mass > 0.0}
    _check_available({name: float(bodies.get(name).getMass()) for name in asked}, asked, table)
    fractions: dict[str, float] = {}
    new: dict[str, tuple[float, list[float]]] = {}
    for name, mass in asked.items():
        body = bodies.get(name)
        available = float(body.getMass())
        inertia = [body.get_inertia().get(i) for i in range(6)]
        problem = inertia_problem(inertia) if strict else None
        if problem is not None:
            raise SegmentMassError(name, available, mass, f"its inertia is not that of a physical body: {problem}")
        left = available - mass
        fractions[name] = mass / available
        new[name] = (left, [value * (left / available) for value in inertia])
    for name, (mass, inertia) in new.items():
        body = bodies.get(name)
        body.setMass(mass)
        body.setInertia(osim.Inertia(osim.Vec3(*inertia[:3]), osim.Vec3(*inertia[3:])))
    return fractions


def _check_available(available: dict[str, float], asked: dict[str, float], table: pd.DataFrame) -> None:
    """Raise for the body that is asked for the largest part of its mass, if that is all of it or more."""
    overdrawn = [name for name in asked if not asked[name] < available[name]]
    if not overdrawn:
        return
    worst = max(overdrawn, key=lambda name: asked[name] / available[name] if available[name] > 0.0 else math.inf)
    rows = table[table["segment"] == worst].sort_values("mass", ascending=False, kind="stable").head(4)
    who = ", ".join(f"'{m}' {kg:.3g} kg" for m, kg in zip(rows["muscle"], rows["mass"], strict=True))
    others = ", ".join(f"'{name}'" for name in overdrawn if name != worst)
    why = f"most is asked by {who}; reduce these masses or choose other donor segments"
    raise SegmentMassError(
        worst, available[worst], asked[worst], why + (f" (also overdrawn: {others})" if others else "")
    )


def inertia_problem(inertia: ArrayLike) -> str | None:
    """Why an inertia is not that of a physical body with extent, or ``None`` if it is.

    Args:
        inertia: (6,) moments xx, yy, zz and products xy, xz, yz [kg m^2] about the centre of mass, as ``Body.inertia``.
    """
    xx, yy, zz, xy, xz, yz = np.asarray(inertia, dtype=float)
    tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    if not np.all(np.isfinite(tensor)):
        return "it has entries that are not finite"
    small, middle, large = np.linalg.eigvalsh(tensor)
    if small <= 0.0:
        return f"its smallest principal moment is {small:.4g} kg m^2"
    if large > (small + middle) * (1.0 + _SLACK):
        return f"its principal moments {small:.4g}, {middle:.4g}, {large:.4g} kg m^2 break the triangle inequality"
    return None
