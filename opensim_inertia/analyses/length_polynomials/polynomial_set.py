"""Results of fits: length polynomials, their errors and files."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ..._core.arrays import Array
from ..._core.errors import (
    OPENSIM_ERRORS,
    FileFormatError,
    ModelError,
    OptionError,
    OtherModelError,
    OutputError,
    PolynomialError,
    opensim_reason,
)
from ..._core.opensim import osim, quiet
from ..._core.polynomials import Polynomials
from ..._core.processes import scratch_folder
from ..._core.provenance import versions
from ..._core.representation import Described
from ...files.atomic import writing
from ...files.documents import LENGTH_POLYNOMIALS, read_document, write_document
from ...muscles.masses.estimate import select_muscles
from ...opensim_model.reading.components import model_muscles
from ...opensim_model.reading.coordinates import CoordinateTable, read_coordinates
from ...opensim_model.reading.loading import InitialisedModel, initialise, model_of_xml, model_xml
from ...paths.survey_comparison import PathJump
from .samples import (
    PathLengths,
    PoseSet,
    PoseSource,
    Turn,
    Variables,
    check_fingerprint,
    fingerprint,
    opensim_lengths,
    read_poses,
)

#: Poses along a coordinate's range.
ALONG = 61
#: Root mean square errors of the length [m] and of moment arms about rotations [m] (NaN without rotations), then the
#: largest errors.
ERRORS = ("length", "arm", "largest_length", "largest_arm")
Sizes = dict[str, float]


@dataclass(frozen=True, eq=False)
class LengthPolynomial:
    """Polynomial of one muscle's length."""

    polynomial: Polynomials  # length [m] as a function of the variables; one output
    columns: tuple[int, ...]  # indices of the variables
    speeds: tuple[int, ...]  # indices of the free coordinates on which the muscle acts
    rmse: Array  # root mean square of all weighted errors after each selected term, (T,)
    errors: Sizes  # errors at the poses, see :func:`errors_of`
    jump: float = 0.0  # largest jump of the path between poses [m]

    def to_dict(self) -> dict[str, Any]:
        """Return the polynomial as JSON types."""
        return {
            "polynomial": self.polynomial.to_dict(),
            "columns": list(self.columns),
            "speeds": list(self.speeds),
            "rmse": self.rmse.tolist(),
            "errors": {name: None if np.isnan(value) else value for name, value in self.errors.items()},
            "jump": self.jump,
        }

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> LengthPolynomial:
        """Return the polynomial of ``stored``; raise KeyError, TypeError, ValueError or PolynomialError if damaged."""
        sizes = stored["errors"]
        return cls(
            Polynomials.from_dict(stored["polynomial"]),
            tuple(int(column) for column in stored["columns"]),
            tuple(int(speed) for speed in stored["speeds"]),
            np.array(stored["rmse"], dtype=float),
            {name: np.nan if sizes[name] is None else float(sizes[name]) for name in ERRORS},
            float(stored["jump"]),
        )


def errors_of(
    polynomial: Polynomials, x: Array, motions: Array, length: Array, slopes: Array, turns: Array
) -> dict[str, float]:
    """Return a fit's errors of lengths (P,), and of slopes dL/dq (P, m) by rotations; ``motions`` are dx/dq."""
    length_errors = polynomial.values(x)[:, 0] - length
    arm_errors = (np.einsum("pn,pnm->pm", polynomial.jacobian(x)[:, 0], motions) - slopes)[:, turns]
    errors = [float(np.sqrt(np.mean(length_errors**2))), np.nan, float(np.abs(length_errors).max()), np.nan]
    if arm_errors.size:
        errors[1::2] = float(np.sqrt(np.mean(arm_errors**2))), float(np.abs(arm_errors).max())
    return dict(zip(ERRORS, errors, strict=True))


def _function(polynomial: Polynomials) -> osim.MultivariatePolynomialFunction:
    """Convert a polynomial with one output to an OpenSim function."""
    plain = polynomial.expanded()
    coefficient_of = {
        tuple(row): float(c) for row, c in zip(plain.exponents.tolist(), plain.coefficients[:, 0], strict=True)
    }
    order = int(plain.exponents.sum(axis=1).max())
    coefficients = np.array([coefficient_of.get(exponents, 0.0) for exponents in _in_order(plain.variables, order)])
    return osim.MultivariatePolynomialFunction(osim.Vector.createFromMat(coefficients), plain.variables, order)


def _in_order(variables: int, order: int) -> list[tuple[int, ...]]:
    """Return the exponents of all terms in OpenSim's order of coefficients: the last exponent changes fastest."""
    if variables == 0:
        return [()]
    return [(e, *rest) for e in range(order + 1) for rest in _in_order(variables - 1, order - e)]


@dataclass(frozen=True, eq=False)
class FitSamples:
    """Data for a fit at poses: variables, path lengths, and derivatives of both with respect to free coordinates."""

    pose_set: PoseSet
    x: Array  # variables, (P, n)
    motions: Array  # variables' derivatives with respect to free coordinates, (P, n, F)
    names: list[str]  # names of the muscles
    lengths: Array  # lengths of the paths, (P, M) [m]
    slopes: Array  # lengths' derivatives with respect to free coordinates, (P, M, F)
    rotational: Any  # whether free coordinates are rotations, (F,)

    def of(self, number: int, columns: Sequence[int], speeds: Sequence[int]) -> tuple[Array, Array, Array, Array, Any]:
        """Return one muscle's variables, lengths and derivatives as arguments of :func:`errors_of`."""
        chosen = list(speeds)
        return (
            self.x[:, list(columns)],
            self.motions[:, list(columns)][:, :, chosen],
            self.lengths[:, number],
            self.slopes[:, number, chosen],
            self.rotational[chosen],
        )


@dataclass(frozen=True, eq=False)
class FittedCurve:
    """A length or moment arm as two curves, by OpenSim and by the fitted polynomial.

    Attributes:
        quantity: name and unit of the quantity.
        label: name and unit of ``places``.
        places: abscissae of the curves, (P,).
        exact, fitted: curves by OpenSim and by the polynomial, (P,).
    """

    quantity: str
    label: str
    places: Array
    exact: Array
    fitted: Array


class LengthPolynomials(Described):
    """Musculotendon lengths as polynomials, from :func:`~opensim_inertia.fit_length_polynomials`.

    Polynomials have lengths and moment arms but no positions, so that they carry no mass.

    Attributes:
        model: a copy of the user's model.
        by_muscle: each muscle's polynomial.
        options: options of the fit: "rotations", "stop", "degree", "wrapping", "poses" as text, and "motion" with its
            file and SHA-256.
    """

    def __init__(
        self,
        model: osim.Model,
        coordinates: CoordinateTable,
        variables: Variables,
        by_muscle: Mapping[str, LengthPolynomial],
        options: Mapping[str, Any],
        samples: FitSamples | None = None,
        jumps: Mapping[str, PathJump] | None = None,
    ) -> None:
        self.model, self._coordinates, self._variables = model, coordinates, variables
        self.by_muscle, self.options = dict(by_muscle), dict(options)
        self._samples, self._jumps = samples, dict(jumps or {})

    def __getstate__(self) -> dict[str, Any]:
        # OpenSim's objects cannot be pickled: they are rebuilt from the model's XML and the quaternion joints.
        stored = {
            key: value for key, value in self.__dict__.items() if key not in ("model", "_coordinates", "_variables")
        }
        return stored | {"xml": model_xml(self.model), "turns": self._variables.turns}

    def __setstate__(self, stored: dict[str, Any]) -> None:
        xml, turns = stored.pop("xml"), stored.pop("turns")
        self.__dict__.update(stored)
        self.model = model_of_xml(xml)
        self._coordinates = read_coordinates(self.model, initialise(self.model))
        self._variables = Variables(self.model, self._coordinates, turns)

    @property
    def muscle_names(self) -> tuple[str, ...]:
        """Names of the muscles."""
        return tuple(self.by_muscle)

    @property
    def coordinate_names(self) -> tuple[str, ...]:
        """Names of the free coordinates: neither locked nor coupled."""
        return self._variables.free.names

    @cached_property
    def jumps(self) -> pd.DataFrame:
        """Largest jump of each path between poses: index ``muscle``; columns size, and a pose next to the jump.

        Polynomials read from a file have sizes only.
        """
        rows = [
            {"jump [mm]": 1e3 * fit.jump, **(self._jumps[name].pose if name in self._jumps else {})}
            for name, fit in self.by_muscle.items()
            if fit.jump
        ]
        names = [name for name, fit in self.by_muscle.items() if fit.jump]
        return pd.DataFrame(rows, index=pd.Index(names, name="muscle"), columns=None if rows else ["jump [mm]"])

    def summary(self) -> pd.DataFrame:
        """Return each muscle's number of variables and terms, errors at the poses, and largest jump of the path.

        Index ``muscle``. Columns: ``variables``, their number; ``degree``; ``terms``, their number; ``length RMSE
        [mm]``; ``arm RMSE [mm]`` of moment arms about rotations; ``length max [mm]`` and ``arm max [mm]``, the largest
        errors; ``jump [mm]``, the largest jump of the path between poses, or 0.
        """
        rows = [
            {
                "variables": len(fit.columns),
                "degree": int(fit.polynomial.exponents.sum(axis=1).max()),
                "terms": len(fit.polynomial.exponents),
                "length RMSE [mm]": 1e3 * fit.errors["length"],
                "arm RMSE [mm]": 1e3 * fit.errors["arm"],
                "length max [mm]": 1e3 * fit.errors["largest_length"],
                "arm max [mm]": 1e3 * fit.errors["largest_arm"],
                "jump [mm]": 1e3 * fit.jump,
            }
            for fit in self.by_muscle.values()
        ]
        return pd.DataFrame(rows, index=pd.Index(self.by_muscle, name="muscle"))

    def variables_of(self, muscle: str) -> tuple[str, ...]:
        """Return the names of a muscle's variables; ``joint.Q1`` is a quaternion's first vector component.

        Raises:
            UnknownNameError: the muscle was not fitted.
        """
        return tuple(self._variables.names[column] for column in self._of(muscle).columns)

    def lengths(self, poses: PoseSource) -> pd.DataFrame:
        """Return the muscles' lengths [m], one row per pose and one column per muscle.

        Args:
            poses: see :func:`~opensim_inertia.fit_length_polynomials`; the index is the time of a motion [s], or the
                number of the pose.

        Raises:
            MotionError: a pose is NaN, or too far from the fitted poses for quaternions.
        """
        pose_set, at, _ = self._at(poses)
        lengths = {
            name: fit.polynomial.values(at[0][:, list(fit.columns)])[:, 0] for name, fit in self.by_muscle.items()
        }
        return pd.DataFrame(lengths, index=_index(pose_set))

    def moment_arms(self, muscle: str, poses: PoseSource) -> pd.DataFrame:
        """Return a muscle's moment arms, one row per pose and one column per coordinate that the muscle moves.

        Moment arms [m, or 1 for translations] are positive if tension increases the coordinate, as in OpenSim. If the
        rate of a coordinate is not a speed of the model, as in ball joints, the moment arm is the generalized force at
        this speed per unit of tension, and the column's name ends with ``_u``.

        Raises:
            UnknownNameError: the muscle was not fitted. MotionError: see :meth:`lengths`.
        """
        fit = self._of(muscle)
        pose_set, at, _ = self._at(poses)
        names = [self._speed_name(speed) for speed in fit.speeds]
        return pd.DataFrame(self._arms(fit, at), index=_index(pose_set), columns=names)

    def comparison(self, muscle: str, poses: PoseSource | None = None) -> list[FittedCurve]:
        """Return a muscle's moment arms, fitted and by OpenSim, over a motion or over each coordinate's range.

        Args:
            muscle: its name.
            poses: a motion; the length is then compared, too. Default: the fitted motion. Without a motion each
                coordinate goes through the range of the fitted poses while the others stay in the middle of theirs.

        Raises:
            UnknownNameError: the muscle was not fitted. OptionError: there are no poses.
        """
        fit, fitted_poses = self._of(muscle), None if self._samples is None else self._samples.pose_set
        times, sets = None, list[tuple[Any, PoseSource, str, Any]]()  # speeds, poses, label and abscissae of curves
        if poses is None and fitted_poses is not None and fitted_poses.times is not None:
            poses, times = fitted_poses.q, fitted_poses.times
        if poses is not None:
            sets.append((fit.speeds, poses, "", times))
        elif fitted_poses is None:
            expected = "poses to compare at: polynomials that were read from a file have none of their own"
            raise OptionError("poses", None, expected)
        else:
            low, high = fitted_poses.q.min(axis=0), fitted_poses.q.max(axis=0)
            for speed in fit.speeds:
                place = self._variables.free.places[speed]
                q = np.tile((low + high) / 2, (ALONG, 1))
                q[:, place] = along = np.linspace(low[place], high[place], ALONG)
                unit, along = ("deg", np.degrees(along)) if self._coordinates.rotational[place] else ("m", along)
                sets.append(([speed], q, f"{self.coordinate_names[speed]} [{unit}]", along))
        curves = []
        for speeds, source, label, places in sets:
            pose_set, at, drives = self._at(source)
            opensim = PathLengths(self.model, self._coordinates, [muscle])
            lengths, slopes = (each[:, 0] for each in opensim.measure(pose_set.q, drives, False))
            if not label:
                places = pose_set.times if places is None else places
                label = "pose" if places is None else "time [s]"
                places = np.arange(float(len(pose_set.q))) if places is None else places
                fitted = fit.polynomial.values(at[0][:, list(fit.columns)])[:, 0]
                curves.append(FittedCurve("length [mm]", label, places, 1e3 * lengths, 1e3 * fitted))
            arms = self._arms(fit, at)
            for speed in speeds:
                name, turns = self._speed_name(speed), self._coordinates.rotational[self._variables.free.places[speed]]
                title, factor = (f"arm, {name} [mm]", 1e3) if turns else (f"arm, {name} [1]", 1.0)
                exact, ours = -factor * slopes[:, speed], factor * arms[:, fit.speeds.index(speed)]
                curves.append(FittedCurve(title, label, places, exact, ours))
        return curves

    def to_function_based_paths(self, path: str | os.PathLike[str]) -> None:
        """Write the lengths as OpenSim's set of function-based paths (``SetFunctionBasedPaths``, ``.xml``).

        ``osim.ModelFactory.replacePathsWithFunctionBasedPaths`` replaces a model's paths with them.

        Raises:
            OptionError: the variables are quaternions, which OpenSim's functions do not support.
            ModelError: the rate of a variable is not one of the model's speeds.
            OutputError: the file cannot be written.
        """
        if self.options["rotations"] != "euler":
            raise OptionError(
                "rotations", self.options["rotations"], "'euler': OpenSim's function-based paths are of coordinates"
            )
        angular = [n for m in self.by_muscle for n in self.variables_of(m) if n in self._variables.angular]
        if angular:
            raise ModelError(
                f"coordinate '{angular[0]}' of model '{self.model.getName()}': its rate is not one of the model's "
                "speeds, which function-based paths need; leave out the muscles that span its joint"
            )
        muscles, coordinate_set = model_muscles(self.model), self.model.getCoordinateSet()
        collected = osim.SetFunctionBasedPaths()
        for name, fit in self.by_muscle.items():
            replacement = osim.FunctionBasedPath()
            replacement.setName(muscles[name].getAbsolutePathString())
            places = [coordinate_set.get(variable).getAbsolutePathString() for variable in self.variables_of(name)]
            replacement.setCoordinatePaths(osim.StdVectorString(places))
            replacement.setLengthFunction(_function(fit.polynomial))
            collected.cloneAndAppend(replacement)
        with scratch_folder() as scratch, writing(Path(path)) as temporary:
            try:
                with quiet():
                    collected.printToXML(str(scratch / "paths.xml"))
            except OPENSIM_ERRORS as error:
                raise OutputError(path, opensim_reason(error)) from None
            temporary.write_bytes((scratch / "paths.xml").read_bytes())

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the polynomials, without the fitted samples, to a JSON file.

        :func:`~opensim_inertia.length_polynomials.load_length_polynomials` reads the file.

        Args:
            path: the file; the usual name is ``NAME.length_polynomials.json``.

        Raises:
            OutputError: the file cannot be written.
        """
        lengths_of = opensim_lengths(self.model, self._coordinates)
        content = {
            "model": fingerprint(self.model, self._coordinates, self.muscle_names, lengths_of),
            "options": self.options,
            "quaternions": [vars(turn) for turn in self._variables.turns],
            "variables": list(self._variables.names),
            "coordinates": list(self.coordinate_names),
            "muscles": {name: fit.to_dict() for name, fit in self.by_muscle.items()},
            "versions": versions(),
        }
        write_document(path, LENGTH_POLYNOMIALS, content)

    def description(self) -> Mapping[str, str]:
        """Return the model, the number of muscles and the options as text."""
        facts = {"model": self.model.getName(), "muscles": str(len(self.by_muscle))}
        facts |= {name: str(self.options[name]) for name in ("rotations", "poses")}
        return facts | {"stop": f"{100 * self.options['stop']:g} %"}

    def _of(self, muscle: str) -> LengthPolynomial:
        return self.by_muscle[select_muscles(self.muscle_names, [muscle])[0]]

    def _at(self, poses: PoseSource) -> tuple[PoseSet, tuple[Array, Array], Array]:
        pose_set = read_poses(self.model, self._coordinates, poses)
        drives = self._variables.free.drives(pose_set.q)
        return pose_set, self._variables.at(pose_set.q, drives), drives

    def _arms(self, fit: LengthPolynomial, at: tuple[Array, Array]) -> Array:
        x, motions = at[0][:, list(fit.columns)], at[1][:, list(fit.columns)][:, :, list(fit.speeds)]
        return -np.einsum("pn,pnm->pm", fit.polynomial.jacobian(x)[:, 0], motions)

    def _speed_name(self, speed: int) -> str:
        name = self.coordinate_names[speed]
        return f"{name}_u" if name in self._variables.angular else name


def _index(pose_set: PoseSet) -> pd.Index:
    if pose_set.times is None:
        return pd.RangeIndex(len(pose_set.q), name="pose")
    return pd.Index(pose_set.times, name="time")


def load_length_polynomials(
    path: str | os.PathLike[str], model: osim.Model | str | os.PathLike[str]
) -> LengthPolynomials:
    """Read polynomials from a file of :meth:`~opensim_inertia.length_polynomials.LengthPolynomials.save`.

    Args:
        path: the file.
        model: the fitted model, or the path of its ``.osim`` file; it is not modified.

    Raises:
        FileFormatError: the file is missing, damaged, of another version, or of another kind, such as polynomial paths.
        OtherModelError: coordinates, muscles or lengths of paths differ from the model's.
        ModelError: the model is missing or malformed.
    """
    stored = read_document(path, LENGTH_POLYNOMIALS)
    ready = InitialisedModel.of(model)
    copy, coordinates = ready.model, ready.coordinates
    try:
        where = f"{os.fspath(path)}: the length polynomials are"
        check_fingerprint(stored["model"], copy, coordinates, opensim_lengths(copy, coordinates), where)
        variables = Variables(copy, coordinates, [_turn(each) for each in stored["quaternions"]])
        if list(variables.names) != stored["variables"] or list(variables.free.names) != stored["coordinates"]:
            raise OtherModelError(f"{path}: other coordinates of model '{copy.getName()}' are locked or follow others")
        polynomials = {name: LengthPolynomial.from_dict(each) for name, each in stored["muscles"].items()}
        for name, fit in polynomials.items():
            if len(fit.columns) != fit.polynomial.variables or max(fit.columns) >= len(variables.names):
                raise ValueError(f"the polynomial of '{name}' does not fit its variables")
        return LengthPolynomials(copy, coordinates, variables, polynomials, dict(stored["options"]))
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, PolynomialError) as error:
        raise FileFormatError(path, f"it is damaged: {error!r}") from None


def _turn(stored: dict[str, Any]) -> Turn:
    """Return the rotation that a quaternion describes, from its entry in a file."""
    x, y, z, w = (float(number) for number in stored["reference"])
    joint, parent, child = (str(stored[key]) for key in ("joint", "parent", "child"))
    return Turn(joint, parent, child, tuple(stored["coordinates"]), tuple(stored["turning"]), (x, y, z, w))
