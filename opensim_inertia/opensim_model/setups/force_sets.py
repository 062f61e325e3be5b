"""Force sets in files of their own, such as reserve and residual actuators, added to a model as OpenSim's tools do."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from ..._core.errors import OPENSIM_ERRORS, FileFormatError, opensim_reason
from ..._core.opensim import osim
from ..._core.scratch import scratch_folder
from ...files.static_setup import StaticOptimizationSetup
from ...files.tool_xml import document, load_tool, parse_document
from ..reading.loading import initialise, load_model

__all__ = ["add_force_sets", "load_for_recruitment"]


def load_for_recruitment(setup: StaticOptimizationSetup, path: object) -> osim.Model:
    """Return the model of a setup of Static Optimization; its forces are replaced if the setup says so."""
    assert setup.model_file is not None
    model = load_model(setup.model_file)
    if setup.replace_force_set:
        initialise(model)
        add_force_sets(model, setup.force_set_files, path, replace=True)
    return model


def add_force_sets(model: osim.Model, files: Sequence[Path], setup: object, replace: bool = False) -> None:
    """Append force sets to an initialised model's own, or put them in its place, and initialise the model anew.

    As in OpenSim's tools, whose work this is, a force with the name of one that is there is left out.
    """
    if not files and not replace:
        return
    roots = [parse_document(file, "ForceSet", "a set of forces") for file in files]
    for file, root in zip(files, roots, strict=True):
        load_tool(file, _try_force_set, root)
    with scratch_folder() as scratch:
        copies = [os.path.join(scratch, f"{i}.xml") for i in range(len(files))]
        for copy, root in zip(copies, roots, strict=True):
            Path(copy).write_bytes(document(root))
        try:
            _update_forces(model, copies, replace)
        except OPENSIM_ERRORS as error:
            forces_text = f"of {', '.join(file.name for file in files)}" if files else "that are left"
            reason = opensim_reason(error, dict(zip(copies, files, strict=True)))
            raise FileFormatError(setup, f"the forces {forces_text} do not fit the model: {reason}") from None


def _try_force_set(file: str) -> None:
    try:
        osim.ForceSet(file, True)
    except SystemError:  # what is thrown here does not get through to Python; the tool's reader throws it again
        _update_forces(osim.Model(), [file], True)


def _update_forces(model: osim.Model, files: Iterable[str], replace: bool) -> None:
    names = osim.ArrayStr()
    for file in files:
        names.append(file)
    tool = osim.ForwardTool()
    tool.setReplaceForceSet(replace)
    tool.setForceSetFiles(names)
    tool.updateModelForces(model, os.path.join(os.getcwd(), "setup.xml"))
