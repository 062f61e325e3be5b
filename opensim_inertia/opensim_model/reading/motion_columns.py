"""The columns of a motion: assigned to coordinates, and coordinates without one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import pandas as pd

from ..._core.diagnostics import Diagnostic
from ..._core.errors import MotionError, first_of, listed, near_matches
from ..._core.opensim import osim
from .coordinates import coordinate_of_path

__all__ = ["check_spelling", "coordinate_columns", "missing_coordinates"]

MISSPELT = 0.85
"""Names that are at least so much alike, by :mod:`difflib`'s ratio, are taken for one name misspelt."""
SHORT = 2
"""Parts of names with at most so many letters, as sides and axes, tell coordinates apart."""
MOST_NAMED = 6


def coordinate_columns(table: pd.DataFrame, model: osim.Model, names: Sequence[str], origin: str) -> pd.DataFrame:
    """Return the columns that are values of coordinates, in the table's order, named as the coordinates.

    A column is known by its coordinate's name (``knee_angle_r``) or by the path of the state variable
    (``/jointset/knee_r/knee_angle_r/value``), whatever joint that path names.
    """
    labels = [str(label) for label in table.columns]
    owners = [label if label in names else coordinate_of_path(label, names) for label in labels]
    used = [i for i, owner in enumerate(owners) if owner in names]
    for owner, count in Counter(owners[i] for i in used).items():
        duplicates = [labels[i] for i in used if owners[i] == owner]
        if count > 1 and len(set(duplicates)) == 1:
            raise MotionError(f"{origin}: column '{duplicates[0]}' is there more than once")
        if count > 1:
            raise MotionError(f"{origin}: columns {listed(duplicates)} are all coordinate '{owner}'; leave one of them")
    known = {coordinate.getName() for coordinate in model.getCoordinateSet()}
    unused = {owner or label: label for label, owner in zip(labels, owners, strict=True) if owner not in known}
    check_spelling([name for name in names if name not in owners], unused, origin)
    if not used:
        raise MotionError(f"{origin}: no column is named as a coordinate of the model{_hint(labels, names)}")
    columns = table.iloc[:, used].copy()
    columns.columns = pd.Index([owners[i] for i in used])
    columns.attrs.update(table.attrs)
    return columns


def missing_coordinates(model: osim.Model, missing: Iterable[str], origin: str) -> list[Diagnostic]:
    """Return a warning about coordinates without a column, but for those that are locked, prescribed or coupled."""
    coordinates, guided = model.getCoordinateSet(), _guided(model)
    free = [name for name in missing if name not in guided]
    if not free:
        return []
    values = first_of((f"'{name}' at {coordinates.get(name).getDefaultValue():.4g}" for name in free), MOST_NAMED)
    text = "there is no column for free coordinates, which rest at their default values [rad or m]: "
    return [Diagnostic("warning", "missing coordinates", origin, text + values)]


def _guided(model: osim.Model) -> set[str]:
    """Return the names of coordinates that are locked or prescribed, or that follow others by couplers."""
    names = {c.getName() for c in model.getCoordinateSet() if c.get_locked() or c.get_prescribed()}
    constraints = model.getConstraintSet()
    for i in range(constraints.getSize()):
        coupler = osim.CoordinateCouplerConstraint.safeDownCast(constraints.get(i))
        if coupler is not None and coupler.get_isEnforced():
            names.add(coupler.getDependentCoordinateName())
    return names


def check_spelling(missing: Sequence[str], unused: Mapping[str, str], origin: str, kind: str = "coordinate") -> None:
    """Refuse an unused column whose name nearly is that of a coordinate without a column."""
    for name in missing:
        for similar in near_matches(name, unused, cutoff=MISSPELT):
            if _plain(similar) == _plain(name) or _telling(similar) == _telling(name):
                raise MotionError(
                    f"{origin}: no column is named as {kind} '{name}', but column '{unused[similar]}' nearly is, "
                    "and nothing else uses it; rename that column, or leave it out"
                )


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _telling(name: str) -> list[str]:
    """Return the digits and the short parts of a name, in which a single letter is no slip."""
    parts = re.split(r"[^a-z0-9]+", name.lower())
    distinctive = [part if len(part) <= SHORT else re.sub(r"\D", "", part) for part in parts]
    return [part for part in distinctive if part]


def _hint(labels: Sequence[str], names: Sequence[str]) -> str:
    """Return a hint for messages: which coordinate a column may mean, or else the first columns."""
    for label in labels:
        similar = near_matches(label, names, most=1)
        if similar:
            return f"; did '{label}' mean '{similar[0]}'?"
    names_text = ", ".join(f"'{label}'" for label in labels[:6]) + (", ..." if len(labels) > 6 else "")
    return f"; it has {names_text}" if labels else "; it has no columns"
