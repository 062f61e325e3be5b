"""Configuration of a study, read from TOML or a dict and checked strictly."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from .._core.checks import check_choice
from .._core.choices import STRAINS, WRAPPINGS
from .._core.errors import OptionError, StudyError
from .._core.options import REQUIRED, Check, OptionField, above, between, entries_of, whole
from .._core.workers import MOST_WORKERS
from ..options.modelling import ModelOptions, Wrapping
from ..options.recording import Answers, Recording, Uncertainty, Wobble
from ..options.recruitment import CRITERIA
from ..options.sections import SHARED, read_section, read_toml

#: Default ending of the folder of results.
SUFFIX = "_results"
#: Belly positions: as given by strain model and mass table, or as share of the path outside the belly.
PLACES = {"given": None, "proximal": 0.0, "central": 0.5, "distal": 1.0}
#: Texts instead of a cut-off: that of the setup, or no filter.
CUTOFFS = ("setup", "none")
#: Tasks with a report: each trial's first, all, or none.
REPORTS = ("trials", "tasks", "none")
MOST_CURVE_POINTS = 100_001


class Section(dict[str, Any]):
    """Values of a configuration section by key; keys are also attributes."""

    def __getattr__(self, name: str) -> Any:
        return self[name] if name in self else self.__getattribute__(name)


def _text(name: str, value: Any) -> str:
    text = os.fspath(value) if isinstance(value, os.PathLike) else value
    if not isinstance(text, str) or not text:
        raise OptionError(name, value, "a text")
    return text


def _interval(name: str, value: Any) -> tuple[float, float]:
    numbers = isinstance(value, list | tuple) and len(value) == 2
    if numbers and all(isinstance(v, int | float) and math.isfinite(v) for v in value) and value[0] < value[1]:
        return (float(value[0]), float(value[1]))
    raise OptionError(name, value, "two times in seconds, the first before the second")


def _number_or(choices: tuple[str, ...], number: Check) -> OptionField:
    """Return an option that takes a list; each entry is a number or one of ``choices``."""

    def check(name: str, value: Any) -> Any:
        return check_choice(name, value, choices) if isinstance(value, str) else number(name, value)

    return OptionField("", default=(choices[0],), check=check, several=True)


def _one_of(choices: tuple[str, ...], several: bool = False) -> OptionField:
    return OptionField("", default=(choices[0],) if several else choices[0], choices=choices, several=several)


YES = OptionField("", kind="bool", default=True)
TEXT = OptionField("", default=None, check=_text)
NUMBER = OptionField("", default=None, check=above(0))
FILES = ("model", "motion", "external_loads", "masses", "reference")
TRIAL = {
    "setup": replace(TEXT, default=REQUIRED),
    **dict.fromkeys(("id", "subject", "condition", *FILES), TEXT),
    "trials": replace(TEXT, several=True),
    "events": OptionField("", default=None, check=_interval),
    **dict.fromkeys(("height", "body_mass"), NUMBER),
}
_SHARED = {name: {k: e for k, e in entries_of(*SHARED[name]).items() if not e.only} for name in SHARED}
#: Sections of a file with their keys.
SECTIONS: dict[str, dict[str, OptionField]] = {
    "grid": {
        "strain": _one_of(STRAINS, several=True),
        "placement": _number_or(tuple(PLACES), between(0, 1)),
        "wrapping": _one_of(WRAPPINGS, several=True),
        "cutoff": _number_or(CUTOFFS, above(0)),
    },
    "masses": {**_SHARED["masses"], **dict.fromkeys(("table", "reference"), TEXT)},
    "options": {
        **entries_of(ModelOptions, only=("distribution", "points")),
        **entries_of(Wrapping, only=("smoothing",)),
        **entries_of(Recording, only=("assemble", "as_recorded", "interpolate_jumps", "strict")),
        **entries_of(Answers),
        **{key: entry for key, entry in entries_of(Wobble).items() if not entry.only},
    },
    "recruitment": {
        "criterion": _one_of(tuple(CRITERIA)),
        **_SHARED["recruitment"],
        **entries_of(Recording, only=("accelerations",)),
    },
    "uncertainty": entries_of(Uncertainty),
    "curves": {
        "axis": replace(_one_of(("time", "cycle")), default=None),
        "points": OptionField("", default=101, check=whole(2, MOST_CURVE_POINTS)),
        "events": TEXT,
    },
    "cluster": {
        "scheduler": TEXT,
        "workers": OptionField("", default=None, check=whole(0, MOST_WORKERS)),
        "wait": replace(NUMBER, default=60.0),
    },
    "output": {"reports": _one_of(REPORTS), "pictures": YES, "csv": YES, "per_kg": replace(YES, default=False)},
}


def read_config(
    source: str | os.PathLike[str] | Mapping[str, Any], cluster: Mapping[str, Any] | None = None
) -> tuple[Section, Path, str]:
    """Return a study's checked configuration, the folder of the file, and a name for messages."""
    if isinstance(source, Mapping):
        table, path, where = dict(source), Path("study"), "study"
    else:
        table, path = read_toml(source, "study file")
        table, where = {"name": path.stem, **table}, path.name
    section = table.get("cluster", {})
    if cluster is not None and isinstance(section, Mapping):
        rest = {key: value for key, value in section.items() if key not in ("scheduler", "workers")}
        table["cluster"] = rest | dict(cluster)
    return _checked(table, where), path.absolute().parent, where


def _checked(table: dict[str, Any], where: str) -> Section:
    """Return a study's configuration with all sections checked and defaults added; ``where`` names its file."""
    names = {"name": replace(TEXT, default="study"), "out": TEXT}
    given = read_section(table, names | dict.fromkeys((*SECTIONS, "trial"), OptionField("")), where)
    trials = given.get("trial")
    if not trials:
        raise StudyError(f"{where}, [[trial]] is missing")
    if not isinstance(trials, list | tuple):
        raise StudyError(f"{where}, [[trial]] is {trials!r}; expected a list of tables")
    config = Section({key: given.get(key, entry.default) for key, entry in names.items()})
    config["trial"] = [_section(trial, TRIAL, f"{where}, [[trial]] number {k}") for k, trial in enumerate(trials, 1)]
    for name, entries in SECTIONS.items():
        config[name] = _section(given.get(name, {}), entries, f"{where}, [{name}]")
    if config.cluster.scheduler is not None and config.cluster.workers is not None:
        why = "has no effect where scheduler is given: the scheduler knows its workers"
        raise StudyError(f"{where}, [cluster]: workers {why}")
    options, place = config.options, f"{where}, [options]"
    try:
        Recording.of(options | {"motion": ""})
    except OptionError as error:
        raise StudyError(f"{place}: {error.option} is true; expected {error.expected}") from error
    for key, entry in entries_of(Wobble).items():
        if key in options and options[key] != entry.asked_default and not options.wobble:
            raise StudyError(f"{place}: {key} is {options[key]!r}; expected only where wobble is true")
    return config


def _section(given: Any, entries: Mapping[str, OptionField], place: str) -> Section:
    """Return the checked values of a configuration section, with defaults for missing keys."""
    values = read_section(given, entries, place)
    for key, entry in entries.items():
        if entry.default is REQUIRED and key not in values:
            raise StudyError(f"{place}, {key} is missing")
        default = entry.asked_default
        values.setdefault(key, list(default) if isinstance(default, tuple) else default)
    return Section(values)
