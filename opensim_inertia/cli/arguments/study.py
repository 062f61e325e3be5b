"""The arguments of ``opensim-inertia study``."""

from __future__ import annotations

import argparse
from pathlib import Path

from ..._core.checks import check_file

__all__ = ["DESCRIPTION", "EPILOG", "HELP", "NAME", "add_arguments", "check"]

NAME = "study"
HELP = "many trials under many assumptions, on this machine or a cluster, to tidy tables and mean curves"
DESCRIPTION = """\
Run a study: every trial (setups of inverse dynamics or of Static Optimization) under every combination of assumptions,
in parallel. Written are tables of all curves and of peaks (.parquet), mean curves with bands, failures (.csv), and a
page that links them all (index.html). What has been computed before is not computed again: after Ctrl-C, run the same
command. The exit code is 1 if some tasks failed, 2 if all did or the study cannot be run.
It needs Dask and others: pip install "opensim_inertia[study]".
"""
EPILOG = """\
examples:
  opensim-inertia study study.toml
  opensim-inertia study study.toml --out results --workers 8
  opensim-inertia study study.toml --scheduler tcp://10.0.0.1:8786

a small study.toml:
  [[trial]]
  setup = "*/setup_*.xml"
  subject = "{1}"
  condition = "{2}"
  [grid]
  strain = ["aponeurosis", "uniform"]
  cutoff = [6, 15]

docs/guides/studies.md explains each key.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to a parser."""
    parser.add_argument("study", type=Path, metavar="STUDY.toml", help="the study: trials and assumptions")
    parser.add_argument("--out", type=Path, metavar="DIR", help="folder (default: the file's out, or NAME_results)")
    group = parser.add_argument_group("who computes, instead of what the file says").add_mutually_exclusive_group()
    group.add_argument("--scheduler", metavar="ADDRESS", help="address of a Dask scheduler, as tcp://10.0.0.1:8786")
    group.add_argument(
        "--workers", type=int, metavar="N", help="processes of this machine; 0: this one alone (default: all cores)"
    )


def check(args: argparse.Namespace) -> None:
    """Raise an error for what is wrong with the arguments, before anything is loaded."""
    check_file(args.study, "study file")
