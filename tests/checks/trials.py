"""A good trial in files of its own, to be spoilt: its model, motion and loads."""

import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from conftest import model_path

import opensim_inertia as oi
from opensim_inertia.checks import CheckResult

WALK = "Pipelines/Gait10dof18musc"
WRAPPED = "Models/Arm26/arm26.osim"


@dataclass
class Trial:
    """A good trial in a folder of its own, to be spoilt.

    Attributes:
        folder: where its files are.
        tree: the model.
        motion: times and coordinates, in the file's units; None without a motion.
        loads: the external loads.
        forces: times and measured forces.
        in_degrees: what the motion's header says.
        cells: text in place of numbers, by "motion" or "forces", row and column.
        data_name: what the loads call the file of forces.
        cutoff: of the filter with which the motion is used [Hz].
    """

    folder: Path
    tree: ElementTree.ElementTree
    motion: pd.DataFrame | None = None
    loads: ElementTree.ElementTree | None = None
    forces: pd.DataFrame | None = None
    in_degrees: bool = True
    cells: dict[tuple[str, int, str], str] = field(default_factory=dict)
    data_name: str = "forces.mot"
    cutoff: float = 6.0

    def model(self) -> ElementTree.Element:
        element = self.tree.getroot().find("Model")
        assert element is not None
        return element

    def check(self, thorough: bool = True) -> CheckResult:
        model = self.folder / "model.osim"
        self.tree.write(model)
        motion = loads = None
        if self.motion is not None:
            motion = self.folder / "motion.mot"
            self._write(motion, self.motion, "motion")
        if self.loads is not None:
            loads = self.folder / "loads.xml"
            for element in self.loads.iter("datafile"):
                element.text = self.data_name
            self.loads.write(loads)
            assert self.forces is not None
            self._write(self.folder / "forces.mot", self.forces, "forces")
        return oi.check(model, motion, loads, cutoff=None if motion is None else self.cutoff, thorough=thorough)

    def _write(self, path: Path, table: pd.DataFrame, what: str) -> None:
        rows = [[f"{x:.8f}" for x in row] for row in table.to_numpy().tolist()]
        for (where, row, column), text in self.cells.items():
            if where == what:
                rows[row][list(table.columns).index(column)] = text
        yes = "yes" if self.in_degrees else "no"
        head = f"{what}\nversion=1\nnRows={len(rows)}\nnColumns={table.shape[1]}\ninDegrees={yes}\nendheader\n"
        lines = ["\t".join(table.columns), *("\t".join(row) for row in rows)]
        path.write_text(head + "\n".join(lines) + "\n")


def table_of(path: Path) -> pd.DataFrame:
    """Return a table of OpenSim's with its times as its first column."""
    lines = path.read_text().splitlines()
    start = next(i for i, line in enumerate(lines) if line.strip().lower() == "endheader")
    rows = [line.split() for line in lines[start + 2 :] if line.strip()]
    return pd.DataFrame(np.array(rows, dtype=float), columns=lines[start + 1].split())


def walk(folder: Path) -> Trial:
    results, measured = model_path(f"{WALK}/OutputReference"), model_path(f"{WALK}/ExperimentalData")
    return Trial(
        folder,
        ElementTree.parse(results / "subject01.osim"),
        table_of(results / "IK" / "subject01_walk_IK.mot"),
        ElementTree.parse(measured / "subject01_walk_grf.xml"),
        table_of(measured / "subject01_walk_grf.mot"),
    )


def model_of_walk(folder: Path) -> Trial:
    return Trial(folder, walk(folder).tree)


def wrapped(folder: Path) -> Trial:
    return Trial(folder, ElementTree.parse(model_path(WRAPPED)))


def run(folder: Path) -> Trial:
    """Return the run of Rajagopal's model, whose kneecaps follow the knees; in radians."""
    files = model_path(".").parent / "rajagopal-running"
    if not files.is_dir():
        pytest.skip(f"the run of Rajagopal's model is not at hand: {files}")
    trial = Trial(
        folder,
        ElementTree.parse(files / "subject_scaled_run.osim"),
        table_of(files / "ik_output_run.mot"),
        ElementTree.parse(files / "grf_run.xml"),
        table_of(files / "grf_run.mot"),
        in_degrees=False,
        cutoff=15.0,
    )
    assert trial.motion is not None
    places = {"time", "pelvis_tx", "pelvis_ty", "pelvis_tz"}
    turning = [column for column in trial.motion.columns if column not in places]
    trial.motion[turning] = np.radians(trial.motion[turning])
    for side in "rl":  # the file's are in radians among degrees: that is a defect, too
        trial.motion[f"knee_angle_{side}_beta"] = trial.motion[f"knee_angle_{side}"]
    return trial
