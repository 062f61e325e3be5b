"""The networks that lead paths over surfaces: the shipped one, and those trained for a model."""

from __future__ import annotations

from functools import cache

from ..neural import PLANAR, NeuralWeights, load_weights
from ..reading import MusclePath
from .sites import WrapSite

#: Surfaces that the shipped network serves, whatever their size and wherever the path comes from.
PLANAR_KINDS = ("cylinder", "sphere")


def find_network(path: MusclePath, site: WrapSite) -> NeuralWeights | None:
    """The network for a wrap site, or None if there is none.

    Raises:
        WeightsError: its file is damaged or of another kind.
    """
    if site.surface.kind in PLANAR_KINDS:
        return planar_network()
    return None


@cache
def planar_network() -> NeuralWeights:
    """The network that the package ships."""
    return load_weights(PLANAR)
