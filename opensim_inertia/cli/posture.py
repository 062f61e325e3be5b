"""``opensim-inertia posture``: equilibrium, modes and stability of a posture."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from .._core.checks import check_names, silenced
from .._core.opensim import osim, quiet
from .._core.provenance import run_record
from .._core.warnings import InertiaWarning
from ..analyses.stability.linearization import Linearization
from ..analyses.stability.posture import Posture, StableShare, equilibrate, stable_share, without_muscle_states
from ..files import write_table
from ..files.atomic import writing
from ..muscles.masses import write_masses
from ..opensim_model.reading import initialise, load_model
from .output import check_writable, staged
from .preparing import prepare
from .text import columns, describe_model, file_list, wrapped

__all__ = ["run"]

PREFIX = "posture_"
TABLES = {
    "activations": (f"{PREFIX}activations.csv", "activation, force and fibre length of each muscle"),
    "state": (f"{PREFIX}state.sto", "the state, for OpenSim's GUI and tools"),
    "eigenvalues": (f"{PREFIX}eigenvalues.csv", "eigenvalue, frequency, damping and doubling time of each mode"),
    "modes": (f"{PREFIX}modes.csv", "changes of the state variables in each mode"),
    "masses": (f"{PREFIX}masses.csv", "the masses, donor segments and bellies that were used"),
    "run": (f"{PREFIX}run.json", "versions, options, the posture and warnings of this run"),
}
SHARE = {"share": (f"{PREFIX}share.csv", "share of stable activation patterns over intrinsic stiffness")}
PICTURES = {"modes plot": ("modes", "picture of the modes that grow fastest")}
SHARE_PICTURES = {
    "share plot": ("share", "picture of the share over intrinsic stiffness"),
    "eigenvalues plot": ("eigenvalues", "picture of the eigenvalues of all patterns"),
}
MOST_SHOWN = 12


def run(args: argparse.Namespace) -> None:
    """Run the command."""
    folder = args.out or Path(f"{args.model.stem}_posture")
    pictures = PICTURES | (SHARE_PICTURES if args.patterns else {})
    files = TABLES | (SHARE if args.patterns else {})
    files |= {key: (f"{PREFIX}{stem}.{args.picture}", what) for key, (stem, what) in pictures.items()}
    check_writable([folder / name for name, _ in files.values()], [args.model, args.masses, args.reference])
    with quiet():
        model = load_model(args.model)
    prepared = prepare(_locked(model, args.lock), args)
    print(describe_model(prepared), flush=True)
    with quiet():
        posture = equilibrate(prepared.inertial, args.at, point_forces=args.push, cost=args.cost)
        linear = posture.linearize(args.intrinsic_stiffness)
        share = _share(model, args) if args.patterns else None
    with staged(folder) as staging:
        places = {key: staging / name for key, (name, _) in files.items()}
        _write_csv(posture.table(), places["activations"])
        _write_csv(linear.table(), places["eigenvalues"])
        _write_csv(_modes(linear), places["modes"])
        write_table(_state(posture), places["state"], name=posture.inertial.model.getName())
        write_masses(posture.inertial.masses, places["masses"])
        _write_run(posture, args, places["run"])
        linear.plot_modes(places["modes plot"], args.modes)
        if share is not None:
            _write_csv(share.table(), places["share"])
            share.plot(places["share plot"])
            share.plot_eigenvalues(places["eigenvalues plot"])
    print(_described(posture, linear, share))
    print(f"\nwritten to {folder}:")
    print(file_list({what: folder / name for name, what in files.values()}))


def _locked(model: osim.Model, names: Iterable[str]) -> osim.Model:
    """Return a copy of a model in which coordinates are locked."""
    copy = osim.Model(model)
    initialise(copy)  # it knows its coordinates only then
    coordinates = copy.updCoordinateSet()
    check_names("coordinate", names, [coordinates.get(i).getName() for i in range(coordinates.getSize())])
    for name in names:
        coordinates.get(name).set_locked(True)
    return copy


def _share(model: osim.Model, args: argparse.Namespace) -> StableShare:
    """Return the share of stable patterns, of the model without states of muscles."""
    with silenced(InertiaWarning):  # they were given of the model itself
        inertial = prepare(_locked(without_muscle_states(model), args.lock), args).inertial
        posture = equilibrate(inertial, args.at, point_forces=args.push, cost=args.cost)
    return stable_share(posture, args.stiffness, args.patterns, args.seed)


def _state(posture: Posture) -> pd.DataFrame:
    """Return the state variables in a table of one row."""
    model = posture.inertial.model
    names = model.getStateVariableNames()
    values = model.getStateVariableValues(posture.state).to_numpy()
    row = {names.get(i): values[i] for i in range(names.getSize())}
    return pd.DataFrame(row, index=pd.Index([posture.state.getTime()], name="time"))


def _modes(linear: Linearization) -> pd.DataFrame:
    """Return the shapes of the modes, real and imaginary parts in columns, one state variable in a row."""
    table = {}
    for number, mode in enumerate(linear.modes(), start=1):
        table[f"{number} real"], table[f"{number} imaginary"] = mode.shape.real, mode.shape.imag
    return pd.DataFrame(table, index=pd.Index(linear.variable_names, name="state_variable"))


def _write_run(posture: Posture, args: argparse.Namespace, path: Path) -> None:
    names = ("cost", "intrinsic_stiffness", "patterns", "stiffness", "seed", "lock")
    asked = {name.replace("_", " "): getattr(args, name) for name in names}
    with writing(path) as temporary:
        temporary.write_text(run_record(posture.provenance() | {"posture": asked}), encoding="utf-8")


def _write_csv(table: pd.DataFrame, path: Path) -> None:
    with writing(path) as temporary:
        table.to_csv(temporary)


def _described(posture: Posture, linear: Linearization, share: StableShare | None) -> str:
    """Return what was found as text: the most active muscles, the fastest modes, the shares."""
    table = posture.table().sort_values("activation", ascending=False, kind="stable").head(MOST_SHOWN)
    rows = [["muscle", "activation", "force [N]"]]
    rows += [[str(name), f"{row['activation']:.4f}", f"{row['force']:.2f}"] for name, row in table.iterrows()]
    lines = [columns(rows), ""] if len(rows) > 1 else []
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
