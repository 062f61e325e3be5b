"""Answers beyond reason: generalized forces and activations that no body can make, and where they begin.

The largest moments of human joints that the literature reports are about 5 N m per kilogram of body mass, in running,
jumping and landing up to 10. Beyond :data:`MOMENT` at a joint the inputs are wrong. A few such rows are marked, and
many are refused. The limit holds for bodies of the size of a person or smaller; longer bodies have longer levers, and
it grows with their extent.
Two kinds of forces have no such limit, and only :data:`ANY`, far beyond all of them: what acts on coordinates that move
the whole model in ground, which are residuals and as large as what was left out; and whatever acts in a model that is
fixed to ground, as an arm or a finger, whose own mass says little about what it carries: of these moments beyond the
first limit are warned of, if they are larger than what the loads make at the model's extent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ..._core.arrays import Array
from ..._core.choices import Implausible
from ..._core.diagnostics import Diagnostic
from ..._core.errors import Option
from ...model import InertialModel
from ...opensim_model.reading.coordinates import base_coordinates
from ...opensim_model.setups.loads import Loads

__all__ = ["activation_findings", "force_findings", "model_mass"]

MOMENT = 20.0
"""No joint of a body that moves freely makes more [N m per kg of body mass]."""
ANY = 1000.0
"""No generalized force is larger [N m or N, per kg of body mass]."""
PERSON = 2.0
"""The limit grows with the model's extent beyond that of a person [m]."""
ACTIVATION = 1e3
"""No muscle's activation is larger."""
FEW = 0.1
"""Of more rows beyond these limits the rest is no answer either."""


def force_findings(
    inertial: InertialModel,
    times: Array,
    forces: Mapping[str, Array],
    loads: Loads | None = None,
    net: bool = True,
    cutoff: float | None = None,
    implausible: Implausible = "refuse",
) -> tuple[NDArray[np.bool_], list[Diagnostic]]:
    """Return marked rows (T,), and a finding where a generalized force is one that no body can make.

    Args:
        inertial: the model.
        times: (T,) [s].
        forces: by what they are called, (T, nu) [N m or N]. Rows that are nothing but NaN in all have no answer.
        loads: the external loads.
        net: whether these are what all muscles make together: not so where muscles of the model act besides.
        cutoff: of the motion's filter [Hz].
        implausible: "refuse": rows with such forces are an error, or marked where they are few; "warn": a warning.
    """
    marked = np.zeros(len(times), dtype=bool)
    names = inertial.coordinate_names
    unanswered = np.all([np.isnan(each).all(axis=1) for each in forces.values()], axis=0)
    for kind, each in forces.items():
        bad = np.argwhere(~np.isfinite(each) & ~unanswered[:, None])
        if len(bad):
            row, column = bad[0].tolist()
            text = f"the {kind} force at '{names[column]}' is {each[row, column]} at time {times[row]:.6g} s"
            return marked, [Diagnostic("error", "answer", "the answer", text, ("see the motion and the loads there",))]
    mass = model_mass(inertial)
    if not mass > 0:
        return marked, []
    on_base = np.array(base_coordinates(inertial.model, inertial.coordinates))
    rotational = np.array(inertial.coordinates.rotational)
    extent = _extent(inertial)
    joint = MOMENT * mass * max(1.0, extent / PERSON)
    moments = np.where(rotational & ~on_base & net, joint, ANY * mass)
    doubtful = None
    if net and not on_base.any():
        moments, doubtful = np.full(len(names), ANY * mass), moments + _largest(loads) * max(extent, 1.0)
    every = np.any([(np.abs(each) > moments).any(axis=1) for each in forces.values()], axis=0)
    refuses = implausible == "refuse"
    if refuses and every.mean() <= FEW:
        marked = every
    worst_severity = "error" if refuses and not marked.any() else "warning"
    for severity, limits in ((worst_severity, moments), ("warning", doubtful)):
        if limits is None:
            continue
        for kind, each in forces.items():
            beyond = np.argwhere(np.abs(each) > limits)
            if len(beyond):
                row, column = beyond[0].tolist()
                worst = np.unravel_index(int(np.nanargmax(np.abs(each) / limits)), each.shape)
                unit = "N m" if rotational[column] else "N"
                peak_unit = "N m" if rotational[worst[1]] else "N"
                text = (
                    f"no body makes the {kind} force at '{names[column]}' of {each[row, column]:.4g} {unit} at time "
                    f"{times[row]:.6g} s, {abs(each[row, column]) / mass:.3g} per kg of body mass ({mass:.4g} kg; "
                    f"expected at most {limits[column] / mass:.3g}); it begins there, and reaches {each[worst]:.4g} "
                    f"{peak_unit} at '{names[worst[1]]}' at {times[worst[0]]:.6g} s"
                )
                cure: tuple[object, ...] = ("see the motion (jumps, units, times) and the loads (units, times) there",)
                if cutoff is None:
                    cure += (", and filter the motion (", Option("cutoff", 6.0, "Recording"), ")")
                if severity == "error":
                    cure += ("; ", Option("implausible", "warn"), " gives such answers all the same")
                elif marked.any():
                    cure += (f"; {marked.sum()} of {len(times)} rows are marked as doubtful, and left out of peaks",)
                return marked, [Diagnostic(severity, "size of the answer", "the answer", text, cure)]
    return marked, []


def activation_findings(times: Array, muscles: Sequence[str], activations: Array) -> list[Diagnostic]:
    """Return a finding of activations (T, muscles) that no muscle has, if there are such. Rows of NaN have none."""
    beyond = np.argwhere((np.abs(activations) > ACTIVATION) | np.isinf(activations))
    if not len(beyond):
        return []
    row, column = beyond[0].tolist()
    text = (
        f"no muscle has the activation {activations[row, column]:.4g}, which comes out for '{muscles[column]}' at time "
        f"{times[row]:.6g} s first"
    )
    return [
        Diagnostic(
            "error", "answer", "the answer", text, ("see the motion, the loads and the muscle's strength there",)
        )
    ]


def model_mass(inertial: InertialModel) -> float:
    """Return the mass of the whole model [kg], with muscles that are subtracted from no segment."""
    muscles = inertial.muscles
    added = sum(muscles.masses[name] for name, donors in muscles.donors.items() if not donors)
    return float(inertial.model.getTotalMass(inertial.model.getWorkingState())) + added


def _extent(inertial: InertialModel) -> float:
    """Return the diagonal of the box around the bodies' origins in the default pose [m]."""
    state = inertial.initial_state()
    inertial.model.realizePosition(state)
    places = [body.getPositionInGround(state).to_numpy().copy() for body in inertial.model.getBodySet()]
    return float(np.linalg.norm(np.ptp(places, axis=0))) if places else 0.0


def _largest(loads: Loads | None) -> float:
    """Return the largest force [N] or torque [N m] of loads."""
    if loads is None:
        return 0.0
    return sum(float(np.abs(loads.values(name)[:, [0, 1, 2, 6, 7, 8]]).max(initial=0.0)) for name in loads.columns)
