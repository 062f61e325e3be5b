"""``opensim-inertia plugin``: where the plugin is, and whether it works."""

from __future__ import annotations

import argparse

from .._core.opensim import osim
from ..model.plugin import LIBRARY, load_library
from ..model.plugin.self_test import load_plugin, self_test
from .text import columns

__all__ = ["run"]


def run(args: argparse.Namespace) -> None:
    """Run the command."""
    load_library()
    rows = [
        ["library", str(LIBRARY)],
        ["OpenSim", osim.GetVersion()],
        ["self-test", f"accelerations agree to {self_test():.1e} of the largest"],
    ]
    print(columns(rows, left=(0, 1)))
    load_plugin()
