"""A row of a model of 520 muscles at which the linear program of ``min_max`` has hardly any room: it was given up."""

from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import linprog

import opensim_inertia as oi

#: Forces per activation of 115 coordinates by 520 muscles and 144 reserves, forces asked for, bounds, and which are
#: muscles, at 0.14 s of angles that swing by 0.1 rad once a second.
CASE = Path(__file__).parent / "data" / "cyclist_row.npz"


@pytest.mark.slow
def test_a_row_with_little_room_is_solved() -> None:
    pytest.importorskip("daqp", reason="recruitment needs DAQP")
    case = np.load(CASE)
    A = np.zeros(case["shape"])
    A[case["rows"], case["columns"]] = case["values"]
    b, lower, upper, muscles = (case[name] for name in ("right", "lower", "upper", "muscles"))
    solution = oi.recruitment.solve_recruitment(A, b, lower, upper, criterion="min_max", muscles=muscles)
    assert solution.status == "solved"
    a = solution.activations
    assert (a >= lower).all() and (a <= upper).all() and 0.99 < solution.objective <= 1.0
    # the equations are met to what solvers tolerate, in units of the largest force of each
    assert (np.abs(solution.missing) <= 1e-7 * np.abs(A).max(axis=1)).all()
    # reserves help as little as can be: a linear program of its own, by SciPy's defaults, needs as much

    helping = ~muscles
    split = linprog(
        np.r_[helping.astype(float), helping.astype(float)],
        A_eq=np.hstack([A, -A]),
        b_eq=b,
        bounds=np.column_stack(
            [
                np.r_[np.maximum(lower, 0), np.maximum(-upper, 0)],
                np.r_[np.maximum(upper, 0), np.maximum(-lower, 0)],
            ]
        ),
    )
    assert split.status == 0
    assert np.abs(a[helping]).sum() == pytest.approx(split.fun, rel=1e-4)
