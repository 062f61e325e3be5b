"""Inverse dynamics: what the coordinates' forces must be, with muscle mass lumped, moved, and sliding."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from tqdm import tqdm

from .._opensim import osim
from ..errors import MotionError, opensim_reason
from ..inertial_model import InertialModel
from ..loads import initialise_with_loads, switch_off, with_external_loads
from ..masses.rigid import rigid_inverse
from ..reading import Frame
from ..wrapping import Wrapping
from .motion import Motion, load_motion
from .result import InverseDynamicsResult

Array = NDArray[np.float64]

#: States handed to the kernel at once.
CHUNK = 128
#: Motions shorter than this many rows show no progress bar.
SHORT_MOTION = 200


def inverse_dynamics(
    inertial: InertialModel,
    motion: str | os.PathLike[str] | pd.DataFrame,
    external_loads: str | os.PathLike[str] | None = None,
    cutoff: float | None = None,
    time_range: tuple[float, float] | None = None,
    forces_to_exclude: str | Sequence[str] = ("Muscles",),
    progress: bool | None = None,
) -> InverseDynamicsResult:
    """Generalized forces of a recorded motion, beside those of OpenSim's Inverse Dynamics Tool.

    Three answers, for the same motion and loads:

    * *lumped*: all mass in the segments, as in the model that was given. OpenSim's own.
    * *moved*: muscle mass at its place in the default pose, but fixed to the segment that paid for it.
    * *inertial*: muscle mass sliding along the paths, ``tau = tau_rigid + dM udot - h - g_m`` (Wang et al. 2022, eq.
    7).

    Args:
        inertial: the model.
        motion: ``.mot`` or ``.sto`` file of coordinates, or a DataFrame (index time [s], radians and metres).
        external_loads: OpenSim external loads XML.
        cutoff: low-pass cut-off for the coordinates [Hz]; None for no filter.
        time_range: first and last time [s]; default: the whole motion.
        forces_to_exclude: names, groups or keywords of model forces that do not act.
        progress: show a bar; default: on a terminal, for long motions.

    Raises:
        MotionError: the motion cannot be used; FileFormatError: a file is missing or malformed; UnknownNameError: a
            force or a body of the loads is not in the model.
    """
    recorded = load_motion(motion, inertial.model, inertial.coordinate_names, cutoff, time_range)
    solver = _RigidSolver(inertial, external_loads, forces_to_exclude)
    gravity = inertial.model.getGravity().to_numpy().copy()
    n = len(inertial.coordinate_names)
    rigid, inert, given_up, frozen = (np.empty((len(recorded), n)) for _ in range(4))
    chunk = 1 if solver.wrapping else CHUNK
    show = progress if progress is not None else len(recorded) >= SHORT_MOTION and sys.stderr.isatty()
    with tqdm(total=len(recorded), disable=not show, unit="frame", desc="inverse dynamics") as bar:
        for start in range(0, len(recorded), chunk):
            rows = slice(start, min(start + chunk, len(recorded)))
            frames = []
            for row in range(rows.start, rows.stop):
                rigid[row], frame = solver.solve(recorded, row)
                frames.append(frame)
            udot = recorded.udot[rows]
            inert[rows] = inertial.inverse(frames, udot)
            fixed = (inertial.placement.given_up, inertial.placement.total)
            given_up[rows], frozen[rows] = rigid_inverse(inertial.bodies, fixed, frames, udot, gravity)
            bar.update(len(frames))
    return InverseDynamicsResult(
        times=recorded.times,
        coordinate_names=inertial.coordinate_names,
        rotational=inertial.coordinates.rotational,
        lumped_forces=rigid + given_up,
        moved_forces=rigid + frozen,
        inertial_forces=rigid + inert,
        missing=recorded.missing,
    )


class _RigidSolver:
    """OpenSim's InverseDynamicsSolver on the model whose segments have given up the muscles' mass."""

    def __init__(
        self, inertial: InertialModel, external_loads: str | os.PathLike[str] | None, excluded: str | Sequence[str]
    ) -> None:
        if external_loads is None:
            self.state = inertial.initial_state()
        else:
            model = with_external_loads(inertial.model, external_loads)
            self.state = osim.State(initialise_with_loads(model, external_loads))
            inertial = inertial.bound_to(model)
        self.model = inertial.model
        switch_off(self.model, self.state, excluded)
        self.solver = osim.InverseDynamicsSolver(self.model)
        self.inertial = inertial
        self.wrapping: Wrapping | None = inertial.make_wrapping(self.model)

    def solve(self, motion: Motion, row: int) -> tuple[Array, Frame]:
        """Rigid generalized forces (nu,) and the kinematics of one row of the motion."""
        self.state.setTime(float(motion.times[row]))
        self.inertial.coordinates.set_values(self.state, motion.q[row])
        self.state.setU(osim.Vector.createFromMat(motion.u[row]))
        try:
            tau = self.solver.solve(self.state, osim.Vector.createFromMat(motion.udot[row]))
        except RuntimeError as error:
            at = f"at time {motion.times[row]:.6g} s"
            raise MotionError(f"OpenSim cannot solve the motion {at}: {opensim_reason(error)}") from None
        frame = self.inertial.kinematics.read(self.state, realized=True)
        self.inertial.set_wrapped_paths(self.wrapping, self.state)
        return tau.to_numpy(), frame
