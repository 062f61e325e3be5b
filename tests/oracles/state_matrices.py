"""State matrices by differencing whole right-hand sides, on the constraints, to some 1e-10."""

from collections.abc import Callable
from typing import Any

import numpy as np

import opensim_inertia as oi
from opensim_inertia.dynamics.equations import System, start

Array = np.ndarray
STEPS = (1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5)


def started(
    inertial: oi.InertialModel, state: Any = None, excitations: Any = None, equilibrate: bool = False
) -> tuple[System, float, Array]:
    """The equations of motion from a state, its time and its state variables."""
    end = 1.0 if state is None else state.getTime() + 1.0
    return start(oi.Problem(inertial, state, end, excitations, equilibrate=equilibrate))


def slope(function: Callable[[float], Array], size: float) -> Array:
    """The derivative at zero: central differences extrapolated twice, the best of several steps."""
    estimates = []
    for h in size * np.array(STEPS):
        d = [(function(h / 2**k) - function(-h / 2**k)) / (2 * h / 2**k) for k in range(3)]
        e = [(4 * d[1] - d[0]) / 3, (4 * d[2] - d[1]) / 3]
        estimates.append((16 * e[1] - e[0]) / 15)
    apart = [np.abs(one - two).max() for one, two in zip(estimates, estimates[1:], strict=False)]
    return estimates[int(np.nanargmin(apart)) + 1]


def state_matrix(system: System, t: float, y: Array, state_names: tuple[str, ...]) -> Array:
    """d(rates)/d(states) of the independent state variables named; the other coordinates and speeds follow them."""
    places = dict(zip(system.layout.names, system.layout.order.tolist(), strict=True))
    independent = [places[name] for name in state_names]
    matrix = np.zeros((len(independent), len(independent)))
    for k, i in enumerate(independent):
        unit = np.eye(len(y))[i]
        matrix[:, k] = slope(
            lambda s, unit=unit: system.rhs(t, _onto(system, t, y + s * unit, independent))[independent],
            max(0.1, abs(y[i])),
        )
    return matrix


def _onto(system: System, t: float, y: Array, independent: list[int]) -> Array:
    """A state on the constraints: coordinates and speeds that are not independent are moved, by Newton's method."""
    if not system.is_constrained:
        return y
    y = y.copy()
    q = np.array([i for i in system.layout.coordinates.slots.tolist() if i not in independent])
    u = np.array([i for i in range(system.nq, system.nq + system.nu) if i not in independent])
    for entries, errors in ((q, "getQErr"), (u, "getUErr")):
        for _ in range(6):
            error = _error(system, t, y, errors)
            if not len(error) or np.abs(error).max() < 1e-14:
                break
            steps = 1e-6 * np.eye(len(y))[entries]
            slopes = np.column_stack(
                [(_error(system, t, y + s, errors) - _error(system, t, y - s, errors)) / 2e-6 for s in steps]
            )
            y[entries] -= np.linalg.lstsq(slopes, error, rcond=1e-7)[0]
    return y


def _error(system: System, t: float, y: Array, which: str) -> Array:
    state = system.set_state(t, y)
    system.model.realizeVelocity(state)
    return np.array(getattr(state, which)().to_numpy())
