"""Find errors in a model, a motion and external loads before computing.

Checks find impossible bodies and muscles, differences between sides, paths that jump, coordinates in degrees, gaps,
loads in other units or on the wrong foot, and more. The table lists each finding with its place and remedy.

INPUT is a model (.osim), or a setup of OpenSim's Inverse Dynamics Tool, Analyze Tool with a Static Optimization, or
Forward Tool; paths in a setup are relative to it. The exit code is 0 without warnings, 1 after warnings (results would
be doubtful), 2 after errors (results would be meaningless) or if the command itself fails.

examples:
  opensim-inertia check model.osim
  opensim-inertia check setup_id.xml
  opensim-inertia check model.osim --motion walk.mot --external-loads grf.xml --json findings.json
  opensim-inertia check model.osim --repair repaired.osim
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from .._core.checks import file_content
from .._core.choices import NO_ACTUATORS
from .._core.errors import FileFormatError, InertiaError, listed
from ..options.recording import Recording
from .arguments import add, add_motion, add_options, add_unit, existing, files_of, is_model, motion_as_said
from .output import check_writable, columns, wrapped

if TYPE_CHECKING:
    from ..checks.checking import CheckResult
    from ..checks.document import Repair
    from ..files.setups import ToolSetup

#: Placeholder for standard output.
PRINTED = Path("-")

#: Exit codes by severity; 2 also for failures of the command.
CODES = {None: 0, "note": 0, "warning": 1, "error": 2}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add(parser, "input", "a model (.osim) or a setup (.xml)", "INPUT", Path, check=existing("file"))
    group = parser.add_argument_group("inputs, besides or instead of the setup's")
    add(group, "--model", "the model, instead of the setup's", "OSIM", check=is_model)
    add_motion(group)
    add_options(group, Recording, only=("time_range",))
    add_unit(group)
    add(group, "--quick", "leave out slow tests, as of fibres and paths over the range of motion")
    group = parser.add_argument_group("results")
    add(group, "--all", "a row for each finding; default: one for similar ones, two lines for notes")
    text = "write the findings as JSON; without FILE print them in place of the table"
    group.add_argument("--json", nargs="?", type=Path, const=PRINTED, metavar="FILE", help=text)
    add(group, "--repair", "write the model with possible inertias in place of impossible ones", "OSIM")


def check(args: argparse.Namespace) -> None:
    if args.input.suffix.lower() == ".osim" and args.model is not None:
        raise InertiaError(f"--model has no effect here: {args.input} is a model itself")


def run(args: argparse.Namespace) -> int:
    import json
    import shutil
    from dataclasses import asdict

    from ..checks import checking, document

    setup = _setup(args)
    named = [args.input, None, None]
    if setup is not None:
        named = [setup.model_file, getattr(setup, "coordinates_file", None), setup.external_loads_file]
    model, motion, loads = files_of(args, args.input, *named)
    assert model is not None
    times = getattr(args, "time_range", (-math.inf, math.inf) if setup is None else setup.time_range)
    outputs = [path for path in (args.json, args.repair) if path not in (None, PRINTED)]
    check_writable(outputs, [args.input, model, motion, loads])
    result = checking.check(
        model,
        None if motion is None else motion_as_said(motion, args),
        loads,
        cutoff=getattr(setup, "cutoff", None),
        time_range=(times[0], times[1]) if any(map(math.isfinite, times)) else None,
        thorough=not args.quick,
        forces_to_exclude=getattr(setup, "forces_to_exclude", NO_ACTUATORS),
    )
    repairs = None if args.repair is None else document.repair_model(model, args.repair)
    if args.json == PRINTED:
        repaired = {} if repairs is None else {"repairs": [asdict(repair) for repair in repairs]}
        print(json.dumps(result.to_dict() | repaired, indent=2, ensure_ascii=False))
    else:
        width = min(max(shutil.get_terminal_size((100, 24)).columns, 60), 120)
        print("\n".join(f"{what}: {path}" for what, path in result.inputs.items()))
        print(f"\n{result.table(width, args.all)}")
        if args.json is not None:
            result.to_json(args.json)
            print(f"\nwritten to {args.json}: the findings as JSON")
        if repairs is not None:
            print(f"\n{_repaired(repairs, args.repair, result)}")
    return CODES[result.worst]


def _setup(args: argparse.Namespace) -> ToolSetup | None:
    from ..files.documents import parse_document
    from ..files.setups import read_forward_setup, read_inverse_dynamics_setup, read_static_optimization_setup

    readers: dict[str, Callable[[Path], ToolSetup]] = {
        "InverseDynamicsTool": read_inverse_dynamics_setup,
        "AnalyzeTool": lambda path: read_static_optimization_setup(path).following(),
        "ForwardTool": read_forward_setup,
    }
    read = readers.get(file_content(args.input)[0])
    if read is None:
        if args.input.suffix.lower() != ".osim":
            parse_document(args.input, "Model", f"a model, or a setup of the {', '.join(readers)}")
        return None
    setup = read(args.input)
    if setup.model_file is None and args.model is None:
        raise FileFormatError(args.input, "it names no model; give one with --model")
    return setup


def _repaired(repairs: list[Repair], path: Path, result: CheckResult) -> str:
    from ..checks.bodies import REPAIR

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
