"""Muscles that tests make up, as the records that the kernel takes (``opensim_inertia.paths.kernel.description``)."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from .finite_differences import Array
from .wrap_model import KINDS

Record = dict[str, Any]

MAP = ("phi", "slack", "proximal", "shortest", "hold_width", "aponeurosis")


def material(*constants: float) -> Record:
    """A material map; without its last constant there is no aponeurosis."""
    return dict(zip(MAP, (*constants, 0.0)[: len(MAP)], strict=True))


def fixed(body: int, station: Sequence[float] | Array) -> Record:
    return {"kind": "fixed", "body": body, "station": np.asarray(station)}


def conditional(body: int, station: Array, coordinate: int, low: float, high: float) -> Record:
    return {"kind": "conditional", "body": body, "station": station, "coordinate": coordinate, "range": (low, high)}


def moving(body: int, rotation: Array, origin: Array, functions: Sequence[Record]) -> Record:
    return {"kind": "moving", "body": body, "rotation": rotation, "origin": origin, "functions": list(functions)}


def function(coordinate: int, breaks: Sequence[float], pieces: Array, low: float, high: float) -> Record:
    return {"coordinate": coordinate, "range": (low, high), "breaks": list(breaks), "pieces": pieces}


def surface(
    kind: str,
    size: Sequence[float] | Array,
    smoothing: float,
    turn: float,
    quadrant: Array | None = None,
    long_way: bool = True,
    network: Any = None,
) -> Record:
    """A surface; ``network`` is another record, or None for the formula."""
    return {
        "kind": kind,
        "size": np.asarray(size),
        "smoothing": smoothing,
        "turn": turn,
        "quadrant": np.zeros(3) if quadrant is None else quadrant,
        "long_way": long_way,
        **({} if network is None else {"network": network}),
    }


def spanned(kind: str, *rest: Any, **options: Any) -> Record:
    """A surface over which strings go the long way round where they turn about an axis."""
    return surface(kind, *rest, long_way=KINDS[kind].turns, **options)


def site(
    of: Record,
    body: int,
    rotation: Array | None = None,
    origin: Sequence[float] | Array = (0.0, 0.0, 0.0),
    first: int = 0,
    last: int = 1,
) -> Record:
    turned = np.eye(3) if rotation is None else rotation
    place = {"body": body, "rotation": turned, "origin": np.asarray(origin)}
    return {"surface": of, **place, "first": first, "last": last}


def frozen(body: int, stations: Array, masses: Array) -> Record:
    """Point masses (n,) at stations (n, 3) of a body, as one frozen mass."""
    at = np.column_stack([np.ones(len(stations)), stations])
    moments = at.T @ (masses[:, None] * at)
    entries = [(0, 0), (0, 1), (0, 2), (0, 3), (1, 1), (2, 2), (3, 3), (1, 2), (1, 3), (2, 3)]
    return {"body": body, "numbers": np.array([moments[entry] for entry in entries])}


def muscle(
    name: str,
    points: Sequence[Record],
    constants: Sequence[float],
    mass: float | None,
    lumps: tuple[Sequence[tuple[float, float]], Sequence[float]] | None = None,
    sites: Sequence[Record] = (),
    path_is_given: bool = False,
    frozen: Sequence[Record] = (),
) -> Record:
    """A muscle of continuous mass, or with ``lumps``: material points (chi, xi), and their masses."""
    record: Record = {
        "name": name,
        "map": material(*constants),
        "points": list(points),
        "sites": list(sites),
        "frozen": list(frozen),
        "path_is_given": path_is_given,
    }
    if lumps is None:
        return {**record, "mass": mass}
    chi, xi = zip(*lumps[0], strict=True)
    return {**record, "lumps": {"chi": chi, "xi": xi, "masses": list(lumps[1])}}
