"""Length polynomials as OpenSim's own function-based paths."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from ..._core.errors import OPENSIM_ERRORS, OutputError, opensim_reason
from ..._core.numerics.polynomial import Polynomials
from ..._core.opensim import osim, quiet
from ..._core.scratch import scratch_folder
from ...files.atomic import writing
from ...opensim_model.reading.components import model_muscles
from .length_polynomial import LengthPolynomial


def write_function_based_paths(
    model: osim.Model,
    polynomials: Mapping[str, LengthPolynomial],
    variables: Sequence[str],
    path: str | os.PathLike[str],
) -> None:
    """Write polynomials of coordinates as a ``SetFunctionBasedPaths``; OutputError: the file cannot be written.

    Each is named by its muscle's place in the model, as ``PolynomialPathFitter`` names its own.
    """
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
