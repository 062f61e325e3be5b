"""Fibres between aponeuroses in the kernel, against the slow reference that sums over the square of material."""

from dataclasses import astuple, replace

import numpy as np
import pytest
from oracles import chain
from oracles.fibre_cases import ALL, Case, apart, cases
from oracles.finite_differences import Array
from oracles.kernel_records import fixed, muscle
from oracles.numpy_kernel import Continuous, Fibres, Points, Terms, evaluate

from opensim_inertia import _kernel

SAME = 1e-11
"""Relative to the largest entry: the same sums in another order, in which moments about elements' middles cancel."""
MASS = 2.0
GRAVITY = (0.5, -9.80665, 0.3)
AT = [(0.1, 0.03), (0.9, 0.2), (0.5, 0.5), (0.2, 0.95), (0.0, 0.7), (1.0, 1.0)]
MASSES = [0.1, 0.5, 0.3, 0.2, 0.05, 0.4]


def state(case: Case, q: Array, u: Array) -> _kernel.State:
    """A state of the case's chain as the kernel takes it; ground comes first."""
    bodies = chain.bodies(case.chain, q, u)
    rows = [
        [b.rotation for b in bodies],
        [b.position for b in bodies],
        np.concatenate([b.jacobian for b in bodies]),
        *[[np.concatenate([b.alpha, b.acceleration]) for b in bodies]] * 2,
    ]
    return _kernel.State(q, u, *(np.ascontiguousarray(x, float) for x in rows))


def built(case: Case, points: bool = False) -> _kernel.Kernel:
    path = [fixed(body, station) for body, station in case.stations]
    fibres = muscle("fibres", path, astuple(case.material), MASS, (AT, MASSES) if points else None)
    return _kernel.Kernel(len(case.chain) + 1, len(case.chain), np.array(GRAVITY), [fibres])


def terms(case: Case, kernel: _kernel.Kernel) -> Terms:
    answer = kernel.evaluate(state(case, case.q, case.u))
    return Terms(answer.mass_matrix, answer.bias, answer.gravity, answer.kinetic, answer.potential)


@cases(range(4), slow=range(4, 8))
def test_continuous_mass(kind: str, seed: int) -> None:
    case = Case(kind, seed)
    expected = evaluate(case.here, case.material, Fibres(MASS), GRAVITY)
    assert apart(terms(case, built(case)), expected, *ALL) < SAME


@cases(range(4))
def test_points(kind: str, seed: int) -> None:
    case = Case(kind, seed)
    expected = evaluate(case.here, case.material, Points(AT, MASSES), GRAVITY)
    assert apart(terms(case, built(case, points=True)), expected, *ALL) < SAME


@pytest.mark.parametrize("fraction", [0.0, 1e-12, 1e-7])
@cases(range(2))
def test_short_aponeuroses(kind: str, seed: int, fraction: float) -> None:
    """Down to none, where the square is the line: nothing is divided by their length."""
    case = Case(kind, seed)
    case.material = replace(case.material, aponeurosis=fraction)
    kernel_terms = terms(case, built(case))
    assert apart(kernel_terms, evaluate(case.here, case.material, Fibres(MASS), GRAVITY), *ALL) < SAME
    if fraction == 0.0:
        assert apart(kernel_terms, evaluate(case.here, case.material, Continuous(MASS), GRAVITY), *ALL) < SAME
