"""Strain models: the map from material coordinates chi and xi in [0, 1] to arc length on a path of length L.

``s = A + chi P + xi B``, with fibres of length ``B = phi L - slack`` and ``A = f (L - B)``, ``P = e (L - B)``.

* *fibres between aponeuroses* (``"aponeurosis"``, the default): a fibre starts at the share chi along the proximal
  aponeurosis, and ends as far along the distal one. Fibres take all of the change of length; the mass table has the
  lengths of free tendons and aponeuroses (:mod:`~opensim_inertia.muscles.masses.architecture`).
* *rigid tendons* (Wang et al. 2022, section 5, future work): no aponeurosis, tendons of constant length ``slack``.
* *uniform strain* (Wang et al. 2022, section 3): all of the path stretches alike; the belly is the share ``phi`` of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np

from ..._core.arrays import Array
from ...opensim_model.reading.paths import MusclePath
from ...options.modelling import StrainModel
from ..masses.architecture import MuscleArchitecture
from .point_masses import MaterialPoints, PointMasses

Strain = Literal["aponeurosis", "rigid_tendon", "uniform"]
Distribution = Literal["continuous", "points"]

#: Below this share of the optimal fibre length along the path fibres between rigid tendons are held.
SHORTEST_FIBRE = 0.1
#: Half width of the smooth transition to the held length, as a share of the optimal fibre length.
HOLD_WIDTH = 0.05


@dataclass(frozen=True)
class MaterialMap:
    """The constants of the map of one muscle."""

    phi: float  # share of the path that is belly, 1 where tendons do not stretch
    slack: float  # length that does not stretch, of tendons and aponeurosis [m]
    proximal: float  # f, the proximal free tendon as a share of ``L - B``
    shortest: float  # fibres are held at this length [m], so that they do not vanish
    hold_width: float  # half width of the smooth transition to it [m]
    aponeurosis: float = 0.0  # e, length of an aponeurosis as a share of ``L - B``

    @property
    def proximal_share(self) -> float:
        """Share at the origin of all that is not belly."""
        return self.proximal / (1.0 - self.aponeurosis) if self.aponeurosis < 1.0 else 0.0


def with_bellies_at(strain: StrainModel, shares: Mapping[str, float], maps: Mapping[str, MaterialMap]) -> StrainModel:
    """Return a strain model that places bellies at proximal shares, where the mass table does not."""
    if strain.kind == "rigid_tendon":
        return replace(strain, proximal_tendon={name: shares.get(name, m.proximal) for name, m in maps.items()})
    bellies = {}
    for name, m in maps.items():
        start = shares.get(name, m.proximal) * (1 - m.phi)
        bellies[name] = (start, min(start + m.phi, 1.0))
    return replace(strain, belly=bellies)


def material_map(
    strain: StrainModel, path: MusclePath, explicit_points: bool, architecture: MuscleArchitecture | None = None
) -> MaterialMap:
    """Return the map of one muscle; explicit points under uniform strain use the whole path."""
    fibre, tendon = path.optimal_fiber_length, path.tendon_slack_length
    if strain.kind != "uniform":
        along = fibre * np.cos(path.pennation_angle)
        proximal, aponeurosis = strain.proximal_share(path.muscle), 0.0
        if strain.kind == "aponeurosis" and architecture is not None and tendon > 0:
            proximal = architecture.free_tendon_proximal / tendon
            aponeurosis = architecture.aponeurosis / tendon
        return MaterialMap(1.0, tendon, proximal, SHORTEST_FIBRE * along, HOLD_WIDTH * along, aponeurosis)
    if explicit_points:
        return MaterialMap(1.0, 0.0, 0.0, 0.0, 0.0)
    belly = strain.belly.get(path.muscle, "central") if isinstance(strain.belly, Mapping) else strain.belly
    if isinstance(belly, str):
        phi = fibre / (fibre + tendon)
        proximal = {"central": 0.5, "proximal": 0.0, "distal": 1.0}[belly]
    else:
        phi = belly[1] - belly[0]
        proximal = belly[0] / (1 - phi) if phi < 1 else 0.0
    return MaterialMap(phi, 0.0, proximal, 0.0, 0.0)


class LengthRates(NamedTuple):
    """Mean and variance over the mass of s' = f (1 - phi) + chi e (1 - phi) + xi phi, its speed per length rate."""

    mean: float  # (with variance) of s' over the mass
    variance: float

    @property
    def kappa(self) -> float:
        """The mean of s'^2: kinetic energy of length rates alone is mass kappa rate^2 / 2."""
        return self.mean**2 + self.variance

    @classmethod
    def of(cls, material: MaterialMap, points: PointMasses | None) -> LengthRates:
        """Return those of a muscle: of its mass points, or, if it has none, of mass spread evenly over chi and xi."""
        start = material.proximal * (1 - material.phi)
        along, fibre = material.aponeurosis * (1 - material.phi), material.phi
        if points is None:
            return cls(start + (along + fibre) / 2, (along**2 + fibre**2) / 12)
        weights, fractions = points.masses / points.total, points.fractions
        middle = float(weights @ fractions)
        variance = float(weights @ (fractions - middle) ** 2)
        return cls(start + middle * (along + fibre), variance * (along + fibre) ** 2)


#: The whole path is belly, and a point in its middle has the mass: so paths are compared.
WHOLE = MaterialMap(1.0, 0.0, 0.0, 0.0, 0.0)
MIDDLE = MaterialPoints(np.array([0.0]), np.array([0.5]), np.array([1.0]))
#: Mass points that are compared: equal masses, uniform strain of the whole path.
POINTS: Array = (np.arange(20) + 0.5) / 20
