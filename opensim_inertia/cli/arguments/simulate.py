"""The arguments of ``opensim-inertia simulate``."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..._core.checks import check_file, check_model_file
from ..._core.choices import ENGINES, ROTATIONS
from ..._core.parsing import positive
from .motions import add_report_options, check_report_options
from .shared import add_mass_options, add_material_options, check_options

if TYPE_CHECKING:
    from ...dynamics.integrators import Integrator

__all__ = ["DESCRIPTION", "EPILOG", "HELP", "NAME", "T_FINAL", "add_arguments", "check"]

NAME = "simulate"
HELP = "forward simulation with muscle mass along the paths"
DESCRIPTION = """\
Simulate a model forward in time, with muscle mass where it belongs. OpenSim computes every force, muscle, contact,
controller and constraint; with --lumped its own motion of the same model stands beside.

SETUP.xml is a setup of OpenSim's Forward Tool, as it is: model, initial states, controllers, force sets, external
loads, times, accuracy. Paths in it are relative to the file. Analyses in it are not run. Written are the states (.sto,
for OpenSim's GUI and tools), energies and the muscles' work (.csv), and a picture (.png).
"""
EPILOG = """\
examples:
  opensim-inertia simulate arm26.osim --excite 'BIC*=0.5' BRA=0.2 --t-final 0.5
  opensim-inertia simulate --setup setup_forward.xml --masses masses.csv --out results --trc
  opensim-inertia simulate model.osim --setup setup_forward.xml --integrator sdirk2 --step 0.001 --lumped
"""

#: Final time [s] where nothing says another.
T_FINAL = 1.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to a parser."""
    parser.add_argument("model", type=Path, nargs="?", metavar="MODEL.osim", help="the model (default: the setup's)")
    parser.add_argument("--setup", type=Path, metavar="SETUP.xml", help="setup of OpenSim's Forward Tool")
    group = parser.add_argument_group("what is simulated, instead of what the setup says")
    group.add_argument("--t-start", type=float, metavar="T0", help="initial time [s] (default: 0)")
    group.add_argument("--t-final", type=float, metavar="T1", help=f"final time [s] (default: {T_FINAL:g})")
    group.add_argument("--states", type=Path, metavar="STO", help="states to start from (default: the model's)")
    group.add_argument("--external-loads", type=Path, metavar="XML", help="the external loads")
    group.add_argument(
        "--excite",
        nargs="+",
        action="extend",
        default=[],
        metavar="NAME=X",
        help="constant excitations of muscles or other actuators; names or patterns, as 'soleus_*=0.4'",
    )
    group = parser.add_argument_group("how")
    _add_integrator_options(group)
    group.add_argument(
        "--engine",
        choices=ENGINES,
        default="auto",
        help="who computes accelerations: native, OpenSim with the plugin; python, this package; auto, the first where "
        "the plugin was built and can (default: %(default)s)",
    )
    group.add_argument(
        "--rotations",
        choices=ROTATIONS,
        default="euler",
        help="what turns joints that turn freely: their Euler angles, or unit quaternions, which also pass through "
        "gimbal lock (default: %(default)s); results are in OpenSim's coordinates",
    )
    add_mass_options(parser)
    add_material_options(parser)
    group = parser.add_argument_group("results")
    group.add_argument(
        "--out", type=Path, metavar="DIR", help="folder (default: the setup's results_directory, or MODEL_simulation)"
    )
    group.add_argument("--report-step", type=positive, metavar="S", help="time between rows [s] (default: every step)")
    group.add_argument("--lumped", action="store_true", help="also simulate with all mass in the segments")
    group.add_argument("--trc", action="store_true", help="also write the mass points' trajectories, for OpenSim's GUI")
    add_report_options(group)


def _add_integrator_options(group: Any) -> None:
    """Add the integrators and all options that any of them has."""
    from ...dynamics.integrators import INTEGRATORS, FixedStep  # which not every command needs

    def named(chosen: Callable[[type[Integrator]], bool]) -> str:
        return ", ".join(name for name, kind in INTEGRATORS.items() if chosen(kind))

    group.add_argument(
        "--integrator",
        choices=tuple(INTEGRATORS),
        default="auto",
        help=f"with fixed steps: {named(lambda kind: issubclass(kind, FixedStep))}; with error control: the others, of "
        f"which {named(lambda kind: kind.is_implicit and not issubclass(kind, FixedStep))} are for stiff models; "
        f"OpenSim's own, which need the plugin: {named(lambda kind: 'python' not in kind.engines)} (default: "
        "%(default)s: rk45, and bdf while the model is stiff, or OpenSim's own where the plugin can; dop853 where no "
        "muscle, wrap object or contact acts)",
    )
    arguments: dict[str, dict[str, Any]] = {}
    for kind in INTEGRATORS.values():
        for entry in kind.entries().values():
            flag, keywords = entry.argument()
            helps = arguments.setdefault(flag, {**keywords, "default": None, "help": {}})["help"]
            helps[keywords["help"]] = None
    for flag, keywords in arguments.items():
        group.add_argument(flag, **{**keywords, "help": "; ".join(keywords["help"])})


def check(args: argparse.Namespace) -> None:
    """Raise an error for what is wrong with the arguments, before anything is loaded."""
    check_options(args)
    check_report_options(args)
    if args.model is not None:
        check_model_file(args.model)
    for path, what in (
        (args.setup, "setup file"),
        (args.states, "states file"),
        (args.external_loads, "external loads file"),
    ):
        if path is not None:
            check_file(path, what)
