"""The linearization of a model with a control around it, from that of the model and the derivatives of the control."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.linalg import block_diag

from ...._core.arrays import Array
from ....dynamics.control.feedback import feedback
from ....dynamics.control.system import ControlledSystem, state_paths
from .result import Linearization

__all__ = ["closed"]


def closed(plain: Linearization, system: ControlledSystem, t: float, y: Array) -> Linearization:
    """Return the linearization with the control's states, its delays, and how it answers the state now and earlier.

    Args:
        plain: that of the model, the control's excitations being held.
        system: the equations with the control.
        t: the time [s].
        y: the state, with the control's.
    """
    reflexes = feedback(system, t, y)
    n, n_control = len(plain.A), len(system.control.state_names)
    entries = sorted(system.layout.order.tolist())
    basis = block_diag(plain.basis, np.eye(n_control))
    inputs = np.vstack([plain.B, np.zeros((n_control, plain.B.shape[1]))])
    matrices = []
    for over, rates in zip(reflexes.excitations, reflexes.rates, strict=True):
        matrix = inputs @ (over[:, entries] @ basis)
        matrix[n:] = rates[:, entries] @ basis
        matrices.append(matrix)
    matrices[0][:n, :n] += plain.A
    paths = tuple(state_paths(system.control))
    residual = np.abs(system.rhs(t, y)[len(y) - n_control :]).max(initial=0.0)
    return replace(
        plain,
        A=matrices[0],
        B=inputs,
        state_names=(*plain.state_names, *paths),
        basis=basis,
        variable_names=(*plain.variable_names, *paths),
        state=y[entries],
        residual=max(plain.residual, float(residual)),
        delays=reflexes.delays[1:],
        delayed=tuple(matrices[1:]),
    )
