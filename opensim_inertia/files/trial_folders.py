"""Folders of trials as AddBiomechanics, OpenCap and Pose2Sim write them, and files that a setup names elsewhere."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PureWindowsPath

from .._core.checks import check_names, file_content
from .._core.errors import FileFormatError, first_of

#: AddBiomechanics' setups of inverse dynamics; those that end in ``_raw`` take its forces as measured.
SETUPS = "_id_setup.xml"
#: How the names of motions end; tables of the second kind are results, too, and are motions where there is no other.
MOTIONS = (".mot", ".sto")
#: Models that AddBiomechanics writes beside the one that motions are of.
GENERIC = "unscaled_"
#: Ends of motions' names that are no part of the trial's.
MOTION_END = re.compile(r"_ik$", re.IGNORECASE)
DATA = re.compile(rb"<datafile>\s*([^<]*?)\s*</datafile>")
COORDINATE = re.compile(rb'<Coordinate\s+name="([^"]+)"')
LABELS = re.compile(rb"^\s*time\s.*$", re.IGNORECASE | re.MULTILINE)
#: Bytes of a table in which its labels are looked for.
BEGINNING = 2**16
MOST_NAMED = 4


@dataclass(frozen=True)
class FolderTrial:
    """A trial of a folder: its setup, or its files."""

    name: str
    setup: Path | None = None
    model: Path | None = None
    motion: Path | None = None
    external_loads: Path | None = None


def folder_trials(
    folder: str | os.PathLike[str], names: Iterable[str] = (), model: Path | None = None
) -> list[FolderTrial]:
    """Return the trials of a folder: setups of inverse dynamics (AddBiomechanics), or motions with a model.

    That is the model of the motion's name (Pose2Sim), else the only one (OpenCap). Loads have the trial's name as a
    word, or are the only ones of a folder with one trial.
    """
    folder = Path(folder)
    files = sorted(file for file in folder.rglob("*") if file.is_file() and not file.name.startswith("."))
    documents = {file: file_content(file)[0] for file in files if file.suffix.lower() == ".xml"}
    setups = [file for file, tag in documents.items() if tag == "InverseDynamicsTool"]
    setups = [file for file in setups if file.name.endswith(SETUPS)] or setups
    trials = [FolderTrial(file.name.removesuffix(SETUPS).removesuffix(".xml"), file) for file in setups]
    if not trials:
        loads = [file for file, tag in documents.items() if tag == "ExternalLoads"]
        trials = _without_setups(folder, files, loads, model)
    by_name = {trial.name: trial for trial in trials}
    if len(by_name) < len(trials):
        by_name = {(trial.setup or trial.motion or folder).relative_to(folder).as_posix(): trial for trial in trials}
    check_names("trial", names, by_name, str(folder))
    return [by_name[name] for name in (names or by_name)]


def _without_setups(folder: Path, files: list[Path], all_loads: list[Path], model: Path | None) -> list[FolderTrial]:
    """Return a trial for each motion."""
    models = [file for file in files if file.suffix.lower() == ".osim" and not file.name.startswith(GENERIC)]
    names = {name for file in (models if model is None else [model]) for name in COORDINATE.findall(file.read_bytes())}
    data = {PureWindowsPath(name.decode()).name for file in all_loads for name in DATA.findall(file.read_bytes())}
    tables = [file for file in files if file.suffix.lower() in MOTIONS and file.name not in data]
    of_kind = ([f for f in tables if f.suffix.lower() == kind and names & _labels(f)] for kind in MOTIONS)
    motions = next(filter(None, of_kind), [])
    if not motions:
        there = "it has neither a setup of inverse dynamics (.xml) nor a motion (.mot, .sto) with a model (.osim)"
        raise FileFormatError(folder, there)
    trials = []
    for motion in motions:
        name = MOTION_END.sub("", motion.stem)
        own = [file for file in models if file.stem == motion.stem] or models
        if model is None and len(own) != 1:
            listing = first_of((file.relative_to(folder).as_posix() for file in own), MOST_NAMED)
            there = f"it has several models ({listing})" if own else "it has no model"
            raise FileFormatError(folder, f"{there}; say which one by --model")
        word = re.compile(rf"(?<![^\W_]){re.escape(name)}(?![^\W_])")
        loads = [file for file in all_loads if word.search(file.stem)] or (all_loads if len(motions) == 1 else [])
        trials.append(FolderTrial(name, None, model or own[0], motion, loads[0] if len(loads) == 1 else None))
    return trials


def _labels(file: Path) -> set[bytes]:
    """Return the labels of a table; of paths of states the coordinate's name."""
    with file.open("rb") as table:
        line = LABELS.search(table.read(BEGINNING))
    words = [] if line is None else line[0].split()
    return {word.removesuffix(b"/value").rpartition(b"/")[2] for word in words}


def file_beside(setup: Path, missing: Path) -> Path | None:
    """Return the only file of a missing file's name in the setup's folder, those in it, or the ones above; or None."""
    name, here = PureWindowsPath(missing.name).name, Path(os.path.abspath(setup)).parent
    for pattern in ("", "*", "..", "../*"):
        found = [here / file for file in glob.glob(os.path.join(pattern, glob.escape(name)), root_dir=here)]
        if found:
            return Path(os.path.normpath(found[0])) if len(found) == 1 else None
    return None
