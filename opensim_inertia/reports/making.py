"""Reports of results, with a view where the model is known."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from .._core.arrays import Array
from .._core.checks import as_shown
from .._core.errors import ModelError, MotionError, OptionError, UnknownNameError
from ..analyses.forward_simulation import Trajectory, replay
from ..analyses.inverse_dynamics import InverseDynamicsResult
from ..analyses.recruitment import RecruitmentResult
from ..files.trc import read_trc
from ..model import InertialModel
from ..model.recorded_motion import motion_states
from ..opensim_model.setups.loads import read_gait_events
from .content import Gait
from .page import Report
from .results import inverse_dynamics_content, recruitment_content, simulation_content
from .scene import build_scene, frame_rows

__all__ = ["check_recordings", "report"]

NO_MOTION = "There is no three-dimensional view: this result does not know the motion that was solved."


def check_recordings(
    markers: str | os.PathLike[str] | None, events: str | os.PathLike[str] | pd.DataFrame | None, times: Array
) -> None:
    """Refuse markers and events that do not fit a motion with these times (T,) [s]; errors as of :func:`report`."""
    if markers is not None:
        _markers(markers, times)
    if events is not None:
        _gait(events, times)


def report(
    result: Any,
    path: str | os.PathLike[str] | None = None,
    inertial: InertialModel | None = None,
    geometry: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] = (),
    *,
    markers: str | os.PathLike[str] | None = None,
    events: str | os.PathLike[str] | pd.DataFrame | None = None,
    lumped: Trajectory | None = None,
) -> Report:
    """Make one self-contained page (HTML) of a result: its answer, curves, a moving view and what was assumed.

    Args:
        result: of ``inverse_dynamics``, ``recruit`` or ``simulate``.
        path: file to write; None for none. Notebooks show what is returned.
        inertial: the model that was solved, which the view needs; without it there is no view, but of a simulation,
            which has its model unless it was pickled or copied.
        geometry: folder, or folders, with the bones' meshes, besides those beside the model's file.
        markers: a ``.trc`` file of measured markers, which the view shows over the model; not of simulations.
        events: gait events for curves over the gait cycle, as a table or its file (``.csv``, ``.xlsx``), with the
            columns time [s], side ("r", "l") and event ("contact", "off"); default: contacts of the feet by the
            measured ground forces; not of simulations.
        lumped: of a simulation, one of the same model with all mass in the segments, to say what muscle inertia
            changes.

    Example:
        >>> oi.report(result, "run.html", inertial)

    Raises:
        UnknownNameError: the result has no page. OptionError: an argument has no effect on it. ModelError: there is no
            model, or it has other coordinates. MotionError: markers or events are of other times. FileFormatError:
            their files are missing or malformed. OutputError: the file cannot be written.
    """
    folders = [geometry] if isinstance(geometry, str | os.PathLike) else geometry
    simulated = isinstance(result, Trajectory)
    if not simulated and not isinstance(result, InverseDynamicsResult | RecruitmentResult):
        pages = [kind.__name__ for kind in (InverseDynamicsResult, RecruitmentResult, Trajectory)]
        raise UnknownNameError("kind of result", type(result).__name__, pages, "report")
    for name, value in {"markers": markers, "events": events}.items() if simulated else [("lumped", lumped)]:
        if value is not None:
            raise OptionError(name, as_shown(value), f"None for a result of {'simulate' if simulated else 'a motion'}")
    if isinstance(result, Trajectory):
        page = _of_simulation(result if inertial is None else result.with_model(inertial), folders, lumped)
    else:
        page = _of_motion(result, inertial, folders, markers, events)
    if path is not None:
        page.save(path)
    return page


def _of_motion(
    result: InverseDynamicsResult | RecruitmentResult,
    inertial: InertialModel | None,
    geometry: Sequence[str | os.PathLike[str]],
    markers: str | os.PathLike[str] | None,
    events: str | os.PathLike[str] | pd.DataFrame | None,
) -> Report:
    """Return the page of a recorded motion."""
    active: dict[str, Array] = {}
    if isinstance(result, InverseDynamicsResult):
        content = inverse_dynamics_content(result)
    else:
        content = recruitment_content(result)
        active = {name: values.to_numpy() for name, values in result.activations.items()}
    if events is not None:
        content = replace(content, gait=_gait(events, content.times))
    if inertial is None:
        return Report.of(content)
    if result.motion is None:
        return Report.of(content, None, NO_MOTION)
    motion = result.motion
    if inertial.coordinate_names != motion.coordinate_names:
        differing = sorted(set(inertial.coordinate_names) ^ set(motion.coordinate_names))
        hint = f", such as '{differing[0]}'" if differing else ", in another order"
        raise ModelError(
            f"model '{inertial.model.getName()}' has other coordinates than the run{hint}: expected the model that was "
            "solved"
        )
    rows = frame_rows(len(motion))
    shown = motion.at(rows)
    active = {name: values[rows] for name, values in active.items()}
    places = None if markers is None else _markers(markers, shown.times)
    scene = build_scene(inertial, motion_states(inertial, shown), rows, active, geometry)
    if places is not None:
        scene = replace(scene, markers=places[0], marker_names=places[1])
    if isinstance(result, InverseDynamicsResult) and result.wobble is not None:
        scene = scene.swinging(result.wobble.muscles, result.wobble.displacements)
    return Report.of(content, scene)


def _of_simulation(
    trajectory: Trajectory, geometry: Sequence[str | os.PathLike[str]], lumped: Trajectory | None
) -> Report:
    """Return the page of a simulation."""
    table = trajectory.to_dataframe()
    paths = [str(path) for path in table.columns if str(path).endswith("/activation")]
    active = {path.split("/")[-2]: table[path].to_numpy() for path in paths}
    content = simulation_content(trajectory, lumped, active)
    rows = frame_rows(len(trajectory))
    states = replay.states(trajectory.system, trajectory.times[rows], trajectory.y[rows])
    shown = {name: values[rows] for name, values in active.items()}
    try:
        return Report.of(content, build_scene(trajectory.system.inertial, states, rows, shown, geometry))
    except ModelError as error:  # of a simulation that ran away
        return Report.of(content, None, f"There is no three-dimensional view: {error}")


def _gait(events: str | os.PathLike[str] | pd.DataFrame, times: Array) -> Gait:
    """Return the gait cycles of a table of events within the times (T,) [s] of a run."""
    name = "the table of gait events" if isinstance(events, pd.DataFrame) else os.path.basename(events)
    span = float(times[0]), float(times[-1])
    source = f"Gait cycles go from a foot\u2019s contact to its next one, as {name} has them."
    gait = Gait.of(rows := read_gait_events(events), span, source)
    if gait is None:
        moments = [row["time"] for row in rows] or [np.nan]
        raise MotionError(
            f"{name}: its {len(rows)} events, from {min(moments):g} to {max(moments):g} s, hold no gait cycle between "
            f"{span[0]:g} and {span[1]:g} s: expected two contacts of one foot at least"
        )
    return gait


def _markers(path: str | os.PathLike[str], times: Array) -> tuple[Array, tuple[str, ...]]:
    """Return places (F, K, 3) [m] of a file's markers at times (F,) [s], NaN beyond its own; and their names."""
    moments, names, positions = read_trc(path)
    if moments[0] > times[-1] or moments[-1] < times[0]:
        raise MotionError(
            f"{path}: the markers go from {moments[0]:g} to {moments[-1]:g} s, the run from {times[0]:g} to "
            f"{times[-1]:g} s: their times do not overlap"
        )
    flat = positions.reshape(len(moments), -1).T
    places = np.stack([np.interp(times, moments, values, np.nan, np.nan) for values in flat], axis=1)
    return places.reshape(len(times), -1, 3), tuple(names)
