"""Choice of the model's own forces that act in inverse dynamics."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np

from ..._core.arrays import Array
from ..._core.diagnostics import Diagnostic
from ..._core.errors import OPENSIM_ERRORS, first_of
from ..._core.opensim import osim
from ..reading.coordinates import CoordinateTable
from ..reading.motion import Motion
from ..reading.paths import PATH_LISTS
from .loads import GROUND, Loads, switch_off

#: Keyword that keeps contacts with ground although external loads act on the same bodies.
KEEP = "-Contacts"
#: Number of evenly spaced rows used to evaluate effects.
ROWS = 100
#: Smallest reported effect of a force [N m or N].
NOTHING = 1e-4
#: Number of forces in a note.
NAMED = 12
#: Actuators with forces proportional to their control.
PROPORTIONAL = ("BodyActuator", "CoordinateActuator", "PointActuator", "PointToPointActuator", "TorqueActuator")


def acting_forces(
    model: osim.Model, coordinates: CoordinateTable, motion: Motion, loads: Loads | None, excluded: Sequence[str]
) -> tuple[tuple[str, ...], tuple[Diagnostic, ...]]:
    """Return forces to exclude, by name, group or keyword ("Muscles"), and notes on effects of the model's own forces.

    Contacts with ground are excluded if external loads act on the same body or an inboard one.
    """
    forces = [force for force in model.getForceSet() if osim.ExternalForce.safeDownCast(force) is None]
    state = osim.State(model.getWorkingState())
    of_model = [force.getName() for force in forces if force.appliesForce(state)]
    keeps = KEEP.upper() in map(str.upper, excluded)
    excluded = [name for name in excluded if name.upper() != KEEP.upper()]
    switch_off(model, state, excluded)
    acts = {force.getName() for force in forces if force.appliesForce(state)}
    muscles = {force.getName() for force in forces if osim.Muscle.safeDownCast(force) is not None}
    pressed = set() if loads is None or keeps else loads.pressed(motion.times) - {GROUND}
    pairs = [
        (joint.getParentFrame().findBaseFrame().getName(), joint.getChildFrame().findBaseFrame().getName())
        for joint in model.getJointSet()
    ]
    while more := {child for parent, child in pairs if parent in pressed} - pressed:  # all outboard bodies
        pressed |= more
    doubled = [force.getName() for force in forces if force.getName() in acts and pressed & set(_on_ground(force))]
    is_controlled = model.getControllerSet().getSize() > 0 or model.getDefaultControls().to_numpy().any()
    idle = set() if is_controlled else {f.getName() for f in forces if f.getConcreteClassName() in PROPORTIONAL}
    groups = {name: [name] for name in of_model if name not in muscles | idle}
    if pulling := [name for name in of_model if name in muscles and name in acts]:
        groups[f"{len(pulling)} muscles"] = pulling
    effects = dict(_effects(model, coordinates, motion, groups))
    called: dict[str, list[str]] = {"act": [], "left out": [], "doubled": []}
    for name, effect in sorted(effects.items(), key=lambda item: -abs(item[1][0])):
        kind = "doubled" if name in doubled else "act" if groups[name][0] in acts else "left out"
        called[kind].append(f"'{name}' ({effect[1]})" if name in of_model else f"{name} ({effect[1]})")
    keep = (f"`--with-contacts` keeps them, and so does '{KEEP}' among forces_to_exclude",)
    texts: tuple[tuple[str, str, tuple[str, ...]], ...] = (
        ("act", "forces of the model act, and change the answer by up to", ()),
        ("left out", "forces of the model do not act, which would change the answer by up to", ()),
        ("doubled", "contacts of the model do not act, as external loads press the same bodies; they would add", keep),
    )
    place = model.getName() or "the model"
    findings = [
        Diagnostic("note", "forces of the model", place, f"{text} {first_of(called[kind], NAMED)}", cure)
        for kind, text, cure in texts
        if called[kind]
    ]
    single = [f"'{name}'" for name in excluded if name in of_model]
    if single and model.getForceSet().getNumGroups():
        text = (
            f"OpenSim's tool lets {first_of(single, NAMED)} act: it reads names of single forces only where a force "
            "set has no groups; here they do not act"
        )
        findings.append(Diagnostic("note", "forces of the model", place, text))
    return (*excluded, *doubled), tuple(findings)


def _effects(
    model: osim.Model, coordinates: CoordinateTable, motion: Motion, groups: dict[str, list[str]]
) -> Iterator[tuple[str, tuple[float, str]]]:
    """Yield each group of forces, with its largest effect on a generalized force [N m or N] as number and text."""
    if not groups:
        return
    solver, state = osim.InverseDynamicsSolver(model), osim.State(model.getWorkingState())
    rows = np.unique(np.linspace(0, len(motion) - 1, min(ROWS, len(motion))).astype(int))
    switch_off(model, state, ("All",))

    def with_forces(rows: Array, members: list[str]) -> Array:
        """Return generalized forces (R, nu) at zero acceleration with ``members`` acting; NaN after an error."""
        tau, still = np.full((len(rows), motion.q.shape[1]), np.nan), osim.Vector(motion.q.shape[1], 0.0)
        for member in members:
            model.getForceSet().get(member).setAppliesForce(state, True)
        for i, row in enumerate(rows.tolist()):
            state.setTime(float(motion.times[row]))
            coordinates.set_values(state, motion.q[row])
            state.setU(osim.Vector.createFromMat(motion.u[row]))
            try:
                with PATH_LISTS:
                    tau[i] = solver.solve(state, still).to_numpy()
            except OPENSIM_ERRORS:
                break
        switch_off(model, state, members)
        return tau

    without = with_forces(rows, [])
    changes = with_forces(rows, [*chain(*groups.values())]) - without
    few = np.unique(np.abs(changes).argmax(axis=0)) if np.isfinite(changes).all() else np.arange(len(rows))
    if np.abs(changes).max() <= NOTHING:
        return
    for name, members in groups.items():
        change = with_forces(rows[few], members) - without[few]
        if np.isfinite(change).all() and np.abs(change).max(initial=0.0) > NOTHING:
            row, column = np.unravel_index(int(np.abs(change).argmax()), change.shape)
            unit = "N m" if coordinates.rotational[column] else "N"
            size = float(change[row, column])
            yield name, (size, f"{size:.4g} {unit} at '{coordinates.names[column]}'")


def _on_ground(force: osim.Force) -> Iterator[str]:
    """Yield the bodies that a contact force presses to ground."""
    smooth = osim.SmoothSphereHalfSpaceForce.safeDownCast(force)
    if smooth is not None:
        touching = [smooth.getConnectee(socket) for socket in ("sphere", "half_space")]
        geometries = [osim.ContactGeometry.safeDownCast(each) for each in touching]
    elif force.getConcreteClassName() in ("HuntCrossleyForce", "ElasticFoundationForce"):
        labels = force.getRecordLabels()  # OpenSim's Python cannot read its contact parameters
        named = (labels.get(i).removeprefix(f"{force.getName()}.") for i in range(labels.getSize()))
        frames = {label.rsplit(".", 2)[0] for label in named}
        geometries = [each for each in force.getModel().getContactGeometrySet() if each.getFrame().getName() in frames]
    else:
        return
    bodies = {each.getFrame().findBaseFrame().getName() for each in geometries}
    if GROUND in bodies:
        yield from bodies - {GROUND}
