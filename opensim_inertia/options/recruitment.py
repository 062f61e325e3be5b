"""Options of muscle recruitment: criterion, actuators and outputs."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from pathlib import Path
from typing import Any, ClassVar, cast

from .._core.choices import NO_ACTUATORS, SECONDARIES, CriterionName, Secondary
from .._core.errors import OptionError, listed
from .._core.options import Options, at_least, option, read_reserve, whole

MOST_ROWS = 1_000_000
check_power = at_least(1, "; its limit is the criterion min_max")


class Criterion(Options):
    """Objective of muscle recruitment (Damsgaard et al. 2006, equations 4 to 6).

    Attributes:
        name: of the criterion; functions also accept the name, with default options.
    """

    name: ClassVar[str]

    @property
    def in_words(self) -> str:
        """The criterion's name and options as text, for captions."""
        options = (f"power {x:g}" if name == "power" else f"{x} below" for name, x in self.values().items())
        return ", ".join([self.name.replace("_", " "), *options])


def _power() -> Any:
    text = "power of activations, of polynomial and soft_saturation"
    return option(2.0, text, check=check_power, metavar="P", setup=True)


@dataclass(frozen=True)
class Polynomial(Criterion):
    """Criterion G = sum |a|^p, with activations a and ``power`` p >= 1; at p = 1 several optima may exist."""

    name: ClassVar[str] = "polynomial"
    power: float = _power()


@dataclass(frozen=True)
class SoftSaturation(Criterion):
    """Criterion G = sum -(1 - |a|^p)^(1/p), with activations a, limited to one, and ``power`` p."""

    name: ClassVar[str] = "soft_saturation"
    power: float = _power()


@dataclass(frozen=True)
class MinMax(Criterion):
    """Criterion G = max |a| of activations a, with a secondary criterion for activations below the maximum.

    "quadratic" minimises the sum of squares with no activation above the optimum; "lexicographic" minimises the next
    largest activation, and so on.
    """

    name: ClassVar[str] = "min_max"
    secondary: Secondary = option(
        SECONDARIES[0], "second criterion, for activations that min_max leaves open", choices=SECONDARIES
    )


#: Criteria by name.
CRITERIA: dict[str, type[Criterion]] = {kind.name: kind for kind in (Polynomial, SoftSaturation, MinMax)}


def criterion_of(criterion: CriterionName | Criterion) -> Criterion:
    """Return ``criterion`` as a :class:`Criterion`; the name of a criterion gives default options."""
    if isinstance(criterion, Criterion):
        return criterion
    if criterion not in CRITERIA:
        raise OptionError(
            "criterion", criterion, f"one of {listed(CRITERIA)}, or an object such as Polynomial(power=3)"
        )
    return CRITERIA[criterion]()


def _check_reserves(name: str, value: Any) -> Any:
    if isinstance(value, str | Real) and not (
        isinstance(value, Real) and value is not True and 0 < float(value) < math.inf
    ):
        raise OptionError(name, value, "positive strengths")
    return value


@dataclass(frozen=True)
class Actuation(Options):
    """Options of muscle recruitment: actuators, strengths, and model forces that do not act."""

    actuators: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] = option(
        (),
        "files of force sets that are added to the model, such as residual actuators",
        parse=Path,
        several=True,
        metavar="XML",
        setup=True,
        only="command",
        is_file=True,
        synonyms=("force_set_files", "residuals"),
    )
    reserves: Mapping[str, float] | float | None = option(
        None,
        "strengths of reserve actuators by coordinate, or one for every coordinate; they are no muscles",
        unit="N m or N",
        check=_check_reserves,
        parse=read_reserve,
        several=True,
        metavar="[COORDINATE=]X",
    )
    free: str | Sequence[str] = option(
        (),
        "coordinates whose forces need no actuator; 'base' for those that move the whole model in ground",
        parse=str,
        several=True,
        metavar="COORDINATE",
    )
    physiology: bool = option(
        True,
        "a muscle's strength is its active force at its length and speed, with an inextensible tendon; else its "
        "largest isometric force",
        only="python",
        recorded="muscle physiology",
    )
    passive: bool = option(
        False, "passive fibres pull too; OpenSim's Static Optimization leaves them out", recorded="passive fibres"
    )
    forces_to_exclude: str | Sequence[str] = option(
        NO_ACTUATORS,
        "names, groups or keywords of model forces that do not act; contacts with ground do not act on bodies that "
        "external loads press, unless '-Contacts' is among these",
        only="python",
        recorded="forces excluded",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("actuators", "free", "forces_to_exclude"):
            value = getattr(self, name)
            object.__setattr__(self, name, (value,) if isinstance(value, str | os.PathLike) else tuple(value))

    @property
    def files(self) -> tuple[Path, ...]:
        """The files with additional actuators."""
        return tuple(Path(file) for file in cast(tuple[str, ...], self.actuators))

    @property
    def excluded(self) -> tuple[str, ...]:
        """The names or groups of excluded model forces; actuators are always excluded."""
        return tuple(dict.fromkeys((*NO_ACTUATORS, *self.forces_to_exclude)))


@dataclass(frozen=True)
class RecruitmentOutputs(Options):
    """Results of muscle recruitment to compute, and time steps to solve."""

    joints: str | Sequence[str] = option(
        (),
        "joints whose reactions are wanted, or 'all'",
        parse=str,
        several=True,
        metavar="JOINT",
        setup=True,
        recorded=None,
        synonyms=("reactions",),
    )
    tension_ends: bool = option(
        False, "find the tensions at both ends of muscles with mass, which differ", only="python", recorded=None
    )
    every: int = option(
        1,
        "solve each N-th row of the recording besides the first and last, as OpenSim's step interval does",
        check=whole(1, MOST_ROWS),
        metavar="N",
        setup=True,
        synonyms=("step_interval", "stride"),
    )
