"""The networks that lead paths over surfaces: the shipped one, and those trained for a model and kept in a cache.

A trained network is found by what it was trained on, not by names or files: the surface and the path points of the
spans that wrap it. The joints between them and their ranges, and the muscle's other surfaces, are not looked at. Where
these have changed, train again into an empty cache.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from ...._core.errors import WeightsShapeError
from ....files.cache import cache_folder
from ....opensim_model.reading import MusclePath
from ...neural import PLANAR, NeuralWeights, load_weights
from ...neural.settings import SPAN_SETTINGS
from ...neural.weights import SPAN_FORM
from ..survey import WrapSite

#: Raised when what networks learn or take changes; older ones are then no longer found.
CACHE_VERSION = 1

#: Decimals [m] to which geometry is told apart: beyond rounding, below meaning.
DECIMALS = 9

#: The settings that are not in the key: a network trained for longer, or anew, replaces the one before.
FREE = ("steps", "seed")


def find_network(path: MusclePath, site: WrapSite) -> NeuralWeights | None:
    """Return the network for a wrap site, or None if there is none.

    Raises:
        WeightsError: its file is damaged or of another kind.
    """
    if site.surface.planar:
        return planar_network()
    file = network_file(path, site)
    if not file.is_file():
        return None
    weights = load_weights(file, site.surface.kind)
    if weights.form != SPAN_FORM:
        raise WeightsShapeError(file, f"form '{weights.form}', expected '{SPAN_FORM}'")
    return weights


@cache
def planar_network() -> NeuralWeights:
    """Return the network that the package ships."""
    return load_weights(PLANAR, kind="planar")


def network_file(path: MusclePath, site: WrapSite) -> Path:
    """Return the file in which the network for a wrap site is kept, whether it is there or not."""
    return cache_folder() / f"{site.surface.kind}-{network_key(path, site)[:32]}.json"


def network_key(path: MusclePath, site: WrapSite) -> str:
    """Return a checksum (sha256) of all that a network for a wrap site depends on."""
    surface = site.surface
    settings = {name: value for name, value in SPAN_SETTINGS.metadata().items() if name not in FREE}
    content = {
        "version": CACHE_VERSION,
        "recipe": settings,  # the key of networks in users' caches: no word of it may change
        "kind": surface.kind,
        "size": surface.size,
        "quadrant": surface.quadrant,
        "body": surface.body,
        "in_body": surface.in_body,
        "side": (site.turn, site.long_way) if surface.has_turn else None,  # else the quadrant says it
        "points": path.points[site.first : site.last + 1],
    }
    return hashlib.sha256(json.dumps(_plain(content), sort_keys=True).encode()).hexdigest()


def _plain(content: Any) -> Any:
    """Return content as JSON holds it: lengths rounded, names of elements left out."""
    if dataclasses.is_dataclass(content) and not isinstance(content, type):
        fields = {field.name: getattr(content, field.name) for field in dataclasses.fields(content)}
        fields.pop("name", None)
        return [type(content).__name__, _plain(fields)]
    if isinstance(content, dict):
        return {name: _plain(value) for name, value in content.items()}
    if isinstance(content, list | tuple):
        return [_plain(value) for value in content]
    if isinstance(content, np.ndarray):
        return _plain(content.tolist())
    if isinstance(content, float):
        return round(content, DECIMALS) + 0.0  # no minus zero
    return content
