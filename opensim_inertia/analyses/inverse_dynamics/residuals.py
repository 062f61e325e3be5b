"""Residuals: forces and moments at a free base that neither muscles nor measured loads exert.

Thresholds are those of Hicks, Uchida, Seth, Rajagopal and Delp (2015, J. Biomech. Eng. 137, 020905) for simulations of
gait after residual reduction; plain inverse dynamics often exceeds them. Verdicts are on peaks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..._core.arrays import Array, ReadOnly
from ..._core.diagnostics import Diagnostic
from ..._core.errors import Option
from ..._core.opensim import osim
from ..._core.representation import TextTable
from ...model import InertialModel
from ...opensim_model.reading.coordinates import base_coordinates
from ...opensim_model.reading.kinematics import StateKinematics
from ...opensim_model.reading.motion import Motion
from ...opensim_model.setups.loads import GROUND, Loads

if TYPE_CHECKING:
    import pandas as pd

#: Threshold of residual forces, relative to the largest net external force (Hicks et al. 2015).
FORCE_SHARE = 0.05
#: Threshold of residual moments, relative to this force times the height of the centre of mass.
MOMENT_SHARE = 0.01
SOURCE = "Hicks et al. 2015"
#: Residual forces with a lower correlation between neighbouring rows are noise. In public data the correlation is
#: 0.39 to 1.0 for filtered motions, and -0.86 to -0.2 where noise exceeds :data:`FORCE_SHARE`.
CORRELATION = 0.2
WITHIN, BEYOND = "within", "beyond"
#: Largest number of evenly spaced rows for the mean height of the centre of mass.
HEIGHT_ROWS = 50
#: Fewest coordinates of a free base: planar motion.
FEWEST = 3
#: Fewest rows for a check of noise.
FEWEST_ROWS = 10
#: Relative tolerance of the rank of the base's Jacobian.
RANK = 1e-9
COMPONENTS = ("moment x", "moment y", "moment z", "force x", "force y", "force z")
COLUMNS = ("unit", "RMS", "peak", "peak time", "RMS [%]", "peak [%]", "threshold", "threshold [%]", "verdict")


@dataclass(frozen=True, eq=False)
class BaseRecord(ReadOnly):
    """Motion of a model's free base, and net external force, for the computation of residuals."""

    body: str  # name of the base, such as "pelvis"
    places: NDArray[np.intp]  # indices of the base's coordinates, (n,)
    jacobian: Array  # (T, 6, n), velocity of the base's frame in ground (angular, linear of its origin) by rates
    net_force: Array  # sum of external forces in ground, (T, 3) [N]; NaN without data
    height: float  # mean height of the centre of mass above the points of the loads [m]

    def wrench(self, forces: Array) -> Array:
        """Convert generalized forces (T, nu) to moments and forces (T, 6) on the base, in ground."""
        return np.asarray((self._to_wrench @ forces[:, self.places, None])[..., 0])

    @cached_property
    def _to_wrench(self) -> Array:  # (T, 6, n)
        return np.asarray(np.linalg.pinv(self.jacobian.swapaxes(1, 2), rcond=RANK))

    def at(self, rows: NDArray[np.intp]) -> BaseRecord:
        """Return a copy with only the given rows of the motion."""
        return replace(self, jacobian=self.jacobian[rows], net_force=self.net_force[rows])


class BaseRecorder:
    """Collector of a :class:`BaseRecord` during inverse dynamics; :meth:`add` gets kinematics of all ``bodies``."""

    def __init__(self, inertial: InertialModel, motion: Motion, loads: Loads, joint: osim.Joint) -> None:
        """Find body, frame, coordinates of the base's joint; sum external forces expressed in ground, keep others."""
        self._motion, self._loads = motion, loads
        frames = (joint.getChildFrame(), joint.getParentFrame())
        frame = next(frame for frame in frames if frame.findBaseFrame().getName() != GROUND)
        names = [joint.get_coordinates(i).getName() for i in range(joint.numCoordinates())]
        self._places = np.array([inertial.coordinates.index(name) for name in names])
        in_body = frame.findTransformInBaseFrame()  # owns the vector of p()
        self._body, self._station = frame.findBaseFrame().getName(), in_body.p().to_numpy().copy()
        rows = len(motion)
        shares = [(body, loads.force_at(name, motion.times)) for name, (_, body, _) in loads.bodies.items()]
        self._body_loads = [(body, force) for body, force in shares if body != GROUND]
        self._jacobian, self._net_force = np.empty((rows, 6, len(names))), np.zeros((rows, 3))
        self._net_force += sum((force for body, force in shares if body == GROUND), start=np.zeros((rows, 3)))
        self._sampled = set(np.unique(np.linspace(0, rows - 1, min(rows, HEIGHT_ROWS)).astype(int)).tolist())
        self._heights: list[float] = []
        gravity = inertial.model.getGravity().to_numpy()
        self._up = -gravity / (np.linalg.norm(gravity) or 1.0)
        self.bodies = (self._body, *(body for body, _ in self._body_loads))

    @classmethod
    def of(cls, inertial: InertialModel, motion: Motion, loads: Loads | None) -> BaseRecorder | None:
        """Return a recorder; None if there are no loads, or not exactly one free base."""
        if loads is None:
            return None
        names, on_base = inertial.coordinate_names, base_coordinates(inertial.model, inertial.coordinates)
        joints = [
            joint
            for joint in inertial.model.getJointSet()
            if joint.numCoordinates() >= FEWEST and on_base[names.index(joint.get_coordinates(0).getName())]
        ]
        return cls(inertial, motion, loads, joints[0]) if len(joints) == 1 else None

    def see(self, row: int, model: osim.Model, state: osim.State) -> None:
        """Record the height of the centre of mass at a row."""
        if row in self._sampled:
            self._heights.append(float(model.calcMassCenterPosition(state).to_numpy() @ self._up))

    def add(self, rows: slice, kinematics: StateKinematics, names: Sequence[str]) -> None:
        """Record the base's motion and the external forces at rows."""
        b = names.index(self._body)
        jacobian = self._motion.on_coordinates(kinematics.jacobian[:, 6 * b : 6 * b + 6], rows)
        motion = jacobian[:, :, self._places]
        self._jacobian[rows] = motion
        arm = kinematics.rotation[:, b] @ self._station
        self._jacobian[rows, 3:] += np.cross(motion[:, :3], arm[:, :, None], axis=1)
        for body, force in self._body_loads:
            self._net_force[rows] += np.einsum("tij,tj->ti", kinematics.rotation[:, names.index(body)], force[rows])

    @property
    def record(self) -> BaseRecord:
        """The collected motion of the base and net external force."""
        height = float(np.mean(self._heights)) - self._loads.floor(self._up, self._motion.span)
        return BaseRecord(self._body, self._places, self._jacobian, self._net_force, height)


def residual_rows(
    base: BaseRecord | None, times: Array, forces: Mapping[str, Array]
) -> dict[tuple[str, str], dict[str, Any]]:
    """Return residuals and thresholds by (kind, component), given forces (T, nu) by kind, "lumped" or "inertial"."""
    rows = {}
    at_complete, rows_of_former = None, np.zeros(0, dtype=np.intp)
    for kind, each in forces.items() if base is not None else ():
        assert base is not None
        complete = np.flatnonzero(np.isfinite(np.hstack([each[:, base.places], base.net_force])).all(axis=1))
        largest = float(np.linalg.norm(base.net_force[complete], axis=1).max(initial=0.0))
        if largest == 0.0:
            continue
        if at_complete is None or not np.array_equal(complete, rows_of_former):
            at_complete, rows_of_former = base.at(complete), complete
        wrench = at_complete.wrench(each[complete])
        for quantity, unit, share, columns, scale in (
            ("force", "N", FORCE_SHARE, slice(3, 6), largest),
            ("moment", "N m", MOMENT_SHARE, slice(0, 3), largest * base.height),
        ):
            free_axes = np.abs(base.jacobian[:, columns]).max(axis=(0, 2)) > RANK
            parts = wrench[:, columns][:, free_axes]
            names = [name for name, free in zip(COMPONENTS[columns], free_axes, strict=True) if free]
            sized = dict(zip(names, parts.T, strict=True)) | {quantity: np.linalg.norm(parts, axis=1)}
            for name, values in sized.items() if names else ():
                rows[kind, name] = {"unit": unit} | _judged(values, times[complete], scale, share)
    return rows


def residual_table(rows: Mapping[tuple[str, str], Mapping[str, Any]]) -> pd.DataFrame:
    """Return the rows of :func:`residual_rows` as a table."""
    import pandas as pd

    from ..._core.tables import PrintedFrame

    index = pd.MultiIndex.from_tuples(list(rows), names=["mass", "component"])
    return PrintedFrame(pd.DataFrame([*rows.values()], index=index, columns=list(COLUMNS)), residuals_as_text)


def _judged(values: Array, times: Array, scale: float, share: float) -> dict[str, Any]:
    """Return RMS and peak of a residual (R,), and whether the peak exceeds the threshold ``share`` times ``scale``."""
    at = int(np.abs(values).argmax())
    peak, rms = float(values[at]), float(np.sqrt(np.mean(values**2)))
    return {
        "RMS": rms,
        "peak": peak,
        "peak time": float(times[at]),
        "RMS [%]": 100 * rms / scale,
        "peak [%]": 100 * abs(peak) / scale,
        "threshold": share * scale,
        "threshold [%]": 100 * share,
        "verdict": WITHIN if abs(peak) <= share * scale else BEYOND,
    }


def residuals_as_text(table: pd.DataFrame) -> TextTable:
    """Return the table of residuals as text."""
    head = ["mass", "component", "unit", "RMS", "peak", "at [s]", "peak [%]", "threshold", "verdict"]
    explained = "There are no residuals: no external loads act, or not one free body carries the model."
    if not table.empty:
        explained = (
            "Residuals are forces and moments on the model's base, in ground, that neither muscles nor measured loads "
            "exert. Shares and thresholds are of the largest net external force, and of it times the height of the "
            f"centre of mass: {100 * FORCE_SHARE:g} % for forces and {100 * MOMENT_SHARE:g} % for moments ({SOURCE})."
        )
    rows = [
        [kind, component, row["unit"], f"{row['RMS']:.3g}", f"{row['peak']:.3g}", f"{row['peak time']:.3f}"]
        + [f"{row['peak [%]']:.3g}", f"{row['threshold']:.3g}", row["verdict"]]
        for (kind, component), row in table.to_dict("index").items()
    ]
    return TextTable("Residuals", [head], rows, (0, 1, 2, 8), [explained])


def residual_sentence(base: BaseRecord | None, rows: Mapping[tuple[str, str], Mapping[str, Any]]) -> str:
    """Return a sentence that compares residuals to thresholds, from rows of :func:`residual_rows`; "" without rows."""
    if base is None or not rows:
        return ""
    masses = [mass for mass, _ in rows]
    kind = "inertial" if "inertial" in masses else masses[0]
    force, moment = rows[kind, "force"], rows.get((kind, "moment"))
    largest = force["threshold"] / FORCE_SHARE
    sentence = (
        f"residual forces at the {base.body}: RMS {force['RMS']:.3g} N, peak {force['peak']:.3g} N = "
        f"{force['peak [%]']:.2g} % of the largest external force ({largest:.4g} N): {force['verdict']} "
        f"{force['threshold [%]']:g} %"
    )
    if moment is not None:
        sentence += (
            f"; residual moments: RMS {moment['RMS']:.3g} N m, peak {moment['peak']:.3g} N m = "
            f"{moment['peak [%]']:.2g} % of that force times the height of the centre of mass ({base.height:.3g} m): "
            f"{moment['verdict']} {moment['threshold [%]']:g} %"
        )
    sentence += f" (thresholds of {SOURCE})"
    if kind != "lumped" and "lumped" in masses:
        shares = [rows["lumped", name]["peak [%]"] for name in ("force", "moment") if (kind, name) in rows]
        sentence += f"; with lumped mass: {' and '.join(f'{share:.2g} %' for share in shares)}"
    return sentence + "."


def noise_findings(base: BaseRecord | None, forces: Array) -> list[Diagnostic]:
    """Return a diagnostic if residual forces change from row to row like noise."""
    if base is None or len(forces) < FEWEST_ROWS:
        return []
    residual = base.wrench(forces)[:, 3:]
    noise = np.sqrt((np.diff(residual, axis=0) ** 2).mean(axis=0) / 2)
    axis = int(noise.argmax())
    largest = float(np.linalg.norm(base.net_force, axis=1).max())
    correlation = 1 - float((noise[axis] / (residual[:, axis].std() or 1.0)) ** 2)
    if not noise[axis] > FORCE_SHARE * largest or correlation > CORRELATION:
        return []
    text = (
        f"the accelerations are noise: the residual {COMPONENTS[3 + axis]} at the {base.body} changes by "
        f"{np.sqrt(2) * noise[axis]:.3g} N from row to row (RMS; correlation of neighbouring rows {correlation:.2f})"
    )
    cure = ("filter the motion (", Option("cutoff", 6.0, "Recording"), ")")
    return [Diagnostic("warning", "noise", "the motion", text, cure)]


def residual_record(base: BaseRecord | None, rows: Mapping[tuple[str, str], Mapping[str, Any]]) -> dict[str, Any]:
    """Return a sentence on residual forces, and their table, as JSON types."""
    table = [{"mass": mass, "component": component, **row} for (mass, component), row in rows.items()]
    return {"residuals": {"verdict": residual_sentence(base, rows), "table": table}} if table else {}
