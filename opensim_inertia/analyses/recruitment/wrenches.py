"""Wrenches on single bodies that accelerate the mass on them, or in muscles between them, along a motion.

The kernel projects the inertial forces of muscles' mass on a state's speeds. If the twists of the bodies are taken for
speeds, the projected forces are the wrenches on the bodies; rigid masses are treated in the same way.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ..._core.arrays import Array
from ...model import InertialModel
from ...muscles.masses.rigid import rigid_inverse
from ...opensim_model.reading import StateKinematics, WrappedPath
from ...paths.kernel import build_kernel
from ...paths.kernel.evaluation import Evaluation
from ...paths.wrapping import FallbackPaths

__all__ = ["Needed", "Wrenches"]


class Needed(NamedTuple):
    """The forces that accelerate mass as a motion does.

    Attributes:
        wrenches: moment about the body's origin and force, in ground, of each body (bodies, 6) [N m, N].
        generalized: forces (nu,) on coordinates by which path points move on their bodies [N m or N].
    """

    wrenches: Array
    generalized: Array


class Wrenches:
    """The mass that an inertial model's segments have given up, as wrenches on bodies.

    Args:
        inertial: the model.

    Attributes:
        bodies: names of the bodies.
    """

    def __init__(self, inertial: InertialModel) -> None:
        assembly = inertial.placement.assembly
        self.bodies = assembly.bodies
        self._nu, self._gravity = len(inertial.coordinate_names), assembly.gravity
        self._transfers = inertial.placement.transfers
        twists = [f"{body}: twist {i}" for body in self.bodies for i in range(6)]
        names = [*inertial.coordinate_names, *twists]
        kernel = build_kernel(self.bodies, names, assembly.gravity, assembly.muscles, assembly.plan)
        self._evaluation = Evaluation(kernel, assembly.names, self.bodies, inertial.evaluation.notes)

    def needed(self, kind: str, kinematics: StateKinematics, udot: Array) -> Needed:
        """Return the forces that accelerate the muscles' mass at one state.

        Args:
            kind: where the mass is: "lumped" in segments, "moved" to the muscles but fixed to segments, or "inertial".
            kinematics: the kinematics at the state.
            udot: generalized accelerations (nu,).
        """
        n = 6 * len(self.bodies)
        bias = kinematics.bias if kind == "inertial" else kinematics.simbody_bias
        on_twists = kinematics._replace(
            q=np.r_[kinematics.q, np.zeros(n)],
            u=np.r_[kinematics.u, kinematics.jacobian @ kinematics.u],
            jacobian=np.hstack([np.zeros((n, self._nu)), np.eye(n)]),
            bias=np.zeros_like(bias),
            simbody_bias=np.zeros_like(bias),
            paths=_widened(kinematics.paths, n),
        )
        accelerations = np.r_[udot, kinematics.jacobian @ udot + bias.ravel()][None]
        if kind == "inertial":
            forces = self._evaluation.inverse([on_twists], accelerations)[0]
        else:
            masses = {name: t.given_up if kind == "lumped" else t.muscles for name, t in self._transfers.items()}
            forces = rigid_inverse(self.bodies, [masses], [on_twists], accelerations, self._gravity)[0][0]
        return Needed(forces[self._nu :].reshape(-1, 6), forces[: self._nu])


def _widened(paths: Mapping[str, WrappedPath], extra: int) -> Mapping[str, WrappedPath]:
    """Return paths whose arcs do not depend on some more speeds."""
    wide = {name: _wide(path, extra) for name, path in paths.items()}
    return _WideFallbackPaths(wide, paths, extra) if isinstance(paths, FallbackPaths) else wide


def _wide(path: WrappedPath, extra: int) -> WrappedPath:
    arcs = tuple(replace(arc, jacobian=np.pad(arc.jacobian, ((0, 0), (0, 0), (0, extra)))) for arc in path.arcs)
    return replace(path, arcs=arcs)


class _WideFallbackPaths(FallbackPaths):
    """OpenSim's paths at one state, those asked for late included, with more speeds."""

    def __init__(self, wide: Mapping[str, WrappedPath], narrow: FallbackPaths, extra: int) -> None:
        dict.__init__(self, wide)
        self.time, self._narrow, self._extra = narrow.time, narrow, extra

    def with_path(self, muscle: str) -> FallbackPaths | None:
        narrow = self._narrow.with_path(muscle)
        if narrow is None:
            return None
        return _WideFallbackPaths(
            {name: _wide(path, self._extra) for name, path in narrow.items()}, narrow, self._extra
        )
