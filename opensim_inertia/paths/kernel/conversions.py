"""States, and paths that come with them, in the form in which the kernel takes them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..._kernel import GivenPath, State
from ...opensim_model.reading import StateKinematics, WrappedPath


def kernel_state(
    kinematics: StateKinematics,
    paths: Mapping[int, GivenPath] | None = None,
    lengths: Mapping[int, float] | None = None,
) -> State:
    """Return the kernel's form of a state.

    Args:
        kinematics: the state's arrays, which must not be changed afterwards.
        paths: the paths that OpenSim leads, by muscle number.
        lengths: what OpenSim says of lengths [m] that are compared with it, by muscle number.
    """
    k = kinematics
    return State(k.q, k.u, k.rotation, k.position, k.jacobian, k.bias, k.simbody_bias, paths or {}, lengths or {})


def kernel_path(path: WrappedPath, body: Mapping[str, int]) -> GivenPath:
    """Return the kernel's form of a path that OpenSim leads; the mapping gives places on the body axis."""
    arcs = [
        (body[a.body], np.ascontiguousarray(a.points), np.ascontiguousarray(a.jacobian), np.ascontiguousarray(a.bias))
        for a in path.arcs
    ]
    return GivenPath(path.sequence, arcs)
