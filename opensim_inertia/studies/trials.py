"""The trials of a study: setups found by their patterns, each with a name, a subject and a condition."""

from __future__ import annotations

import csv
import glob
import math
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from .._core.checks import check_file
from .._core.errors import FileFormatError, InertiaError, StudyError, UnknownNameError, first_of, listed, nearest_file
from ..files.trial_folders import folder_trials
from ..options.masses import MassOptions

if TYPE_CHECKING:
    from .config import Section

__all__ = ["Trial", "read_trials"]

#: What a pattern's parts match: parts of a path without separators, or with them.
WILD = {"**/": "(?:(.*)/)?", "*": "([^/]*)", "?": "([^/])"}
PART = re.compile(r"\*\*/|\*|\?|\[[^\]]+\]")
#: Columns of a table of events.
COLUMNS = ("trial", "start", "end")


@dataclass(frozen=True)
class Trial:
    """One recorded motion of a study; paths are absolute."""

    id: str  # which no other trial has
    subject: str
    condition: str
    setup: str  # or the motion where there is no setup
    events: tuple[float, float] | None  # start and end of the cycle [s]
    model: str | None  # in place of the setup's, as the next two
    motion: str | None
    external_loads: str | None
    masses: MassOptions

    @property
    def labels(self) -> tuple[str, str, str]:
        """Its name, subject and condition."""
        return self.id, self.subject, self.condition


def read_trials(config: Section, folder: Path, where: str) -> list[Trial]:
    """Return the trials of a study."""
    trials: list[Trial] = []
    by_id: dict[str, str] = {}
    for number, section in enumerate(config.trial, 1):
        place = f"{where}, [[trial]] number {number}"
        setups = list(_setups(section.setup, folder, place))
        masses = _masses(config.masses, section, folder, place)
        replaced = {
            what: _file(getattr(section, what), what.replace("_", " "), folder, place)
            for what in ("model", "motion", "external_loads")
        }
        for setup, fields, found in setups:
            name = _filled(section.id or fields["name"], fields, place)
            if name in by_id:
                raise StudyError(
                    f"{place}: a trial called '{name}' is there already, of {by_id[name]}; give each an id of its own"
                    + (', for instance id = "{folder}_{stem}"' if section.id else "")
                )
            by_id[name] = setup
            subject = _filled(section.subject or name, fields, place)
            condition = _filled(section.condition or "all", fields, place)
            files = {what: path or found.get(what) for what, path in replaced.items()}
            trials.append(Trial(name, subject, condition, setup, section.events, masses=masses, **files))
    trials = _with_events(trials, config.curves.events, folder)
    if config.curves.axis == "cycle" and (without := [t.id for t in trials if t.events is None]):
        names = first_of((f"'{name}'" for name in without), 3)
        raise StudyError(
            f"{where}, [curves]: axis is 'cycle', and {names} {'has' if len(without) == 1 else 'have'} no events; give "
            "events = [start, end] of each trial, or a table of events"
        )
    return trials


def _setups(pattern: str, folder: Path, place: str) -> Iterator[tuple[str, Mapping[str, str], Mapping[str, str]]]:
    """Yield the absolute setup files that a path or a pattern names, or of folders the trials in them.

    Each comes with the fields of :func:`_fields`, and with files in place of the setup's.
    """
    if not glob.has_magic(pattern) or (folder / pattern).exists():
        path = _absolute(folder, pattern)
        if os.path.isdir(path):
            yield from _in_folder(path, Path(pattern), ())
            return
        yield str(check_file(path, f"setup file of {place}")), _fields(Path(pattern), ()), {}
        return
    expanded = os.path.expanduser(pattern)
    files = sorted(glob.glob(expanded, root_dir=folder, recursive=True))
    files = [file for file in files if os.path.isfile(folder / file)] or files
    if not files:
        parts = Path(expanded).parts
        plain = next(i for i, part in enumerate(parts) if glob.has_magic(part))
        near = nearest_file(folder.joinpath(*parts[: plain + 1]))
        raise StudyError(f"{place}: no setup file matches '{pattern}' in {folder}{near}")
    expression = _expression(Path(expanded).as_posix())
    for file in files:
        match = expression.fullmatch(Path(file).as_posix())
        groups = () if match is None else match.groups(default="")
        if os.path.isdir(folder / file):
            yield from _in_folder(_absolute(folder, file), Path(file), groups)
        else:
            yield _absolute(folder, file), _fields(Path(file), groups), {}


def _in_folder(
    path: str, named: Path, groups: Sequence[str]
) -> Iterator[tuple[str, Mapping[str, str], Mapping[str, str]]]:
    """Yield the trials of a folder as :func:`_setups` does; of one without setups the motions stand for them."""
    for trial in folder_trials(path):
        files = {"model": trial.model, "motion": trial.motion, "external_loads": trial.external_loads}
        found = {what: os.path.abspath(file) for what, file in files.items() if file is not None}
        setup = found["motion"] if trial.setup is None else os.path.abspath(trial.setup)
        yield setup, _fields(named / f"{trial.name}.xml", groups) | {"folder": Path(path).name}, found


def _expression(pattern: str) -> re.Pattern[str]:
    """Return a regular expression of a pattern, with a group for each wildcard."""
    text, end = "", 0
    for part in PART.finditer(pattern):
        text += re.escape(pattern[end : part.start()]) + WILD.get(part[0], f"({part[0].replace('[!', '[^')})")
        end = part.end()
    return re.compile(text + re.escape(pattern[end:]))


def _fields(path: Path, groups: Sequence[str]) -> dict[str, str]:
    """Return the texts that templates may name in braces: parts of a setup's path, and numbered wildcards."""
    name = "_".join(part for part in path.with_suffix("").parts if part not in ("..", path.anchor))
    return {"name": name, "stem": path.stem, "folder": path.absolute().parent.name} | {
        str(i): text for i, text in enumerate(groups, 1)
    }


def _filled(template: str, fields: Mapping[str, str], place: str) -> str:
    """Return a template in which each name in braces is replaced by its text; refuse a name that has none."""
    missing = [name for name in re.findall(r"\{(\w*)\}", template) if name not in fields]
    if missing:
        raise UnknownNameError("field", f"{{{missing[0]}}}", [f"{{{name}}}" for name in fields], place)
    return re.sub(r"\{(\w+)\}", lambda field: fields[field[1]], template)


def _absolute(folder: Path, path: str) -> str:
    return os.path.abspath(folder / os.path.expanduser(path))


def _file(path: str | None, what: str, folder: Path, place: str) -> str | None:
    return None if path is None else str(check_file(_absolute(folder, path), f"{what} of {place}"))


def _masses(shared: Section, trial: Section, folder: Path, place: str) -> MassOptions:
    """Return a trial's muscle masses: its own, else those of all trials; paths are absolute."""
    values = dict(shared) | {name: getattr(trial, name) or getattr(shared, name) for name in ("height", "body_mass")}
    values["masses"] = _file(trial.masses or shared.table, "mass table", folder, place)
    values["reference"] = _file(trial.reference or shared.reference, "reference file", folder, place)
    try:
        return MassOptions.of({name: value for name, value in values.items() if value not in (None, [])})
    except InertiaError as error:
        raise StudyError(f"{place}: {error}") from error


def _with_events(trials: list[Trial], table: str | None, folder: Path) -> list[Trial]:
    """Return trials with the events of a table; a trial's own come first."""
    if table is None:
        return trials
    path = check_file(_absolute(folder, table), "table of events")
    events: dict[str, tuple[float, float]] = {}
    with path.open(newline="", encoding="utf-8-sig") as file:
        rows = csv.DictReader(file)
        if missing := [name for name in COLUMNS if name not in (rows.fieldnames or ())]:
            raise FileFormatError(path, f"it has no column {listed(missing)}; expected columns {listed(COLUMNS)}")
        for row in rows:
            try:
                start, end = float(row["start"]), float(row["end"])
            except (TypeError, ValueError):
                start = end = math.nan
            if not -math.inf < start < end < math.inf:
                raise FileFormatError(path, f"line {rows.line_num}: expected two times in seconds, start before end")
            if row["trial"] not in {trial.id for trial in trials}:
                raise UnknownNameError("trial", row["trial"], [trial.id for trial in trials], str(path))
            events[row["trial"]] = (start, end)
    return [replace(trial, events=trial.events or events.get(trial.id)) for trial in trials]
