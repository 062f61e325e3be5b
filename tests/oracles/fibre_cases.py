"""Muscles whose fibres lie between aponeuroses, at random states of random chains."""

import numpy as np
import pytest
from conftest import slow_except

from . import chain
from .numpy_kernel import MaterialMap, Path, Terms

#: Maps by the path's length: aponeuroses P shorter and longer than the fibres B, of all of the tendon, and held fibres.
MAPS = {
    "rigid, P < B": lambda length: MaterialMap(1.0, 0.5 * length, 0.3, aponeurosis=0.4),
    "rigid, P > B": lambda length: MaterialMap(1.0, 0.75 * length, 0.2, aponeurosis=0.7),
    "rigid, distal tendon": lambda length: MaterialMap(1.0, 0.7 * length, 0.05, aponeurosis=0.2),
    "rigid, no free tendon": lambda length: MaterialMap(1.0, 0.6 * length, 0.0, aponeurosis=1.0),
    "uniform, P < B": lambda length: MaterialMap(0.6, 0.0, 0.2, aponeurosis=0.5),
    "uniform, P > B": lambda length: MaterialMap(0.2, 0.0, 0.5, aponeurosis=0.5),
    "nearly held": lambda length: MaterialMap(1.0, 0.9 * length, 0.3, 0.1 * length, 0.05 * length, 0.5),
    "held": lambda length: MaterialMap(1.0, 0.9 * length, 0.3, 0.2 * length, 0.05 * length, 0.5),
}


class Case:
    """A random chain with a muscle of three to six path points."""

    def __init__(self, kind: str, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.chain = chain.random_chain(rng, 4, 1)
        self.q, self.u = rng.uniform(-1, 1, 4), rng.normal(size=4) * 2
        bodies = ((0, 2, 4), (0, 1, 3, 4), (0, 0, 2, 3, 4), (0, 1, 1, 2, 3, 4))[seed % 4]
        self.stations = [(b, rng.normal(size=3) * 0.1) for b in bodies]
        self.length = self.path(self.q).length
        self.material = MAPS[kind](self.length)

    def path(self, q: np.ndarray, u: np.ndarray | None = None) -> Path:
        return Path(chain.bodies(self.chain, q, np.zeros(4) if u is None else u), self.stations)

    @property
    def here(self) -> Path:
        return self.path(self.q, self.u)


def cases(seeds: range, slow: range = range(0)) -> pytest.MarkDecorator:
    """Every kind with each seed, those ``slow`` in slow tests."""
    quick = [(kind, seed) for kind in MAPS for seed in seeds]
    return pytest.mark.parametrize(("kind", "seed"), slow_except(quick, quick + [(k, s) for k in MAPS for s in slow]))


def apart(one: Terms, other: Terms, *names: str) -> float:
    """The largest difference of the terms so named, each relative to its own largest entry."""
    pairs = [(np.asarray(getattr(one, name)), np.asarray(getattr(other, name))) for name in names]
    return max(float(np.abs(a - b).max() / np.abs(b).max()) for a, b in pairs)


ALL = ("mass_matrix", "bias", "gravity", "kinetic_energy", "potential_energy")
