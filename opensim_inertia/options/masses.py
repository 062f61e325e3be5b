"""How muscle masses are estimated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from .._core.checks import check_tension
from .._core.errors import OptionError
from .._core.options import REQUIRED, Options, option

__all__ = ["DENSITY", "SPECIFIC_TENSION", "Handsfield", "MassEstimate", "SpecificTension"]

SPECIFIC_TENSION = 0.6e6
"""Default specific tension [Pa]."""
DENSITY = 1059.7
"""Default density of muscle [kg/m^3]."""


def _check_tension(name: str, value: float | str) -> float:
    return check_tension(name, value, "Pa")


def _check_density(name: str, value: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 100.0 <= value <= 10000.0:
        raise OptionError(name, value, "a density in kg/m^3, from 100 to 10000")
    return float(value)


def _density() -> float:
    value: float = option(DENSITY, "density of muscle", unit="kg/m^3", check=_check_density)
    return value


class MassEstimate(Options):
    """How muscle masses are estimated.

    Attributes:
        name: of the method.
    """

    name: ClassVar[str]
    density: float


@dataclass(frozen=True)
class SpecificTension(MassEstimate):
    """Masses from what the model says of its muscles: density * (maximum force / specific tension) * fibre length."""

    name: ClassVar[str] = "specific_tension"
    tension: float | str = option(
        SPECIFIC_TENSION,
        "stress of muscle at its maximum force, with its unit, as '0.6 MPa', or a number in Pa",
        keyword="specific_tension",
        check=_check_tension,
        synonyms=("stress",),
    )
    density: float = _density()


@dataclass(frozen=True)
class Handsfield(MassEstimate):
    """Masses of the lower limbs from the person's height and mass (Handsfield et al. 2014)."""

    name: ClassVar[str] = "handsfield"
    height: float = option(REQUIRED, "the person's height", unit="m", synonyms=("stature",))
    body_mass: float | None = option(None, "the person's mass; none: the model's", unit="kg", synonyms=("weight",))
    density: float = _density()
