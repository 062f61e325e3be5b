"""The polynomial of one muscle's length, how well it fits, and polynomials as OpenSim's function-based paths."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..._core.arrays import Array
from ..._core.errors import OPENSIM_ERRORS, OutputError, opensim_reason
from ..._core.opensim import osim, quiet
from ..._core.polynomials import Polynomials
from ..._core.processes import scratch_folder
from ...files.atomic import writing
from ...opensim_model.reading.components import model_muscles


@dataclass(frozen=True)
class Errors:
    """How far polynomials are from what they were fitted to.

    Attributes:
        length, arm: root mean square of the errors of the length [m], and of the moment arms of all coordinates that
            turn [m]; NaN if none does.
    """

    length: float
    arm: float
    largest_length: float  # (with largest_arm) the largest errors in size [m]
    largest_arm: float


@dataclass(frozen=True, eq=False)
class LengthPolynomial:
    """The polynomial of one muscle's length."""

    polynomial: Polynomials  # the length [m] as a function of the variables; one output
    columns: tuple[int, ...]  # the variables' places among those of all muscles
    speeds: tuple[int, ...]  # the free coordinates on which the muscle acts, by their places
    rmse: Array  # root mean square of all weighted errors once the first, the second, ... term was there, (T,)
    errors: Errors  # of the polynomial at the poses
    jump: float = 0.0  # the largest jump of the path between the poses [m]; 0 if none was found

    def to_dict(self) -> dict[str, Any]:
        """Return the polynomial as JSON knows it."""
        return {
            "polynomial": self.polynomial.to_dict(),
            "columns": list(self.columns),
            "speeds": list(self.speeds),
            "rmse": self.rmse.tolist(),
            "errors": {name: None if np.isnan(value) else value for name, value in vars(self.errors).items()},
            "jump": self.jump,
        }

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> LengthPolynomial:
        """Return what :meth:`to_dict` described; KeyError, TypeError, ValueError or PolynomialError if damaged."""
        sizes = stored["errors"]
        errors = {name: float("nan") if sizes[name] is None else float(sizes[name]) for name in Errors.__annotations__}
        return cls(
            Polynomials.from_dict(stored["polynomial"]),
            tuple(int(column) for column in stored["columns"]),
            tuple(int(speed) for speed in stored["speeds"]),
            np.array(stored["rmse"], dtype=float),
            Errors(**errors),
            float(stored["jump"]),
        )


def errors_of(polynomial: Polynomials, x: Array, motions: Array, length: Array, slopes: Array, turns: Array) -> Errors:
    """Return the errors of a polynomial at P poses.

    Given: its variables (P, n), their derivatives (P, n, m) with respect to m coordinates, lengths (P,) [m], the
    lengths' derivatives (P, m), and which of the coordinates are rotations.
    """
    length_errors = polynomial.values(x)[:, 0] - length
    arm_errors = (np.einsum("pn,pnm->pm", polynomial.jacobian(x)[:, 0], motions) - slopes)[:, turns]
    nothing = float("nan")
    return Errors(
        float(np.sqrt(np.mean(length_errors**2))),
        float(np.sqrt(np.mean(arm_errors**2))) if arm_errors.size else nothing,
        float(np.abs(length_errors).max()),
        float(np.abs(arm_errors).max()) if arm_errors.size else nothing,
    )


def write_function_based_paths(
    model: osim.Model,
    polynomials: Mapping[str, LengthPolynomial],
    variables: Sequence[str],
    path: str | os.PathLike[str],
) -> None:
    """Write polynomials of coordinates as a ``SetFunctionBasedPaths``; OutputError: the file cannot be written."""
    muscles, coordinate_set = model_muscles(model), model.getCoordinateSet()
    collected = osim.SetFunctionBasedPaths()
    for name, fit in polynomials.items():
        replacement = osim.FunctionBasedPath()
        replacement.setName(muscles[name].getAbsolutePathString())
        places = [coordinate_set.get(variables[column]).getAbsolutePathString() for column in fit.columns]
        replacement.setCoordinatePaths(osim.StdVectorString(places))
        replacement.setLengthFunction(_function(fit.polynomial))
        collected.cloneAndAppend(replacement)
    with scratch_folder() as scratch:
        printed = scratch / "paths.xml"
        try:
            with quiet():
                collected.printToXML(str(printed))
        except OPENSIM_ERRORS as error:
            raise OutputError(path, opensim_reason(error)) from None
        with writing(Path(path)) as temporary:
            temporary.write_bytes(printed.read_bytes())


def _function(polynomial: Polynomials) -> osim.MultivariatePolynomialFunction:
    """Return a polynomial of one output as OpenSim's function, which has all terms up to an order."""
    plain = polynomial.expanded()
    coefficient_of = {
        tuple(row): float(c) for row, c in zip(plain.exponents.tolist(), plain.coefficients[:, 0], strict=True)
    }
    order = int(plain.exponents.sum(axis=1).max())
    coefficients = np.array([coefficient_of.get(exponents, 0.0) for exponents in _in_order(plain.variables, order)])
    return osim.MultivariatePolynomialFunction(osim.Vector.createFromMat(coefficients), plain.variables, order)


def _in_order(variables: int, order: int) -> list[tuple[int, ...]]:
    """Return exponents in the order of OpenSim's coefficients: the last variable's rises fastest."""
    if variables == 0:
        return [()]
    return [(e, *rest) for e in range(order + 1) for rest in _in_order(variables - 1, order - e)]
