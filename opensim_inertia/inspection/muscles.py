"""Muscles that cannot be: their parameters, and whether their fibres fit between path and tendon."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from .._core.errors import OPENSIM_ERRORS
from .._core.findings import Finding
from .._core.opensim import osim
from ..opensim_model.reading import PATH_LISTS, random_poses
from .subject import Subject

__all__ = ["fibre_findings", "muscle_findings", "range_findings"]

#: Parameters beyond which no muscle of a person is. In public models forces are 12 N (a slip of trapezius) to 6200 N (a
#: whole soleus), fibres 14 mm (a slip of multifidus) to 0.57 m (sartorius), tendons up to 0.49 m. In N and m.
LEAST_FORCE, GREATEST_FORCE = 0.5, 30000.0
LEAST_FIBRE, GREATEST_FIBRE = 2e-3, 0.8
GREATEST_TENDON = 1.2
#: Fastest shortening in optimal fibre lengths per second: published values are 8 to 20.
LEAST_SPEED, GREATEST_SPEED = 1.0, 50.0
#: At the default pose fibres are between these optimal fibre lengths; public models have 0.35 to 1.9 but for a few
#: muscles of shoulder and spine. Force lengths are zero below 0.4 and above 1.6 to 1.8.
SHORTEST, LONGEST = 0.0, 2.5
#: Between these there is active force (Millard 2013: 0.44 to 1.81; wider here by a tenth).
LEAST_ACTIVE, MOST_ACTIVE = 0.4, 2.0
#: Poses over the range of motion at which fibres are looked at.
POSES = 40


def muscle_findings(subject: Subject) -> Iterator[Finding]:
    """Yield muscles with implausible parameters."""
    for name, muscle in subject.muscles.items():
        place = subject.label("muscle", name)
        force = muscle.getMaxIsometricForce()
        fibre = muscle.getOptimalFiberLength()
        tendon = muscle.getTendonSlackLength()
        pennation = muscle.getPennationAngleAtOptimalFiberLength()
        speed = muscle.getMaxContractionVelocity()
        wrong = {
            "maximum isometric force": (force, "N", 0.0, math.inf),
            "optimal fibre length": (fibre, "m", 0.0, math.inf),
            "tendon slack length": (tendon, "m", -1e-12, math.inf),
            "pennation angle": (pennation, "rad", -1e-9, math.pi / 2),
            "maximum contraction velocity": (speed, "optimal fibre lengths per second", 0.0, math.inf),
        }
        unlikely = {
            "maximum isometric force": (force, "N", LEAST_FORCE, GREATEST_FORCE),
            "optimal fibre length": (fibre, "m", LEAST_FIBRE, GREATEST_FIBRE),
            "tendon slack length": (tendon, "m", -1.0, GREATEST_TENDON),
            "pennation angle": (pennation, "rad", -1.0, 1.2),
            "maximum contraction velocity": (speed, "optimal fibre lengths per second", LEAST_SPEED, GREATEST_SPEED),
        }
        for quantity, (value, unit, low, high) in wrong.items():
            if not low < value < high:
                text = f"its {quantity} is {value:.4g} {unit}, which no muscle can have"
                cure = f"give it its {quantity} in {unit}, or leave the muscle out"
                yield Finding("error", quantity, place, text, (cure,))
                continue
            _, _, least, most = unlikely[quantity]
            if not least < value < most:
                text = f"its {quantity} is {value:.4g} {unit}; {least:g} to {most:g} were expected"
                yield Finding("warning", quantity, place, text, (f"give it its {quantity} in {unit}",))


def fibre_findings(subject: Subject) -> Iterator[Finding]:
    """Yield the muscles whose fibres are negative or far too long at the default pose."""
    state = osim.State(subject.model.getWorkingState())
    subject.model.realizePosition(state)
    for name, muscle in subject.muscles.items():
        length = _path_length(muscle, state)
        if not math.isfinite(length):
            continue
        fibre = _fibre(muscle, length)
        if SHORTEST <= fibre <= LONGEST:
            continue
        tendon = muscle.getTendonSlackLength()
        if fibre < 0:
            text = (
                f"at the default pose its path is {1e3 * length:.1f} mm long, less than its slack tendon of "
                f"{1e3 * tendon:.1f} mm: no length is left for fibres"
            )
        else:
            text = f"at the default pose its fibres are {fibre:.2f} optimal fibre lengths long; at most 2 carry force"
        yield Finding("warning", "fibres", subject.label("muscle", name), text, _CURE)


def range_findings(subject: Subject) -> Iterator[Finding]:
    """Yield the muscles whose fibres can carry active force at no pose of the range of motion."""
    state = osim.State(subject.model.getWorkingState())
    table = subject.coordinates
    poses = random_poses(subject.model, table, POSES)
    fibres: dict[str, list[float]] = {name: [] for name in subject.muscles}
    for pose in [table.values(state), *poses]:
        table.set_values(state, np.asarray(pose))
        try:
            subject.model.realizePosition(state)
        except OPENSIM_ERRORS:
            continue
        for name, muscle in subject.muscles.items():
            length = _path_length(muscle, state)
            if math.isfinite(length):
                fibres[name].append(_fibre(muscle, length))
    for name, values in fibres.items():
        if values and not any(LEAST_ACTIVE <= fibre <= MOST_ACTIVE for fibre in values):
            text = (
                f"at none of {len(values)} poses of the range of motion can its fibres carry active force: they are "
                f"{min(values):.2f} to {max(values):.2f} optimal fibre lengths long; {LEAST_ACTIVE:g} to "
                f"{MOST_ACTIVE:g} were expected"
            )
            yield Finding("warning", "fibres over the range", subject.label("muscle", name), text, _CURE)


_CURE = ("correct its tendon slack length, optimal fibre length or path points",)


def _path_length(muscle: osim.Muscle, state: osim.State) -> float:
    try:
        with PATH_LISTS:
            return float(muscle.getLength(state))
    except OPENSIM_ERRORS:
        return math.nan


def _fibre(muscle: osim.Muscle, length: float) -> float:
    """Return how long fibres are, in optimal lengths, beside a tendon at its slack length; negative if none is left."""
    optimal = muscle.getOptimalFiberLength()
    along = length - muscle.getTendonSlackLength()
    if along < 0:
        return float(along / optimal)
    height = optimal * math.sin(muscle.getPennationAngleAtOptimalFiberLength())
    return float(math.hypot(along, height) / optimal)
