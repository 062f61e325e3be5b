"""Gait events: when feet touch the ground and leave it, from measured ground forces or from a table."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..._core.arrays import Array
from ..._core.errors import FileFormatError, UnknownNameError
from ..._core.sides import stem_and_side
from ...files.spreadsheets import read_cells
from .loads import GROUND, Loads

if TYPE_CHECKING:
    import pandas as pd

#: A foot is on the ground while the vertical force on it is larger [N].
THRESHOLD = 20.0
#: Contacts, and times between contacts, that are shorter [s] are noise of a force plate.
SHORTEST = 0.05
CONTACT, OFF = "contact", "off"
#: What tables call the two events, in small letters and without what stands between words.
EVENTS = dict.fromkeys(("contact", "strike", "footstrike", "heelstrike", "initialcontact", "ic", "hs", "fs"), CONTACT)
EVENTS |= dict.fromkeys(("off", "toeoff", "footoff", "to", "fo"), OFF)
SIDES = {"r": "r", "right": "r", "l": "l", "left": "l"}
COLUMNS = ("time", "side", "event")

Event = Mapping[str, Any]
"""A gait event: its ``time`` [s], ``side`` ("r", "l") and ``event`` ("contact", "off")."""


def gait_events(loads: Loads, gravity: Array, span: tuple[float, float]) -> list[Event]:
    """Return when feet touch the ground and leave it within a span of time [s], in the order of time.

    There the vertical force exceeds :data:`THRESHOLD`; phases shorter than :data:`SHORTEST` do not count. Loads of one
    side, by the names of bodies, are summed. Without ``gravity`` (3,) there are no events.
    """
    size = float(np.linalg.norm(gravity))
    if not size > 0:
        return []
    forces: dict[str, Array] = {}
    for name, (body, axes, _) in loads.bodies.items():
        side = stem_and_side(body)[1]
        if side and axes == GROUND:
            forces[side] = forces.get(side, np.zeros(len(loads.times))) + loads.values(name)[:, :3] @ (-gravity / size)
    events = []
    for side, force in forces.items():
        on_ground = _without_short(loads.times, force > THRESHOLD)
        for k in np.flatnonzero(np.diff(on_ground)).tolist():
            share = (THRESHOLD - force[k]) / (force[k + 1] - force[k])
            time = float(loads.times[k] + share * (loads.times[k + 1] - loads.times[k]))
            if span[0] <= time <= span[1]:
                events.append({"time": time, "side": side, "event": CONTACT if on_ground[k + 1] else OFF})
    return sorted(events, key=lambda event: event["time"])


def _without_short(times: Array, on_ground: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return a copy in which short gaps are closed, and then short contacts left out; the ends stay as they are."""
    on_ground = on_ground.copy()
    for state in (False, True):
        edges = np.flatnonzero(np.diff(on_ground)) + 1
        for first, end in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
            if on_ground[first] == state and times[end] - times[first] < SHORTEST:
                on_ground[first:end] = not state
    return on_ground


def read_gait_events(source: str | os.PathLike[str] | pd.DataFrame) -> list[Event]:
    """Return the events of a table with the columns ``time`` [s], ``side`` and ``event``, in the order of time."""
    number_of: Callable[[str], float] = float
    if isinstance(source, str | os.PathLike):
        cells = read_cells(source, COLUMNS[0])
        head = cells.rows[0][1] if cells.rows else []
        name, rows, number_of = os.fspath(source), list(cells.rows[1:]), cells.number
    else:
        name, head = "the table of gait events", [str(column) for column in source.columns]
        rows = [(number, list(map(str, row))) for number, row in enumerate(source.itertuples(index=False), 1)]
    head = [column.strip().lower() for column in head]
    if missing := [column for column in COLUMNS if column not in head]:
        raise FileFormatError(name, f"has no column '{missing[0]}': expected {', '.join(COLUMNS)}")
    events = []
    for number, row in rows:
        if len(row) < len(head):
            raise FileFormatError(name, f"row {number} has {len(row)} cells, expected {len(head)}")
        time, side, event = (row[head.index(column)].strip() for column in COLUMNS)
        kind = EVENTS.get("".join(filter(str.isalpha, event.lower())))
        if kind is None or side.lower() not in SIDES:
            which, word, known = ("event", event, EVENTS) if kind is None else ("side", side, SIDES)
            raise UnknownNameError(which, word, list(known), f"{name}, row {number}")
        try:
            moment = number_of(time)
        except ValueError:
            moment = np.nan
        if not np.isfinite(moment):
            raise FileFormatError(name, f"row {number}: the time '{time}' is not a number")
        events.append({"time": moment, "side": SIDES[side.lower()], "event": kind})
    return sorted(events, key=lambda event: event["time"])


def gait_cycles(events: Iterable[Event], span: tuple[float, float]) -> dict[str, Sequence[tuple[float, float]]]:
    """Return first and last time [s] of each cycle from contact to contact within a span [s], by side: "r", "l"."""
    contacts: dict[str, list[float]] = {"r": [], "l": []}
    for event in events:
        if event["event"] == CONTACT and span[0] <= event["time"] <= span[1]:
            contacts[event["side"]].append(event["time"])
    return {side: list(zip(times[:-1], times[1:], strict=True)) for side, times in contacts.items() if len(times) > 1}
