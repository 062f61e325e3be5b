"""Print the path of the OpenSim plugin, and test the plugin with the installed OpenSim.

Output: the plugin's library, OpenSim's version, and the self-test, which compares accelerations of the demo model with
those of this package.

examples:
  opensim-inertia plugin
"""

from __future__ import annotations

import argparse

from .output import columns


def run(args: argparse.Namespace) -> None:
    from .._core.opensim import osim
    from ..model.plugin import LIBRARY, load_library
    from ..model.plugin.native import load_plugin, self_test

    load_library()
    rows = [
        ["library", str(LIBRARY)],
        ["OpenSim", osim.GetVersion()],
        ["self-test", f"accelerations agree to {self_test():.1e} of the largest"],
    ]
    print(columns(rows, left=(0, 1)))
    load_plugin()
