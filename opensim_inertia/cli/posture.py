r"""Find a posture in equilibrium: activations, modes, and the share of activation patterns that are stable.

A model with muscle mass along the paths is brought to equilibrium and linearised there with all muscle states. Output:
modes, and the share of stable activation patterns over intrinsic stiffness. Patterns are those of the model with rigid
tendons and without activation dynamics. DAQP is required: pip install "opensim_inertia[recruitment]".

examples:
  opensim-inertia posture arm26.osim --at r_shoulder_elev=10deg r_elbow_flex=70deg
  opensim-inertia posture leg.osim --at knee_angle_r=-20deg --lock pelvis_tx pelvis_ty pelvis_tilt lumbar_extension \
      --push calcn_r=0.12,0,0,0,350,0 --out standing
  opensim-inertia posture arm26.osim --at r_elbow_flex=70deg --patterns 10000 --stiffness 0 1 2 3
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from .._core.checks import check_names, silenced
from .._core.choices import COSTS
from .._core.errors import OptionError
from .._core.options import at_least, whole
from .._core.warnings import InertiaWarning
from . import arguments
from .arguments import add, add_inertial, add_model, add_picture, check_inertial, prepare
from .output import Results, columns, inputs_of, wrapped

if TYPE_CHECKING:
    from .._core.opensim import osim
    from ..analyses.stability import Linearization, Posture, StableShare

ALIASES = {"hold_base": "free_base", "coordinates": "at", "point_forces": "push", "stiffnesses": "stiffness"}
MOST_PATTERNS = 1_000_000
STIFFNESSES = [0.5 * i for i in range(11)]

PREFIX = "posture_"
FILES = {
    "activations": (f"{PREFIX}activations.csv", "activation, force and fibre length of each muscle"),
    "state": (f"{PREFIX}state.sto", "the state, for OpenSim's GUI and tools"),
    "eigenvalues": (f"{PREFIX}eigenvalues.csv", "eigenvalue, frequency, damping and doubling time of each mode"),
    "modes": (f"{PREFIX}modes.csv", "changes of the state variables in each mode"),
    "masses": (f"{PREFIX}masses.csv", "the masses, donor segments and bellies that were used"),
    "run": (f"{PREFIX}run.json", "versions, options, the posture and warnings of this run"),
    "share": (f"{PREFIX}share.csv", "share of stable activation patterns over intrinsic stiffness"),
}
PICTURES = {
    "modes": "picture of the modes that grow fastest",
    "share": "picture of the share over intrinsic stiffness",
}
MOST_SHOWN = 12
#: Options in the run's record.
ASKED = ("cost", "intrinsic_stiffness", "patterns", "stiffness", "seed", "lock", "free_base")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_model(parser)
    group = parser.add_argument_group("the posture")
    text = "values of coordinates [rad or m], or as 20deg; the others are at their defaults"
    add(group, "--at", text, "COORDINATE=X...")
    add(group, "--lock", "coordinates that are locked", "COORDINATE...")
    add(group, "--free-base", "do not hold a base, such as a pelvis, on which nothing but gravity acts")
    text = "force on a body: the point in its frame [m], and the force in ground [N]"
    add(group, "--push", text, "BODY=X,Y,Z,FX,FY,FZ...")
    add(group, "--cost", "of which squares make the least sum", choices=COSTS)
    text = "of active fibres to short stretches, in the modes [Fmax / lopt]"
    add(group, "--intrinsic-stiffness", text, "G", float, default=0.0, check=at_least(0))
    group = parser.add_argument_group("activation patterns")
    add(group, "--patterns", "how many; 0 for none", "N", int, default=1000, check=whole(0, MOST_PATTERNS))
    text = "intrinsic stiffnesses [Fmax / lopt] (default: 0 to 5 in steps of 0.5)"
    add(group, "--stiffness", text, "G...", float, check=at_least(0))
    add(group, "--seed", "of the random numbers", "N", int, default=0, check=whole(0, 2**63))
    add_inertial(parser, accelerations=True)
    group = parser.add_argument_group("results")
    add(group, "-o, --out", "folder (default: MODEL_posture)", "DIR")
    add(group, "--modes", "modes that are drawn", "N", int, default=4, check=whole(1, 40))
    add_picture(group)


def check(args: argparse.Namespace) -> None:
    check_inertial(args)
    args.stiffness = args.stiffness or STIFFNESSES
    args.degrees = {entry.partition("=")[0] for entry in args.at if entry.endswith("deg")}
    at = (arguments.named_numbers("at", entry.removesuffix("deg"), "knee_angle_r=20deg") for entry in args.at)
    args.at = {name: math.radians(x) if name in args.degrees else x for name, (x,) in at}
    pushes: dict[str, list[tuple[list[float], list[float]]]] = {}
    for entry in args.push:
        body, values = arguments.named_numbers("push", entry, "calcn_r=0.1,0,0,0,350,0")
        pushes.setdefault(body, []).append((values[:3], values[3:]))
    args.push = pushes


def run(args: argparse.Namespace) -> None:
    import pandas as pd

    from .._core.provenance import run_record
    from ..analyses.stability import stable_share, without_muscle_states
    from ..files.atomic import write_text
    from ..files.spreadsheets import write_csv
    from ..files.tables import write_table
    from ..muscles.masses import write_masses
    from ..opensim_model.reading.loading import load_model
    from ..plotting import plot_modes, plot_share

    files = {key: file for key, file in FILES.items() if args.patterns or key != "share"}
    if args.picture is not None:
        drawn = {key: what for key, what in PICTURES.items() if args.patterns or key == "modes"}
        files |= {f"{key} plot": (f"{PREFIX}{key}.{args.picture}", what) for key, what in drawn.items()}
    results = Results(args.out or Path(f"{args.model.stem}_posture"), files, inputs_of(args))
    model = load_model(args.model)
    posture = _equilibrated(model, args)
    solved, linear = posture.inertial.model, posture.linearize(args.intrinsic_stiffness)
    share = None
    if args.patterns:  # without muscle states
        with silenced(InertiaWarning):  # already given for the model itself
            rigid = _equilibrated(without_muscle_states(model), args, tell=lambda _: None)
        share = stable_share(rigid, args.stiffness, args.patterns, args.seed)
    with results.staged() as places:
        write_csv(posture.summary(), places["activations"])
        write_csv(linear.summary(), places["eigenvalues"])
        shapes = {
            f"{number} {part}": getattr(mode.shape, part[:4])
            for number, mode in enumerate(linear.modes(), 1)
            for part in ("real", "imaginary")
        }
        write_csv(pd.DataFrame(shapes, index=pd.Index(linear.variable_names, name="state_variable")), places["modes"])
        names, values = solved.getStateVariableNames(), solved.getStateVariableValues(posture.state).to_numpy()
        state = pd.DataFrame([values], [posture.state.getTime()], [names.get(i) for i in range(names.getSize())])
        write_table(state.rename_axis("time"), places["state"], name=solved.getName())
        write_masses(posture.inertial.mass_table, places["masses"])
        asked = {name.replace("_", " "): getattr(args, name) for name in ASKED}
        write_text(places["run"], run_record(posture.provenance | {"posture": asked}))
        if share is not None:
            write_csv(share.summary(), places["share"])
        if args.picture is not None:
            plot_modes(linear, places["modes plot"], args.modes)
        if args.picture is not None and share is not None:
            plot_share(share, places["share plot"])
    print(_described(posture, linear, share))
    results.announce()


def _equilibrated(model: osim.Model, args: argparse.Namespace, tell: Callable[[str], object] = print) -> Posture:
    from .._core.opensim import osim
    from ..analyses.stability import equilibrate
    from ..opensim_model.reading.loading import initialise

    copy = osim.Model(model)
    initialise(copy)  # makes coordinates known
    coordinates = copy.updCoordinateSet()
    check_names("coordinate", args.lock, [coordinates.get(i).getName() for i in range(coordinates.getSize())])
    for name in args.lock:
        coordinates.get(name).set_locked(True)
    for name in args.degrees:
        if coordinates.contains(name) and coordinates.get(name).getMotionType() == osim.Coordinate.Translational:
            raise OptionError("at", name, "metres: it is a length, not an angle in degrees")
    inertial = prepare(copy, args, tell)
    sys.stdout.flush()
    return equilibrate(inertial, args.at, point_forces=args.push, cost=args.cost, hold_base=not args.free_base)


def _described(posture: Posture, linear: Linearization, share: StableShare | None) -> str:
    table = posture.summary().sort_values("activation", ascending=False, kind="stable").head(MOST_SHOWN)
    rows = [["muscle", "activation", "force [N]"]]
    rows += [[str(name), f"{row['activation']:.4f}", f"{row['force']:.2f}"] for name, row in table.iterrows()]
    lines = [columns(rows), ""] if len(rows) > 1 else []
    lines += [wrapped(posture.base_sentence)] if posture.base_residuals else []
    if linear.is_stable:
        lines.append("stable: every small change dies away")
    elif linear.doubling_time < float("inf"):
        lines.append(f"not stable: the fastest change doubles in {linear.doubling_time:.3g} s")
    else:
        lines.append("not stable: nothing grows, but something does not decay")
    first = [str(mode) for mode in linear.modes()[:4]]
    lines.append(wrapped(f"rightmost eigenvalues [1/s]: {', '.join(first)}"))
    if share is not None:
        said = ", ".join(f"{g:g}: {100 * s:.1f}" for g, s in zip(share.stiffnesses, share.share, strict=True))
        lines.append(wrapped(f"stable patterns [%], of {len(share.patterns)}, by intrinsic stiffness: {said}"))
    return "\n".join(lines)
