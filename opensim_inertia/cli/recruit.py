"""``opensim-inertia recruit``: muscle recruitment from a setup file of OpenSim's Static Optimization."""

from __future__ import annotations

import argparse
from dataclasses import replace

from .._core.opensim import quiet
from ..analyses.recruitment import RecruitmentResult, recruit
from ..analyses.recruitment.saving import result_files
from ..files import StaticOptimizationSetup, read_static_optimization_setup
from ..files.static_setup import ALL as ALL_JOINTS
from ..opensim_model.setups.force_sets import load_for_recruitment
from ..options import Actuation, Recording, RecruitmentOutputs
from ..options.recruitment import CRITERIA
from .output import REPORT, check_writable, staged
from .preparing import prepare
from .setup_files import check_exists, with_options
from .text import describe_model, describe_notes, file_list

__all__ = ["run"]

#: What each file holds.
CONTENTS = {
    "activation": "activations and controls of all actuators",
    "force": "their forces",
    "reactions": "joint reactions",
    "reaction plot": "picture of joint reactions",
    "plot": "picture of activations and of the envelope of all muscles",
    "bounds": "picture of the bounds that are active, and when",
    "summary": "each actuator's largest control and force, and what muscle inertia changes",
    "status": "what became of each row",
    "masses": "the masses, donor segments and bellies that were used",
    "run": "versions, options, inputs and warnings of this run",
    "report": REPORT,
}


def run(args: argparse.Namespace) -> None:
    """Run the command."""
    setup = _with_options(read_static_optimization_setup(args.setup), args)
    folder, prefix = args.out if args.out is not None else setup.results_directory, f"{setup.name}_"
    kinds = tuple(dict.fromkeys(args.kind))
    names = result_files(kinds[0], kinds, bool(setup.reactions), args.picture)
    files = {what: folder / (prefix + name) for what, name in names.items()}
    if args.report:
        files["report"] = folder / f"{prefix}report.html"
    inputs = [args.setup, args.masses, args.reference, setup.model_file, setup.coordinates_file, setup.speeds_file]
    check_writable(files.values(), [*inputs, setup.external_loads_file, *setup.force_set_files])
    assert setup.model_file is not None and setup.coordinates_file is not None
    with quiet():
        model = load_for_recruitment(setup, args.setup)
    prepared = prepare(model, args)
    values = vars(args) | setup.recording | setup.recruitment | {"reserves": _reserves(args)}
    criterion = CRITERIA[args.criterion].of(values)
    print(describe_model(prepared))
    print(f"motion {setup.coordinates_file.name}, criterion {criterion.in_words}\n", flush=True)
    with quiet():
        result = recruit(
            prepared.inertial,
            Recording.of(values),
            criterion=criterion,
            actuation=Actuation.of(values),
            kind=kinds,
            outputs=RecruitmentOutputs.of(values),
            implausible=args.implausible,
            workers=args.workers,
        )
    with staged(folder) as staging:
        result.save(staging, prefix, args.picture, _reactions(setup, result))
        if args.report:
            with quiet():
                result.report(staging / files["report"].name, prepared.inertial, args.geometry)
    print(result.summary())
    if result.motion is not None and result.notes:
        print(describe_notes(result.motion.findings))
    print(f"\nwritten to {folder}:")
    print(file_list({_content(what): path for what, path in files.items()}))


def _with_options(setup: StaticOptimizationSetup, args: argparse.Namespace) -> StaticOptimizationSetup:
    """Return the setup with what the options replace; check that its files exist."""
    setup = with_options(setup.following(args.motion), args)
    if setup.speeds_file is not None:
        check_exists(setup.speeds_file, "speeds", None)
    given = getattr(args, "actuators", None)
    actuators = setup.force_set_files if given is None else tuple(given)
    for file in actuators:
        check_exists(file, "actuators", None if given else "--actuators")
    return replace(
        setup,
        force_set_files=actuators,
        every=getattr(args, "every", setup.every),
        power=getattr(args, "power", setup.power),
        reactions=tuple((joint, "child", "ground") for joint in getattr(args, "joints", ())) or setup.reactions,
    )


def _reserves(args: argparse.Namespace) -> float | dict[str, float] | None:
    """Return one strength for all coordinates, or strengths by coordinate."""
    strengths = dict(args.reserves or ())
    return strengths.get(None, strengths) if strengths else None


def _reactions(setup: StaticOptimizationSetup, result: RecruitmentResult) -> list[tuple[str, str, str]]:
    """Return joint, body and axes of each reaction that is written."""
    wanted = []
    for joint, on, frame in setup.reactions:
        every = joint.lower() == ALL_JOINTS and joint not in result.joints
        wanted += [(name, on, frame) for name in (result.joints if every else (joint,))]
    return wanted


def _content(what: str) -> str:
    if what in CONTENTS:
        return CONTENTS[what]
    kind, _, rest = what.partition(" ")
    return f"{CONTENTS[rest]}, muscle mass {kind}"
