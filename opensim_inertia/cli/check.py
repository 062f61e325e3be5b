"""Find errors in a model, a motion and external loads, before anything is computed.

Every test of a model, a motion and external loads: impossible bodies and muscles, sides that differ, paths that jump,
coordinates in degrees, gaps, loads in other units or on other feet, and more. One table: each row has a finding, its
place and its cure.

INPUT is a model (.osim), or a setup of OpenSim's Inverse Dynamics Tool, Analyze Tool with a Static Optimization, or
Forward Tool; paths in a setup are relative to it. The exit code is 0 if nothing is worse than a note, 1 if there are
warnings (results would be doubtful), 2 if there are errors (results would mean nothing) or the command itself fails.

examples:
  opensim-inertia check model.osim
  opensim-inertia check setup_id.xml
  opensim-inertia check model.osim --motion walk.mot --external-loads grf.xml --json findings.json
  opensim-inertia check model.osim --repair repaired.osim
"""

from __future__ import annotations

import argparse
import math
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from .._core.checks import check_file
from .._core.choices import NO_ACTUATORS
from .._core.errors import FileFormatError, InertiaError, listed
from ..options.recording import Recording
from .arguments import add, add_motion, add_options, check_files
from .setup_files import add_unit, files_of, motion_as_said

if TYPE_CHECKING:
    from ..checks import CheckResult, Repair

#: Stands for standard output among files.
PRINTED = Path("-")

#: The exit code of each severity; a command that fails ends with 2 as well.
CODES = {None: 0, "note": 0, "warning": 1, "error": 2}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("input", type=Path, metavar="INPUT", help="a model (.osim) or a setup (.xml)")
    group = parser.add_argument_group("inputs, besides or instead of the setup's")
    add(group, "--model", "the model, instead of the setup's", "OSIM")
    add_motion(group)
    add_options(group, Recording, only=("time_range",))
    add_unit(group)
    text = "leave out slow tests: fibres and paths over the range of motion, segments lighter than muscles"
    add(group, "--quick", text)
    group = parser.add_argument_group("results")
    add(group, "--all", "a row for each finding; default: one for similar ones, two lines for notes")
    text = "write the findings as JSON; without FILE print them in place of the table"
    group.add_argument("--json", nargs="?", type=Path, const=PRINTED, metavar="FILE", help=text)
    text = "write the model with the nearest inertia that a body can have in place of each that none can; nothing else "
    add(group, "--repair", text + "in the file changes", "OSIM")


def check(args: argparse.Namespace) -> None:
    check_file(args.input, "file")
    if args.input.suffix.lower() == ".osim" and args.model is not None:
        raise InertiaError(f"--model has no effect here: {args.input} is a model itself")
    check_files(args, model="model", motion="motion file", external_loads="external loads file")


class _Inputs(NamedTuple):
    """The files to look at, and how they would be used: cut-off [Hz], times [s], and forces that do not act."""

    model: Path
    motion: Path | None = None
    loads: Path | None = None
    cutoff: float | None = None
    time_range: tuple[float, float] | None = None
    forces_to_exclude: tuple[str, ...] = NO_ACTUATORS


def run(args: argparse.Namespace) -> int:
    import json
    from dataclasses import asdict

    from .. import checks
    from .output import check_writable

    inputs = _inputs(args)
    outputs = [path for path in (args.json, args.repair) if path not in (None, PRINTED)]
    check_writable(outputs, [args.input, inputs.model, inputs.motion, inputs.loads])
    result = checks.check(
        inputs.model,
        None if inputs.motion is None else motion_as_said(inputs.motion, args),
        inputs.loads,
        cutoff=inputs.cutoff,
        time_range=inputs.time_range,
        thorough=not args.quick,
        forces_to_exclude=inputs.forces_to_exclude,
    )
    repairs = None if args.repair is None else checks.repair_model(inputs.model, args.repair)
    if args.json == PRINTED:
        repaired = {} if repairs is None else {"repairs": [asdict(repair) for repair in repairs]}
        print(json.dumps(result.to_dict() | repaired, indent=2, ensure_ascii=False))
    else:
        print(_described(result, args))
        if args.json is not None:
            result.to_json(args.json)
            print(f"\nwritten to {args.json}: the findings as JSON")
        if repairs is not None:
            print(f"\n{_repaired(repairs, args.repair, result)}")
    return CODES[result.worst]


def _inputs(args: argparse.Namespace) -> _Inputs:
    """Return the files that the setup, the model and the options name; check that they exist."""
    named = _named(args.input)
    model, motion, loads = files_of(args, args.input, named.model, named.motion, named.loads)
    assert model is not None
    times = tuple(args.time_range) if "time_range" in args else named.time_range
    return named._replace(model=model, motion=motion, loads=loads, time_range=times)


def _named(path: Path) -> _Inputs:
    """Return the files that a setup names, or the model that a file is."""
    from ..files.setups import read_forward_setup, read_inverse_dynamics_setup, read_static_optimization_setup

    if path.suffix.lower() == ".osim":
        return _Inputs(path)
    tag = _tag(path)
    if tag == "Model":
        return _Inputs(path)
    cutoff, excluded = None, NO_ACTUATORS
    if tag == "InverseDynamicsTool":
        inverse = read_inverse_dynamics_setup(path)
        cutoff, excluded = inverse.cutoff, inverse.forces_to_exclude
        files = inverse.model_file, inverse.coordinates_file, inverse.external_loads_file, inverse.time_range
    elif tag == "AnalyzeTool":
        static = read_static_optimization_setup(path).following()
        cutoff = static.cutoff
        files = static.model_file, static.coordinates_file, static.external_loads_file, static.time_range
    elif tag == "ForwardTool":
        forward = read_forward_setup(path)
        files = forward.model_file, None, forward.external_loads_file, forward.time_range
    else:
        expected = "a model, or a setup of the InverseDynamicsTool, the AnalyzeTool or the ForwardTool"
        raise FileFormatError(path, f"it holds <{tag}>; expected {expected}")
    model, motion, loads, times = files
    if model is None:
        raise FileFormatError(path, "it names no model; give one with --model")
    has_times = math.isfinite(times[0]) or math.isfinite(times[1])
    return _Inputs(model, motion, loads, cutoff, times if has_times else None, excluded)


def _tag(path: Path) -> str:
    """Return the tag of what an OpenSim document holds."""
    from xml.etree import ElementTree

    try:
        root = ElementTree.parse(path).getroot()
    except ElementTree.ParseError as error:
        raise FileFormatError(path, f"is not a well-formed XML file: {error}") from error
    except (OSError, ValueError, LookupError) as error:
        raise FileFormatError(path, f"cannot be read: {getattr(error, 'strerror', None) or error}") from error
    return next((child.tag for child in root), root.tag) if root.tag == "OpenSimDocument" else root.tag


def _described(result: CheckResult, args: argparse.Namespace) -> str:
    """Return the inputs and the findings."""
    import shutil

    width = min(max(shutil.get_terminal_size((100, 24)).columns, 60), 120)
    files = "\n".join(f"{what}: {path}" for what, path in result.inputs.items())
    return f"{files}\n\n{result.table(width, args.all)}"


def _repaired(repairs: list[Repair], path: Path, result: CheckResult) -> str:
    """Return the inertias that were replaced, old and new, and the findings that stay, as text."""
    from ..checks.bodies import REPAIR
    from .output import columns, wrapped

    stay = dict.fromkeys(f.check for f in result.findings if f.severity != "note" and f.cure != REPAIR)
    others = f"\n\n{wrapped(f'not repaired, see the cures above: {listed(list(stay))}')}" if stay else ""
    if not repairs:
        return f"written to {path}: no inertia had to be replaced, it is a copy{others}"
    rows = [["body", "", "xx", "yy", "zz", "xy", "xz", "yz"]]
    for repair in repairs:
        rows.append([repair.body, "old", *(f"{number:.6g}" for number in repair.before)])
        rows.append(["", "new", *(f"{number:.6g}" for number in repair.after)])
    note = (
        "inertia about the centre of mass [kg m^2]; new: the nearest of a body of the same mass and centre that is at "
        "least 5 mm thick (root mean square), or a tenth of its length"
    )
    written = f"written to {path}: the model with new inertias{others}"
    return f"{columns(rows, left=(0, 1))}\n\n{wrapped(note)}\n\n{written}"
