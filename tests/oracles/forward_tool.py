"""OpenSim's own Forward Tool."""

import pandas as pd

from opensim_inertia._core.opensim import osim, quiet
from opensim_inertia.files import ForwardSetup, read_table


def run_tool(setup: ForwardSetup) -> tuple[pd.DataFrame, pd.DataFrame]:
    with quiet():
        assert osim.ForwardTool(str(setup.file)).run()
    return read_table(setup.results_directory / "x_states.sto"), read_table(setup.results_directory / "x_controls.sto")
