"""The configuration of a study, read from TOML or a dict and checked strictly: the one module that imports pydantic."""

from __future__ import annotations

import math
import os
import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from .._core.checks import check_file, check_tension
from .._core.choices import ESTIMATES, STRAINS, UNSUPPORTED, WRAPPINGS
from .._core.errors import (
    FileFormatError,
    InertiaError,
    MissingPackageError,
    OptionError,
    StudyError,
    UnknownNameError,
    listed,
    near_matches,
)
from .._core.options import OptionField, Options, meant_by
from ..analyses.inverse_dynamics import Uncertainty
from ..options.modelling import ModelOptions, Wrapping
from ..options.recording import IMPLAUSIBLE, Recording
from ..options.recruitment import CRITERIA, Actuation, RecruitmentOutputs
from ..options.wobble import SWITCH, Wobble

try:
    from pydantic import (
        AfterValidator,
        BaseModel,
        BeforeValidator,
        ConfigDict,
        Field,
        ValidationError,
        create_model,
        model_validator,
    )
except ImportError as error:
    raise MissingPackageError("studies need", "pydantic", "study") from error

__all__ = ["SUFFIX", "Config", "Section", "read_config"]

#: Ending of the folder of results where none is named.
SUFFIX = "_results"
#: Where bellies lie: as strain model and mass table say, or at one end or in the middle of what is not belly.
PLACES = {"given": None, "proximal": 0.0, "central": 0.5, "distal": 1.0}
#: In place of a cut-off: the setup's own, or no filter.
CUTOFFS = ("setup", "none")
#: Which tasks have a report: each trial's first one, all, or none.
REPORTS = ("trials", "tasks", "none")
MOST_WORKERS, MOST_CURVE_POINTS = 1024, 100_001
#: Types of values by the names of annotations; others are numbers, too.
TYPES = {"bool": bool, "int": int}


def _one_of(*choices: str, number: Callable[[float], bool] | None = None, expected: str = "") -> Any:
    """Return a type of texts that are one of a few, or of numbers that a function allows."""
    expected = expected or f"one of {listed(choices)}"

    def check(value: Any) -> Any:
        if isinstance(value, str) and value in choices:
            return value
        if number is not None and isinstance(value, int | float) and not isinstance(value, bool) and number(value):
            return float(value)
        near = near_matches(value, choices) if isinstance(value, str) else []
        raise ValueError(f"is {value!r}; " + (f"did you mean {listed(near)}?" if near else f"expected {expected}"))

    return Annotated[Any, BeforeValidator(check)]


def _distinct(value: Any) -> Any:
    """Return a list of different values, or of a single one."""
    values = value if isinstance(value, list | tuple) else [value]
    if not values:
        raise ValueError("is empty; expected at least one value")
    for i, each in enumerate(values):
        if each in values[:i]:
            raise ValueError(f"has {float(each) if isinstance(each, int) else each!r} twice")
    return values


def _path(value: Any) -> Any:
    return os.fspath(value) if isinstance(value, os.PathLike) else value


def _interval(value: Any) -> Any:
    numbers = isinstance(value, list | tuple) and len(value) == 2
    if numbers and all(isinstance(v, int | float) and math.isfinite(v) for v in value) and value[0] < value[1]:
        return (float(value[0]), float(value[1]))
    raise ValueError(f"is {value!r}; expected two times in seconds, the first before the second")


def _checked_by(check: Callable[[str, Any], Any], name: str, value: Any) -> Any:
    """Return a value as a check of options returns it."""
    try:
        return check(name, value)
    except OptionError as error:
        raise ValueError(f"is {value!r}; expected {error.expected}") from error


def _several(item: Any) -> Any:
    """Return the type of one value or a list of distinct ones."""
    return Annotated[list[item], BeforeValidator(_distinct)]


Text = Annotated[str, Field(min_length=1)]
File = Annotated[Text, BeforeValidator(_path)]
Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Interval = Annotated[tuple[float, float], BeforeValidator(_interval)]
Place = _one_of(
    *PLACES, number=lambda share: 0 <= share <= 1, expected=f"one of {listed(PLACES)}, or a share from 0 to 1"
)
Cutoff = _one_of(
    *CUTOFFS,
    number=lambda cutoff: 0 < cutoff < math.inf,
    expected=f"a frequency above 0 [Hz], or one of {listed(CUTOFFS)}",
)
Tension = Annotated[
    float, BeforeValidator(partial(_checked_by, partial(check_tension, unit="MPa"), "specific_tension"))
]


class Section(BaseModel):
    """A table of the file; keys that it does not know are refused."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class TrialSection(Section):
    """One or, where ``setup`` has wildcards, several trials."""

    setup: File
    id: Text | None = None
    subject: Text | None = None
    condition: Text | None = None
    events: Interval | None = None
    model: File | None = None
    motion: File | None = None
    external_loads: File | None = None
    masses: File | None = None
    reference: File | None = None
    height: Positive | None = None
    body_mass: Positive | None = None


class GridSection(Section):
    """Assumptions, every combination of which is computed for each trial."""

    strain: _several(_one_of(*STRAINS)) = [STRAINS[0]]  # type: ignore[valid-type]
    placement: _several(Place) = ["given"]  # type: ignore[valid-type]
    wrapping: _several(_one_of(*WRAPPINGS)) = [WRAPPINGS[0]]  # type: ignore[valid-type]
    cutoff: _several(Cutoff) = ["setup"]  # type: ignore[valid-type]


class MassSection(Section):
    """Muscle masses of trials without their own."""

    table: File | None = None
    method: _one_of(*ESTIMATES) | None = None  # type: ignore[valid-type]
    specific_tension: Tension | None = None  # [Pa]
    height: Positive | None = None
    body_mass: Positive | None = None
    muscles: _several(Text) | None = None  # type: ignore[valid-type]
    reference: File | None = None
    unsupported: _one_of(*UNSUPPORTED) = UNSUPPORTED[0]  # type: ignore[valid-type]


def _key(entry: OptionField) -> tuple[Any, Any]:
    """Return type and default of the key of an option, as pydantic takes them."""
    default = entry.asked_default
    if "Sequence" in entry.kind:
        return (list[Text], [])
    check = partial(_checked_by, lambda _, given: entry.checked(given), entry.keyword)
    number = TYPES.get(entry.kind.partition("|")[0].strip(), float)
    kind = _one_of(*entry.choices) if entry.choices else Annotated[number, AfterValidator(check)]
    return (kind | None if default is None else kind, default)


def _keys_of(*classes: type[Options], only: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return the keys that studies have of classes of options; if names are given, of these alone."""
    entries = [entry for kind in classes for entry in kind.asked(*only).values() if entry.study]
    return {entry.keyword: _key(entry) for entry in entries}


class _ModelAndMotion(Section):
    """Options of the model and its motions, as those of ``opensim-inertia id``."""

    @model_validator(mode="after")
    def _check(self) -> _ModelAndMotion:
        try:
            Recording.of(dict(self) | {"motion": ""})
        except OptionError as error:
            raise ValueError(f"{error.option} is true; expected {error.expected}") from error
        values = dict(self)
        without = [
            entry.keyword for entry in Wobble.asked().values() if values.get(entry.keyword) != entry.asked_default
        ]
        if without and not values["wobble"] and without[0] in values:
            raise ValueError(f"{without[0]} is {values[without[0]]!r}; expected only where wobble is true")
        return self


OptionSection = create_model(
    "OptionSection",
    __base__=_ModelAndMotion,
    **_keys_of(ModelOptions, only=("distribution", "points")),
    **_keys_of(Wrapping, only=("smoothing",)),
    **_keys_of(Recording, only=("assemble", "as_recorded", "interpolate_jumps", "strict")),
    implausible=_key(IMPLAUSIBLE),
    wobble=_key(SWITCH),
    **_keys_of(Wobble),
)

RecruitmentSection = create_model(
    "RecruitmentSection",
    __base__=Section,
    criterion=(_one_of(*CRITERIA), next(iter(CRITERIA))),
    **_keys_of(*CRITERIA.values(), Actuation, RecruitmentOutputs),
    **_keys_of(Recording, only=("accelerations",)),
)


class UncertaintySection(Section):
    """Options of bands; see :class:`~opensim_inertia.analyses.inverse_dynamics.Uncertainty`."""

    mass_cv: float = 0.25
    common: float = 0.5
    level: float = 0.95
    placement: bool = True
    draws: int = 2000
    seed: int = 0

    @model_validator(mode="after")
    def _check(self) -> UncertaintySection:
        try:
            self.unknowns()
        except InertiaError as error:
            raise ValueError(str(error)) from None
        return self

    def unknowns(self) -> Uncertainty:
        """Return the unknowns that bands cover."""
        return Uncertainty(self.mass_cv, self.common, self.level, self.draws, self.seed, self.placement)


class CurveSection(Section):
    """How mean curves are made."""

    axis: _one_of("time", "cycle") = "time"  # type: ignore[valid-type]
    points: Annotated[int, Field(ge=2, le=MOST_CURVE_POINTS)] = 101
    events: File | None = None


class ClusterSection(Section):
    """Processes of this machine, or workers of a scheduler."""

    scheduler: Text | None = None
    workers: Annotated[int, Field(ge=0, le=MOST_WORKERS)] | None = None
    wait: Positive = 60.0

    @model_validator(mode="after")
    def _check(self) -> ClusterSection:
        if self.scheduler is not None and self.workers is not None:
            raise ValueError("workers has no effect where scheduler is given: the scheduler knows its workers")
        return self


class OutputSection(Section):
    """Outputs besides the tables: reports of trials (under their first assumptions), of
    all tasks or of none, and pictures of mean curves.
    """

    reports: _one_of(*REPORTS) = REPORTS[0]  # type: ignore[valid-type]
    pictures: bool = True


class Config(Section):
    """A study as configured; see the documentation of :func:`~opensim_inertia.study`."""

    name: Text = "study"
    out: File | None = None
    trial: Annotated[list[TrialSection], Field(min_length=1)]
    grid: GridSection = GridSection()
    masses: MassSection = MassSection()
    options: OptionSection = OptionSection()  # type: ignore[valid-type]
    recruitment: RecruitmentSection = RecruitmentSection()  # type: ignore[valid-type]
    uncertainty: UncertaintySection = UncertaintySection()
    curves: CurveSection = CurveSection()
    cluster: ClusterSection = ClusterSection()
    output: OutputSection = OutputSection()


def read_config(
    source: str | os.PathLike[str] | Mapping[str, Any], cluster: Mapping[str, Any] | None = None
) -> tuple[Config, Path, str]:
    """Read and check the configuration of a study."""
    if isinstance(source, Mapping):
        return _checked(_with_cluster(source, cluster), "study"), Path.cwd(), "study"
    path = check_file(source, "study file")
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FileFormatError(path, f"is not a TOML file: {error}") from error
    except OSError as error:
        raise FileFormatError(path, f"cannot be read: {error.strerror}") from error
    return _checked(_with_cluster({"name": path.stem, **table}, cluster), path.name), path.absolute().parent, path.name


def _with_cluster(table: Mapping[str, Any], cluster: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the tables of a study with other keys of the section ``cluster``."""
    section = table.get("cluster", {})
    if cluster is None or not isinstance(section, Mapping):
        return dict(table)
    rest = {key: value for key, value in section.items() if key not in ("scheduler", "workers")}
    return {**table, "cluster": rest | dict(cluster)}


def _checked(table: dict[str, Any], where: str) -> Config:
    try:
        return Config.model_validate(table)
    except ValidationError as error:
        errors = error.errors(include_url=False)
    unknown = [e for e in errors if e["type"] == "extra_forbidden"]
    first = (unknown or errors)[0]
    if unknown:
        *within, key = first["loc"]
        keys = list(_section(within).model_fields)
        raise UnknownNameError("key", str(key), keys, _place_of(where, within), meant_by(str(key), keys)) from None
    raise StudyError(
        _described(first, where) + (f" (and {len(errors) - 1} more errors)" if errors[1:] else "")
    ) from None


def _section(within: Sequence[Any]) -> type[BaseModel]:
    """Return the class of a section."""
    if not within:
        return Config
    return TrialSection if within[0] == "trial" else Config.model_fields[within[0]].annotation  # type: ignore[return-value]


def _place_of(where: str, within: list[Any]) -> str:
    """Return the name of a section of a file."""
    if not within:
        return where
    number = f" number {within[1] + 1}" if len(within) > 1 and isinstance(within[1], int) else ""
    return f"{where}, [{'[trial]' if within[0] == 'trial' else within[0]}]{number}"


def _described(error: Any, where: str) -> str:
    """Return a message about a wrong value and its place."""
    name, *rest = error["loc"]
    within = [name, *rest[:1]] if name == "trial" else [name] if name not in ("name", "out") else []
    keys = [part for part in error["loc"][len(within) :] if part in _section(within).model_fields]
    place = _place_of(where, within) + (f", {keys[0]}" if keys else "")
    message = error["msg"].removeprefix("Value error, ")
    if error["type"] == "value_error":
        return f"{place}{' ' if message.startswith(('is ', 'has ')) else ': '}{message}"
    if error["type"] == "missing":
        return f"{place} is missing"
    input_part = "" if isinstance(error["input"], dict | list) else f" is {error['input']!r};"
    return f"{place}{input_part or ':'} {message[0].lower()}{message[1:]}"
