"""The class InertialModel."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from .._core.arrays import Array
from .._core.checks import check_choice, check_names, check_type, silenced
from .._core.choices import TOOLS, Tool
from .._core.errors import MissingInertiaError, ModelError, OutputError
from .._core.opensim import osim, quiet
from .._core.provenance import describe_model_file, model_checksum
from .._core.representation import Described
from .._core.warnings import ShortBellyWarning, WrapDifferenceWarning
from ..files.atomic import writing
from ..muscles.masses import reference_pose
from ..muscles.masses.donors import light_segments
from ..muscles.masses.estimate import estimated_masses
from ..muscles.masses.rigid import body_mass_properties, completed, set_mass_properties
from ..muscles.masses.table import MassTable, PointMasses, check_masses, kept_masses, place_bellies
from ..muscles.material import MaterialMap, with_bellies_at
from ..opensim_model.reading.kinematics import Kinematics
from ..opensim_model.reading.loading import InitialisedModel, copy_model, initialise, model_of_xml, model_xml
from ..options.modelling import ModelOptions, StrainModel, taking
from ..paths.kernel.evaluation import InertialTerms, MassPointKinematics
from ..paths.kernel.remarks import HELD, MuscleRemarks, Remark
from ..paths.wrapping.plan import WrapPlan
from .assembly import FrozenMass, assemble, path_source
from .dynamics import Dynamics
from .muscles import InertialMuscles, described, origin_of_results, split_explicit, without_unsupported
from .plugin import describe, load_library, with_component

if TYPE_CHECKING:
    import pandas as pd

_LOG = logging.getLogger(__name__)


class InertialModel(Described):
    """An OpenSim model whose muscles have mass along their paths.

    The given model is copied, never modified. The copy, ``.model``, is as published: its segments include the muscles'
    mass, frozen at the reference pose. Computed terms are the changes due to sliding (docs/theory/segments.md).

    Users may change controllers, forces and masses of ``.model`` and initialise it again (``initSystem``); later calls
    use the changed model. Coordinates, gravity, and the paths and wrap objects of muscles with mass must not change.
    Older states and states of other models raise errors.

    Several threads may use an inertial model at once, each with its own states. OpenSim's methods of ``.model`` are not
    thread-safe: all states share one list of path points.

    Pickles and copies are made again from the arguments, without later changes of ``.model``.

    Args:
        model: an ``osim.Model``, or the path of an ``.osim`` file. Commands pass an initialised model, which is not
            copied.
        masses: a table from :func:`estimate_masses` (mass, donor segment and belly by muscle), a CSV file of it, or a
            dict from muscle name to kilograms or :class:`PointMasses`; default: :func:`estimate_masses` of the model.
            Other muscles stay massless. Commands pass tables that are already checked.
        options: fields of :class:`ModelOptions`, as keywords.

    Attributes:
        model: the OpenSim model, as published. Its states are arguments of the methods.
        options: the :class:`ModelOptions`, with the coordinate values at the reference pose.
        mass_table: columns of the complete mass table, by name.
        coordinates: the coordinates, in the order of the model's speeds; ``coordinate_names`` their names.
        muscle_names: names of the muscles with mass, in the model's order.
        wraps: treatment of wrap objects by muscle.
        muscles: the muscles with mass: paths, masses [kg], donor segments and explicit point masses by name.
        architecture: lengths of free tendons and aponeuroses, by name, of all muscles in the mass table.
        left_massless: names of muscles with unsupported paths (``unsupported="massless"``).
        reference: coordinate values (nu,) at the reference pose.
        input_notes: sentences from checks of the given model, which results include among their warnings.
        notes: sentences about the model; notes of a run are in its result.
        frozen: the subtracted mass, frozen to donor segments; for tools.
        dynamics: states for the kernel, and accelerations; for tools.
        assembly, evaluation: the muscles for the kernel, and their evaluation; for tools.

    Raises:
        ModelError: the model is missing or malformed.
        UnsupportedPathError: names a muscle whose path cannot carry mass.
        UnknownNameError: a muscle or segment is not in the model; near matches are listed.
        MassError: a mass is negative, NaN or infinite.
        FileFormatError: a file is missing or malformed.
        OptionError: an option has an invalid value.
    """

    @taking(ModelOptions)
    def __init__(
        self,
        model: osim.Model | InitialisedModel | str | os.PathLike[str],
        masses: MassTable | pd.DataFrame | Mapping[str, float | PointMasses] | str | os.PathLike[str] | None,
        options: ModelOptions,
    ) -> None:
        self.input_notes: tuple[str, ...] = ()
        is_file = not isinstance(model, osim.Model | InitialisedModel)
        ready = InitialisedModel.of(model)
        self._original = copy_model(ready.model)
        self.model = model = ready.model
        if masses is None:
            masses = estimated_masses(ready, reference=options.reference, unsupported=options.unsupported)
        self._masses = kept_masses(masses)
        self.coordinates, self.coordinate_names = ready.coordinates, ready.coordinates.names
        self.reference = self.coordinates.values(model.getWorkingState())
        if options.reference is not None:
            _, pose = reference_pose(ready, options.reference)
            self.reference = self.coordinates.values(pose)
            posture = dict(zip(self.coordinate_names, self.reference.tolist(), strict=True))
            options = replace(options, reference=posture)
        self.options = options
        self._described = describe_model_file(self._original, is_file)  # shared by views; completed on demand
        paths = path_source(ready, options.paths.path_model)
        is_own = paths is ready
        explicit, table = split_explicit(self._masses)
        self.left_massless: tuple[str, ...] = ()
        if options.unsupported == "massless":
            table, self.left_massless = without_unsupported(table, paths)
        self.mass_table, self.architecture = check_masses(table, ready, options.reference)
        strain = options.strain_model
        check_names("muscle", strain.named_muscles(), ready.muscles)
        self.muscles = InertialMuscles.read(paths, self.mass_table, explicit, self.architecture, options)
        self.muscle_names = tuple(self.muscles.paths)
        check_names("muscle", options.paths.half_thickness or {}, ready.muscles)
        gravity = model.getGravity().to_numpy().copy()
        around, laid = (self.muscles.bodies, self.muscles.surfaces), self.muscles.for_kernel()
        checksum = partial(model_checksum, paths.model) if not is_own else lambda: self._origin["sha256"]
        thick = self.muscles.half_thickness
        assembly = assemble(paths, self.coordinates, *around, laid, gravity, options, thick, checksum)
        self.dynamics = Dynamics(assembly, model, options.paths.strict, assembly.kinematics)
        state = self.initial_state()
        self.coordinates.set_values(state, self.reference)
        self._told: dict[Remark, object] = {}  # warnings of single calls
        self._at_reference = MuscleRemarks(self.muscle_names, told=self._told)
        donors = [*self.muscles.donors.values()]
        self.frozen = FrozenMass.at(assembly, donors, self.dynamics.read(state), self._at_reference)
        self.assembly, self.wraps = self.frozen.subtracted, assembly.plan
        self.evaluation = self.dynamics.evaluation = self.assembly.evaluation
        self.dynamics.assembly = self.assembly
        self._at_reference.warn(doubts=False)  # only the frozen mass depends on this pose
        bodies, frozen = model.getBodySet(), self.frozen.by_segment
        self._segments: list[dict[str, Any]] = [
            {"segment": name, "mass": bodies.get(name).getMass(), "muscles": float(matrix[3, 3])}
            for name, matrix in frozen.items()
        ]
        doubts = [str(each) for each in self._at_reference.diagnostics if each.check == "paths"]
        added = self._add_missing_inertia(frozen) if options.add_missing_inertia else []
        self._noted = [*light_segments(self._segments), *added, *(f"at the reference pose, {each}" for each in doubts)]
        _LOG.info("%d muscles on %d coordinates, strain %s", len(self.muscle_names), len(self.reference), strain.kind)
        self._is_bound = False

    def _add_missing_inertia(self, frozen: Mapping[str, Array]) -> list[str]:
        """Add mass and inertia to segments with too little for their muscles; return notes on the additions."""
        added = []
        for name, matrix in frozen.items():
            rigid = body_mass_properties(self.model, name)
            whole = completed(rigid, matrix)
            if whole is not rigid:
                set_mass_properties(self.model, name, whole)
                inertia = np.linalg.eigvalsh(whole.inertia - rigid.inertia)[-1]
                mass = "" if whole.mass == rigid.mass else f"{whole.mass - rigid.mass:.2g} kg and "
                added.append(f"{name}: {mass}{inertia:.2g} kg m^2 are added, which it lacks for its muscles")
        if added:
            initialise(self.model, names_are_known=True)
        return added

    # -- what it is made of --------------------------------------------------------------------------------------

    @property
    def kinematics(self) -> Kinematics:
        """Reader of kinematics from states of ``.model``, without muscle paths."""
        return self.dynamics.binding.kinematics

    @property
    def has_explicit_points(self) -> bool:
        """Whether any muscle has explicit :class:`PointMasses`."""
        return bool(self.muscles.explicit)

    @property
    def masses(self) -> pd.DataFrame:
        """The complete mass table: given values, else defaults."""
        return self.mass_table.frame()

    @property
    def segments(self) -> pd.DataFrame:
        """Segments that contain muscle mass: columns "mass" (in the model file) and "muscles" (subtracted) [kg]."""
        import pandas as pd

        return pd.DataFrame(self._segments, columns=["segment", "mass", "muscles"]).set_index("segment")

    @property
    def notes(self) -> list[str]:
        """Sentences about the input, segments lighter than their muscles, and muscles at the reference pose.

        Results of analyses have remarks about other states.
        """
        return self.notes_with(self.remarks())

    def notes_with(self, seen: MuscleRemarks) -> list[str]:
        """Return the model's notes and the remarks on muscles in ``seen``."""
        return [*self.input_notes, *self._noted, *map(str, seen.diagnostics)]

    def remarks(self) -> MuscleRemarks:
        """Return a new collector of remarks on muscles, for use by an analysis."""
        return MuscleRemarks(self.muscle_names, self._at_reference.muscles(HELD))

    def _remarks_of_call(self) -> MuscleRemarks:
        """Return a collector of remarks on muscles for a single call; warnings already given are not repeated."""
        return MuscleRemarks(self.muscle_names, told=self._told)

    def material_map(self, muscle: str) -> MaterialMap:
        """Return the constants of the map from a muscle's material to arc length on the path."""
        return self.muscles.maps[muscle]

    def original_model(self) -> osim.Model:
        """Return a copy of the model as given, without later changes of ``.model``."""
        model = copy_model(self._original)
        model.finalizeFromProperties()
        return model

    def rebuilt(
        self,
        proximal_shares: Mapping[str, float] | None = None,
        aponeuroses: Mapping[str, float] | None = None,
        plan: WrapPlan | None = None,
        **changes: Any,
    ) -> InertialModel:
        """Return a new inertial model, built with some constructor arguments changed.

        Bellies keep their thickness, so that paths do not change and results stay linear in masses.

        Args:
            proximal_shares: proximal share of the path outside the belly, by muscle.
            aponeuroses: length of the aponeurosis [m], by muscle.
            plan: ``wraps`` of this model, if its paths pass wrap objects in the same way.
            changes: arguments.
        """
        if self.options.strain_model.kind == "aponeurosis":
            if isinstance(table := kept_masses(changes.get("masses")), MassTable):
                changes["masses"] = place_bellies(table, self.architecture, proximal_shares or {}, aponeuroses or {})
        elif proximal_shares:
            changes["strain"] = with_bellies_at(self.options.strain_model, proximal_shares, self.muscles.maps)
        model, masses = changes.pop("model", self._original), changes.pop("masses", self._masses)
        paths = replace(self.options.paths, plan=plan, half_thickness=self.muscles.half_thickness)
        for name, former in (("strain", self.options.strain_model), ("wrapping", paths)):
            if isinstance(changes.get(name), str):
                changes[name] = replace(former, kind=changes[name])
        options = replace(self.options, **{"wrapping": paths, **changes})
        return _again(model, masses, options, self.input_notes)

    def provenance(self, notes: Sequence[str] | None = None) -> dict[str, Any]:
        """Return the provenance of this model's results: versions, model, options, masses, warnings.

        "masses" has the columns of the mass table by name; all other entries have JSON types.

        Args:
            notes: sentences of a run, including those of the model; default: ``notes`` of the model.
        """
        notes = self.notes if notes is None else notes
        parts = self.muscles, self.wraps, self._segments, self.left_massless, notes
        return origin_of_results(self._origin, *parts) | {"masses": copy(self.mass_table)}

    @property
    def _origin(self) -> dict[str, Any]:
        if "name" not in self._described:
            self._described |= {"name": self._original.getName(), "sha256": model_checksum(self._original)}
        return self._described

    def description(self) -> dict[str, str]:
        """Return text on muscles, segments, strain and wrapping, by topic."""
        return described(self.model.getName(), self.muscles, self.wraps, self._segments)

    def __reduce__(self) -> tuple[Any, ...]:
        if self._is_bound:
            raise TypeError("an InertialModel with loads added to its model cannot be pickled; pickle it without them")
        paths = self.options.paths.path_model
        options = replace(self.options, wrapping=replace(self.options.paths, plan=self.wraps, path_model=None))
        path_xml = None if paths is None else model_xml(copy_model(paths))
        original = model_xml(self._original)
        return _restored, (original, self._masses, options, path_xml, self.input_notes, self._described)

    def native_model(self, tool: Tool = "forward") -> osim.Model:
        """Return an uninitialised copy of ``.model`` with the plugin's component, for OpenSim's own tools.

        Arguments and errors are those of :meth:`export`.
        """
        check_choice("tool", tool, TOOLS)
        load_library()
        model, one = copy_model(self.model), self.assembly
        initialise(model)
        return with_component(model, describe(model, self.kinematics, one.gravity, one.muscles, one.plan), tool)

    def export(self, path: str | os.PathLike[str], tool: Tool = "forward") -> None:
        """Write :meth:`native_model` to an ``.osim`` file, which OpenSim reads after the plugin is loaded.

        Args:
            path: the file.
            tool: "forward" for tools that compute accelerations (Manager, Forward Tool, Moco, CMC, Static Optimization,
                Joint Reaction), "inverse" for OpenSim's Inverse Dynamics Tool alone.

        Raises:
            PluginError: the plugin cannot be loaded. UnsupportedPathError: a muscle uses OpenSim's own path.
            ModelError: the plugin does not support the model; OptionError: another tool; OutputError: the file cannot
                be written.
        """
        model = self.native_model(tool)
        with writing(path) as temporary, quiet():
            if not model.printToXML(str(temporary)):
                raise OutputError(path, "OpenSim cannot write the model")

    # -- states, and what muscles' mass does there ---------------------------------------------------------------

    def initial_state(self) -> osim.State:
        """Return a new state of ``.model`` at its default pose."""
        return self.dynamics.binding.system.new_state()

    def reference_state(self) -> osim.State:
        """Return a new state of ``.model`` at the reference pose, at rest."""
        return self.dynamics.state_at(self.reference)

    def evaluate(
        self,
        state: osim.State | Array,
        speeds: Array | None = None,
        per_muscle: bool = False,
        subtract_frozen: bool = True,
    ) -> InertialTerms:
        """Return added mass matrix, quadratic velocity vector, gravity forces and energies of muscles at a state.

        Args:
            state: a state of ``.model``, which is realized to velocity; or coordinate values (nu,) [rad or m], with
                ``speeds`` (nu,); default: at rest.
            per_muscle: whether to return the terms of each muscle too.
            subtract_frozen: whether to subtract the terms of mass frozen to donor segments, for the change due to
                sliding; False for the muscles alone.
        """
        if not isinstance(state, osim.State):
            state = self.dynamics.state_at(state, speeds)
        seen = self._remarks_of_call()
        terms = terms_at(self, state, per_muscle, subtract_frozen, seen)
        seen.warn()
        return replace(terms, notes=tuple(map(str, seen.diagnostics))) if seen.times else terms

    def udot(self, state: osim.State, forces: Array | None = None) -> Array:
        """Return generalized accelerations (nu,) with all forces, controllers and constraints of ``.model``.

        Args:
            state: a state of ``.model``, which is realized to acceleration.
            forces: additional generalized forces (nu,) [N m or N].

        Raises:
            ModelError: OpenSim cannot evaluate the state, a value or acceleration is not finite, or the inertia is not
                positive definite.
        """
        self.dynamics.check_state(state)
        self.dynamics.realize_acceleration(state)
        seen = self._remarks_of_call()
        try:
            return self.dynamics.finite_accelerations(state, state.getUDot().to_numpy(), forces, seen)
        except MissingInertiaError as error:
            adds = self.options.add_missing_inertia
            raise self.frozen.error_of_segment(self.kinematics, state, error, adds) from None
        finally:
            seen.warn(doubts=False)

    def mass_points(
        self, state: osim.State, muscles: Iterable[str] | None = None, jacobians: bool = True
    ) -> dict[str, MassPointKinematics]:
        """Return the mass points of ``muscles`` (default: all) at a state.

        Raises:
            UnknownNameError: a name in ``muscles`` is not a muscle with mass.
        """
        names = self.muscle_names if muscles is None else tuple(muscles)
        check_names("muscle with mass", names, self.muscle_names)
        kinematics, seen = self.dynamics.read(state), self._remarks_of_call()
        result = {}
        for name in names:
            points = self.muscles.shown_points(name)
            number = self.muscle_names.index(name)
            motion = self.evaluation.material_points(kinematics, number, points.pairs, jacobians, seen)
            for array in (points.xi, points.masses, points.chi, *motion):
                array.setflags(write=False)
            result[name] = MassPointKinematics(points.xi, points.masses, *motion, points.chi)
        seen.warn(doubts=False)
        return result

    def path_lengths(self, state: osim.State) -> pd.DataFrame:
        """Return lengths of path, belly and fibre [m] of each muscle; "held": the fibre length was limited."""
        import pandas as pd

        seen = self._remarks_of_call()
        lengths = self.evaluation.lengths(self.dynamics.read(state), seen)
        seen.warn(doubts=False)
        index = pd.Index(self.muscle_names, name="muscle")
        return pd.DataFrame(lengths, index=index, columns=["path", "belly", "fibre", "held"]).astype({"held": bool})


def bound_to(inertial: InertialModel, model: osim.Model, dynamics: Dynamics | None = None) -> InertialModel:
    """Return a copy of ``inertial`` with ``model``, an initialised copy of the OpenSim model, as ``.model``."""
    other = object.__new__(InertialModel)  # ``copy`` would make it again, like pickle
    dynamics = dynamics or inertial.dynamics.bound_to(model)
    other.__dict__.update(inertial.__dict__, dynamics=dynamics, model=model, _is_bound=True)
    return other


def terms_at(
    inertial: InertialModel,
    state: osim.State,
    per_muscle: bool = False,
    subtract_frozen: bool = True,
    seen: MuscleRemarks | None = None,
) -> InertialTerms:
    """Return the terms of :meth:`InertialModel.evaluate`, without warnings."""
    kinematics = inertial.dynamics.read(state)
    total = inertial.evaluation.terms(kinematics, None, subtract_frozen, seen)
    if not per_muscle:
        return total
    each = enumerate(inertial.muscle_names)
    return replace(total, muscles={n: inertial.evaluation.terms(kinematics, [i], subtract_frozen) for i, n in each})


def _again(model: osim.Model, masses: Any, options: ModelOptions, input_notes: Sequence[str]) -> InertialModel:
    """Return a new inertial model, without warnings about differences from OpenSim's paths."""
    with silenced(WrapDifferenceWarning):
        inertial = InertialModel(model, masses, **vars(options))
    inertial.input_notes = tuple(input_notes)
    return inertial


def _restored(
    xml: str, masses: Any, options: ModelOptions, path_xml: str | None, notes: Any, facts: Any
) -> InertialModel:
    path_model = None if path_xml is None else model_of_xml(path_xml)
    with silenced(ShortBellyWarning):
        wrapping = replace(options.paths, path_model=path_model)
        inertial = _again(model_of_xml(xml), masses, replace(options, wrapping=wrapping), notes)
    inertial._described.update(facts)
    return inertial


def check_inertial(inertial: object) -> None:
    """Raise :class:`~opensim_inertia.errors.OptionError` if ``inertial`` is no inertial model."""
    named = repr(os.fspath(inertial)) if isinstance(inertial, str | os.PathLike) else "model"
    check_type("inertial", inertial, InertialModel, f"an InertialModel: make it first, as InertialModel({named})")


def check_state(state: object) -> None:
    """Raise :class:`~opensim_inertia.errors.OptionError` if ``state`` is no OpenSim state."""
    check_type("state", state, osim.State, "a state of the model (opensim.State), such as inertial.initial_state()")


def check_moves(inertial: InertialModel) -> None:
    """Raise :class:`~opensim_inertia.errors.ModelError` for a model without coordinates."""
    if not inertial.coordinate_names:
        raise ModelError(f"model '{inertial.model.getName()}' has no coordinates: nothing in it can move")


def with_mass_along_whole_path(inertial: InertialModel, points: int = 2) -> InertialModel:
    """Return a copy of the model with each muscle's mass uniform along the path, shown as ``points`` equal masses."""
    return inertial.rebuilt(
        masses=inertial.mass_table,
        plan=inertial.wraps,
        strain=StrainModel("uniform", belly=(0.0, 1.0)),
        distribution="continuous",
        points=points,
    )
