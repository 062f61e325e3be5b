"""Share the moments of a motion among the muscles: activations, forces and joint reactions.

Results with muscle mass that slides along its paths are compared with results for lumped mass.

SETUP.xml is an unchanged setup of OpenSim's Analyze Tool with a Static Optimization, a Joint Reaction or both, or one
of the Inverse Dynamics, RRA or CMC Tool, for its motion; paths in it are relative to the file. Without a setup, give
--model and --motion. Without an Analyze Tool, accelerations are those of 'opensim-inertia id' by default (see
--accelerations), and --actuators, --reserves or --free must carry forces that muscles cannot, such as pelvis forces.

Output: activations, forces and joint reactions (.sto, with OpenSim's names), a summary (.csv) and pictures. DAQP is
required: pip install "opensim_inertia[recruitment]".

examples:
  opensim-inertia recruit setup_static_optimization.xml
  opensim-inertia recruit setup_id.xml --free base --joints hip_r knee_r
  opensim-inertia recruit --model scaled.osim --motion walk.mot --external-loads grf.xml --cutoff 6 --free base
  opensim-inertia recruit setup.xml --criterion min_max --masses masses.csv --out results
  opensim-inertia recruit setup.xml --power 3 --reserves 10 --joints hip_r knee_r --workers 4
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING

from .._core.checks import file_content
from .._core.choices import KINDS
from .._core.errors import OptionError
from .._core.options import whole
from .._core.workers import MOST_WORKERS
from ..options.recording import Answers, Recording
from . import arguments
from .arguments import add, add_options
from .output import Results, inputs_of

if TYPE_CHECKING:
    from .._core.choices import Accelerations, ReactionFrame, Side
    from ..files.setups import StaticOptimizationSetup

#: Descriptions of files.
CONTENTS = {
    "activation": "activations and controls of all actuators",
    "force": "their forces",
    "reactions": "joint reactions",
    "picture of plot": "picture of activations and of the envelope of all muscles",
    "picture of bounds": "picture of the bounds that are active, and when",
    "summary": "each actuator's largest control and force, and the change by muscle inertia",
    "status": "the solver's status of each row",
    "masses": "the masses, donor segments and bellies that were used",
    "run": "versions, options, inputs and warnings of this run",
    "report": arguments.REPORT,
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from ..options.recruitment import CRITERIA, Actuation, RecruitmentOutputs

    arguments.add_setup(parser, "Analyze Tool or Inverse Dynamics Tool")
    group = parser.add_argument_group("recruitment")
    add(group, "--criterion", "function of the activations to minimise", choices=tuple(CRITERIA))
    add_options(group, *CRITERIA.values())
    add_options(group, Actuation)
    text = "how muscle mass is treated; the first one's files have OpenSim's names (default: inertial lumped)"
    group.add_argument("--kind", nargs="+", choices=KINDS, default=["inertial", "lumped"], help=text)
    add_options(group, RecruitmentOutputs)
    arguments.add_inertial(parser)
    group = arguments.add_replacements(parser)
    add_options(group, Recording, only=("accelerations",))
    group = parser.add_argument_group("results")
    add(group, "-o, --out", "folder (default: the setup's results_directory, or here)", "DIR")
    text = "processes that share the rows (default: all processors where rows take long)"
    add(group, "--workers", text, "N", int, check=whole(1, MOST_WORKERS))
    add_options(group, Recording, only=("strict",))
    arguments.add_picture(group)
    arguments.add_report(group)


def check(args: argparse.Namespace) -> None:
    from ..options.recruitment import CRITERIA, Actuation, RecruitmentOutputs

    arguments.check_inertial(args)
    arguments.check_setup(args)
    if isinstance(reserves := getattr(args, "reserves", None), list):
        if len(reserves) > 1 and None in dict(reserves):
            given = [f"{name}={strength:g}" if name else f"{strength:g}" for name, strength in reserves]
            raise OptionError("reserves", given, "one number, or COORDINATE=X for each that has a reserve")
        args.reserves = dict(reserves).get(None, dict(reserves))
    CRITERIA[args.criterion].of(vars(args))
    Actuation.of(vars(args))
    RecruitmentOutputs.of(vars(args))


def run(args: argparse.Namespace) -> None:
    from ..analyses.recruitment import recruit
    from ..analyses.recruitment.recruitment_result import result_files
    from ..checks.recordings import solve_checked
    from ..files.setups import ALL as ALL_JOINTS
    from ..opensim_model.setups.driven_model import load_for_recruitment
    from ..options.recruitment import CRITERIA, Actuation, RecruitmentOutputs
    from ..plotting import plot_activations, plot_bounds

    setup, accelerations = _setup(args)
    kinds, prefix = tuple(dict.fromkeys(args.kind)), f"{setup.name}_"
    names = result_files(kinds[0], kinds, bool(setup.reactions))
    pictures = {} if args.picture is None else {"plot": plot_activations, "bounds": plot_bounds}
    names |= {f"picture of {what}": f"{what}.{args.picture}" for what in pictures}
    names |= {"report": "report.html"} if args.report else {}
    files = {}
    for what, name in names.items():
        kind, _, rest = what.partition(" ")
        files[what] = (prefix + name, CONTENTS.get(what) or f"{CONTENTS[rest]}, muscle mass {kind}")
    inputs = [setup.model_file, setup.coordinates_file, setup.speeds_file, setup.external_loads_file]
    folder = args.out if args.out is not None else setup.results_directory
    results = Results(folder, files, inputs_of(args, *inputs, *setup.force_set_files))
    assert setup.model_file is not None and setup.coordinates_file is not None
    inertial = arguments.prepare(load_for_recruitment(setup, args.setup), args)
    values = vars(args) | setup.recording | setup.recruitment
    values["accelerations"] = getattr(args, "accelerations", setup.speeds_file or accelerations)
    criterion = CRITERIA[args.criterion].of(values)
    arguments.announce_report(args, inertial, setup.coordinates_file)
    print(f"motion {setup.coordinates_file.name}, criterion {criterion.in_words}\n", flush=True)
    recording = arguments.recording_of(setup, args, values)
    result = solve_checked(
        recruit,
        inertial,
        recording,
        criterion=criterion,
        actuation=Actuation.of(values),
        kind=kinds,
        outputs=RecruitmentOutputs.of(values),
        implausible=Answers.of(values).implausible,
        workers=args.workers,
    )
    reactions: list[tuple[str, Side, ReactionFrame]] = []
    for joint, on, frame in setup.reactions:
        every = joint.lower() == ALL_JOINTS and joint not in result.joints
        reactions += [(name, on, frame) for name in (result.joints if every else (joint,))]
    with results.staged() as places:
        result.save(places["run"].parent, prefix, reactions)
        for what, draw in pictures.items():
            draw(result, places[f"picture of {what}"])
        if args.report:
            arguments.write_report(result, places["report"], inertial, args)
    arguments.print_result(result)
    results.announce()


def _setup(args: argparse.Namespace) -> tuple[StaticOptimizationSetup, Accelerations]:
    """Return the setup after replacing entries by arguments, and the kind of data to derive accelerations from."""
    from ..files.setups import (
        plain_inverse_dynamics,
        plain_static_optimization,
        read_inverse_dynamics_setup,
        read_static_optimization_setup,
    )

    accelerations: Accelerations = "coordinates"
    if args.setup is None:
        setup = plain_static_optimization(plain_inverse_dynamics(args.model, args.motion))
    elif file_content(args.setup)[0] in ("InverseDynamicsTool", "RRATool", "CMCTool"):
        setup = plain_static_optimization(read_inverse_dynamics_setup(args.setup))
    else:
        setup, accelerations = read_static_optimization_setup(args.setup), "speeds"
    setup = arguments.with_options(setup.following(args.motion), args)
    if setup.speeds_file is not None:
        arguments.check_exists(setup.speeds_file, "speeds", None)
    given = getattr(args, "actuators", None)
    actuators = setup.force_set_files if given is None else tuple(given)
    for file in actuators:
        arguments.check_exists(file, "actuators", None if given else "--actuators")
    replaced = replace(
        setup,
        force_set_files=actuators,
        every=getattr(args, "every", setup.every),
        power=getattr(args, "power", setup.power),
        reactions=tuple((joint, "child", "ground") for joint in getattr(args, "joints", ())) or setup.reactions,
    )
    return replaced, accelerations
