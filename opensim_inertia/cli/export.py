"""``opensim-inertia export``: a model whose muscles have their mass in OpenSim's own tools."""

from __future__ import annotations

import argparse

from .._core.opensim import quiet
from ..model.plugin.self_test import load_plugin
from .output import check_writable
from .preparing import prepare
from .text import describe_model

__all__ = ["run"]


def run(args: argparse.Namespace) -> None:
    """Run the command."""
    check_writable([args.output], [args.model, args.masses, args.reference])
    load_plugin()
    prepared = prepare(args.model, args)
    with quiet():
        prepared.inertial.export(args.output, args.tool)
    print(describe_model(prepared))
    print(f"\nwritten to {args.output}, for OpenSim's tools where the plugin is loaded (opensim-inertia plugin)")
