"""The report of a simulation: how it moves, what its energy is, and what differs from one of the lumped model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from scipy.interpolate import CubicSpline

from .._core.arrays import Array
from .._core.errors import InertiaError
from ..analyses.forward_simulation import Trajectory
from .content import Content, Panel, Plot, Series, Table, assumptions, compared, details, number, subtitle

__all__ = ["simulation_content"]

#: Curves in one plot, and coordinates that the answer names.
MOST_CURVES, MOST_NAMED = 8, 3
NO_LUMPED = (
    "One run does not show the effect of muscle inertia: simulate the same model with all mass in the segments, too, "
    "and give it as lumped= (the command: --lumped)."
)


def simulation_content(trajectory: Trajectory, lumped: Trajectory | None, activations: Mapping[str, Array]) -> Content:
    """Return how a simulation moves, its energy, and what differs from a lumped one; activations (T,) by muscle."""
    times, coordinates = trajectory.times, trajectory.coordinates()
    notes = [*trajectory.notes, *(["the simulation was interrupted before its end"] if trajectory.interrupted else [])]
    tables: dict[str, pd.DataFrame | None] = {}
    for what, compute in (("energy", trajectory.energy), ("work", trajectory.work)):
        try:
            tables[what] = compute()
        except (InertiaError, RuntimeError) as error:  # of a simulation that ran away
            tables[what] = None
            notes.append(f"{what} cannot be computed: {error}")
    energy, work = tables["energy"], tables["work"]
    provenance = trajectory.inertial.provenance(trajectory.model_notes)
    units = {name: trajectory.layout.unit(name) for name in trajectory.layout.coordinate_names}
    beside = None if lumped is None else _at(lumped.coordinates(), times)
    changes = None if beside is None else _changes(coordinates, beside, units)
    panels = []
    for name in coordinates.columns if changes is None else changes.index:
        kinds = {} if beside is None else {"lumped": beside[name].to_numpy()}
        kinds["inertial"] = coordinates[name].to_numpy()
        panels.append(Panel(name, "Coordinates", compared("Value", units[name], kinds)))
    panels += [] if energy is None else [_energies(energy)]
    panels += [] if work is None else [_foremost("work of muscles", "Work done until then", "J", dict(work.items()))]
    panels += [_foremost("activations", "Activation", "", activations)] if activations else []
    run = {
        "integrator": f"{trajectory.integrator}, {trajectory.evaluations} evaluations of the equations of motion",
        "method": repr(trajectory.record.method),
        "engine": trajectory.engine,
    }
    return Content(
        title="Simulation with muscle inertia",
        subtitle=subtitle(provenance, times),
        answer=[*_answer(changes), *_share(energy)],
        certainty=_certainty(changes is not None),
        table=_moves(coordinates, units, changes),
        times=times,
        panels=[panel for panel in panels if panel.plots],
        assumptions={**run, **assumptions(provenance)},
        warnings=[*notes, *provenance.get("warnings", ())],
        details=details(provenance),
        start=None if changes is None or changes.empty else float(changes["time"].iloc[0]),
    )


def _at(table: pd.DataFrame, times: Array) -> pd.DataFrame:
    """Return a table at other times; NaN outside of its own."""
    known = table.index.to_numpy(float)
    values = np.full((len(times), table.shape[1]), np.nan)
    if len(known) > 1:
        values = CubicSpline(known, table.to_numpy(), extrapolate=False)(times)
    else:
        values[times == known[0]] = table.iloc[0]
    return pd.DataFrame(values, index=pd.Index(times, name="time"), columns=table.columns)


def _changes(coordinates: pd.DataFrame, beside: pd.DataFrame, units: Mapping[str, str]) -> pd.DataFrame:
    """Return each coordinate's difference, the largest first as a share of the coordinate's range."""
    rows = {}
    for name in coordinates.columns:
        difference = (coordinates[name] - beside[name]).to_numpy()
        known = np.flatnonzero(np.isfinite(difference))
        if len(known):
            at = int(known[np.abs(difference[known]).argmax()])
            span = float(np.ptp(coordinates[name].to_numpy()[known]))
            share = abs(difference[at]) / span if span > 0 else 0.0
            rows[name] = (float(difference[at]), float(coordinates.index[at]), float(difference[known[-1]]), share)
    columns = ["largest", "time", "last", "share"]
    changes = pd.DataFrame.from_dict(rows, orient="index", columns=columns)
    return changes.sort_values("share", ascending=False, kind="stable").assign(unit=[units[n] for n in changes.index])


def _answer(changes: pd.DataFrame | None) -> list[str]:
    if changes is None:
        return [NO_LUMPED]
    changed = changes[changes["largest"] != 0]
    if changed.empty:
        return ["Muscle inertia changes nothing: the motion is that of the lumped model."]
    sentences = []
    for place, (name, row) in enumerate(changed.iloc[:MOST_NAMED].iterrows()):
        start = "Muscle inertia changes" if place == 0 else "It changes"
        sentence = f"{start} {name} by up to {number(row['largest'])} {row['unit']}, at {row['time']:.3f} s"
        sentence += (
            f", {number(100 * row['share'])} % of its range, and by {number(row['last'])} {row['unit']} at the end."
        )
        sentences.append(sentence)
    return sentences


def _share(energy: pd.DataFrame | None) -> list[str]:
    if energy is None or not np.isfinite(energy.to_numpy()).all():
        return []
    kinetic = energy["kinetic"].to_numpy()
    at = int(kinetic.argmax())
    if not kinetic[at] > 0:
        return []
    share = energy["kinetic_muscles"].to_numpy()[at] / kinetic[at]
    return [
        f"Where kinetic energy is largest, {number(kinetic[at])} J at {energy.index[at]:.3f} s, "
        f"{number(100 * share)} % of it is in the muscles\u2019 mass."
    ]


def _certainty(compared: bool) -> list[str]:
    sentences = [
        "There is no band: a simulation is one run with the masses as they are, and how far it hangs on them is not "
        "computed. Vary the mass table, or take gradients with respect to masses, to see that."
    ]
    if compared:
        sentences.append("Differences grow with time where a motion is unstable: compare early times first.")
    return sentences


def _moves(coordinates: pd.DataFrame, units: Mapping[str, str], changes: pd.DataFrame | None) -> Table:
    head = ["coordinate", "unit", "first", "last", "least", "most"]
    head += [] if changes is None else ["largest change", "at [s]", "change at the end"]
    rows = []
    for name in coordinates.columns if changes is None else changes.index:
        values = coordinates[name].to_numpy()
        cells = [str(name), units[name], *(number(v) for v in (values[0], values[-1], values.min(), values.max()))]
        if changes is not None:
            row = changes.loc[name]
            cells += [number(row["largest"]), f"{row['time']:.3f}", number(row["last"])]
        rows.append(cells)
    note = (
        "" if changes is None else "Changes are inertial \u2212 lumped, each simulation by itself, at the same times."
    )
    return Table("Coordinates", head, rows, note)


def _energies(energy: pd.DataFrame) -> Panel:
    def plot(title: str, *names: str) -> Plot:
        return Plot(title, "J", [Series(n.replace("_", " "), energy[n].to_numpy()) for n in names])

    parts = plot("Kinetic energy, of bones and of the muscles\u2019 mass", "kinetic_bones", "kinetic_muscles")
    return Panel("energies", "Energy", [plot("Energy", "kinetic", "potential", "total"), parts])


def _foremost(name: str, title: str, unit: str, curves: Mapping[Any, Any]) -> Panel:
    """Return the curves that are largest."""
    sizes = {key: float(np.nanmax(np.abs(np.asarray(values)), initial=0.0)) for key, values in curves.items()}
    foremost = sorted((key for key in sizes if sizes[key] > 0), key=lambda key: -sizes[key])[:MOST_CURVES]
    series = [Series(str(key), np.asarray(curves[key])) for key in foremost]
    return Panel(name, "Muscles", [Plot(title, unit, series)] if series else [])
