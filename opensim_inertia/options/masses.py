"""Options of muscle masses."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from .._core.checks import check_tension
from .._core.choices import ESTIMATES, UNSUPPORTED, Unsupported
from .._core.errors import InertiaError, Option
from .._core.options import REQUIRED, Options, above, between, option

SPECIFIC_TENSION = 0.6e6
"""Default specific tension [Pa]."""
DENSITY = 1059.7
"""Default density of muscle [kg/m^3]."""


def _density() -> Any:
    return option(DENSITY, "density of muscle", unit="kg/m^3", check=between(100, 10000, " kg/m^3"))


@dataclass(frozen=True)
class SpecificTension(Options):
    """Estimate of masses from muscle parameters: density * (maximum force / specific tension) * fibre length."""

    name: ClassVar[str] = "specific_tension"
    tension: float | str = option(
        SPECIFIC_TENSION,
        "stress of muscle at its maximum force, with its unit, as '0.6 MPa', or a number in Pa",
        keyword="specific_tension",
        check=lambda name, value: check_tension(name, value, "Pa"),
        synonyms=("stress",),
    )
    density: float = _density()


@dataclass(frozen=True)
class Handsfield(Options):
    """Estimate of lower-limb masses from the person's height and mass (Handsfield et al. 2014)."""

    name: ClassVar[str] = "handsfield"
    height: float = option(REQUIRED, "the person's height", unit="m", synonyms=("stature",))
    body_mass: float | None = option(None, "the person's mass; none: the model's", unit="kg", synonyms=("weight",))
    density: float = _density()


MassEstimate = SpecificTension | Handsfield


def unsupported_muscles() -> Any:
    """Return the dataclass field of ``unsupported``, the treatment of muscles with paths that cannot carry mass."""
    text = "muscles whose path cannot carry mass; massless: they have none, and it stays in the segments"
    return option(UNSUPPORTED[0], text, choices=UNSUPPORTED)


@dataclass(frozen=True)
class MassOptions(Options):
    """Options of muscle masses, for commands and studies."""

    table: str | os.PathLike[str] | None = option(
        None,
        "mass table as 'opensim-inertia masses -o' writes it; muscles not in it stay massless; default: estimates",
        keyword="masses",
        parse=Path,
        metavar="CSV",
        only="command",
    )
    method: str | None = option(
        None, "how to estimate (default: specific_tension); handsfield needs the height", choices=ESTIMATES
    )
    specific_tension: str | float | None = option(
        None,
        f"of muscle with its unit, such as 0.6MPa; a number is in MPa (default: {SPECIFIC_TENSION / 1e6:g}MPa)",
        check=lambda name, value: value if check_tension(name, value, "MPa") else None,
        metavar="STRESS",
    )
    height: float | None = option(None, "the person's height in metres, for handsfield", check=above(0), metavar="m")
    body_mass: float | None = option(
        None, "the person's mass, for handsfield (default: the model's)", check=above(0), metavar="kg"
    )
    muscles: Sequence[str] | None = option(
        None,
        "only these muscles have mass; names or patterns such as '*_r'",
        parse=str,
        several=True,
        metavar="PATTERN",
    )
    reference: str | os.PathLike[str] | None = option(
        None,
        "static trial whose mean pose is the reference, at which muscles are frozen (default: the default pose)",
        parse=Path,
        metavar="FILE",
        only="command",
    )
    unsupported: Unsupported = unsupported_muscles()

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.muscles is not None:
            object.__setattr__(self, "muscles", tuple(self.muscles))
        needless: list[str]
        why: tuple[object, ...]
        needless, why = ["height", "body_mass"], ("it needs ", Option("method", Handsfield.name))
        if self.table is not None:
            needless = ["method", "specific_tension", "height", "body_mass"]
            why = (Option("masses", ...), " is given: the masses come from that file")
        elif self.method == Handsfield.name:
            needless, why = ["specific_tension"], (Option("method", ...), f" is {Handsfield.name}")
            if self.height is None:
                height = Option("height", ...)
                raise InertiaError(Option("method", self.method), " needs ", height, ", the person's height in metres")
        for name in needless:
            if getattr(self, name) is not None:
                raise InertiaError(Option(name, ...), " has no effect here: ", *why)

    @property
    def arguments(self) -> dict[str, Any]:
        """The options as keyword arguments of :func:`~opensim_inertia.estimate_masses`."""
        method: MassEstimate | None = None
        if self.method == Handsfield.name and self.height is not None:
            method = Handsfield(self.height, self.body_mass)
        elif self.table is None:
            given = self.specific_tension
            method = SpecificTension(*([] if given is None else [check_tension("specific_tension", given, "MPa")]))
        names = ("muscles", "table", "reference", "unsupported")
        return {"method": method} | {name: getattr(self, name) for name in names}
