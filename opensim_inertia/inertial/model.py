"""InertialModel: an OpenSim model whose muscles have mass; the one object users hold."""

from __future__ import annotations

import copy
import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from .._opensim import osim
from ..arrays import Array
from ..checks import check_choice
from ..errors import ModelError, UnknownNameError, opensim_reason
from ..masses import check_mass_table, reference_pose, table_architecture
from ..masses.bellies import place_bellies
from ..masses.donors import Reference
from ..masses.rigid import body_mass_properties, set_mass_properties
from ..masses.segments import TRANSFERS, SegmentTransfer, asked_masses
from ..material import (
    DISTRIBUTIONS,
    HOLD_WIDTH,
    SHORTEST_FIBRE,
    Belly,
    MaterialMap,
    PointMasses,
    StrainModel,
)
from ..provenance import describe_model, plain, versions
from ..reading import Kinematics, StateDirections, StateKinematics, initialise, own_copy, read_coordinates, stacked
from ..wrapping import WRAPPINGS, OpenSimPaths, Wrapping, plan_wraps, survey_poses
from .constraints import solve_accelerations
from .muscles import InertialMuscles, check_points, check_smoothing, split_explicit, without_unsupported
from .placement import Placement, in_donor_frames
from .terms import InertialTerms, MassPoints

#: dM and h + g_m.
AddedTerms = tuple[Array, Array]

#: A residual of a segment above this share of its second moments is worth a warning.
LARGEST_RESIDUAL = 0.01


class ShortBellyWarning(UserWarning):
    """Fibres between rigid tendons became so short that their length is held."""


class RemainderWarning(UserWarning):
    """A segment cannot be conserved exactly: what its muscles leave of it would be no physical body."""


class InertialModel:
    """An OpenSim model in which muscles have mass along their paths.

    The model given is copied, never modified: in the copy, ``.model``, the segments have given up the muscles' mass.

    Args:
        model: an ``osim.Model``, or the path of an ``.osim`` file.
        masses: a table from :func:`estimate_masses` (mass, donor segment and belly by muscle), a CSV file of it, or a
            dict from muscle name to kilograms or :class:`PointMasses`. Muscles that are not named stay massless.
        strain: "aponeurosis" (fibres between aponeuroses, which with the free tendons do not stretch; the table says
            how long they are), "rigid_tendon" (no aponeurosis) or "uniform" (Wang et al. 2022: the whole path
            stretches alike). The choice matters; see the documentation.
        distribution: "continuous" (exact) or "points".
        points: number of mass points per muscle for "points".
        wrapping: how paths pass wrap objects; "analytic": exact geodesics with a smooth touch, where a muscle's wraps
            allow it, else as "opensim": OpenSim's own path, differentiated numerically; "neural": networks (as Wang et
            al. 2022) in place of the geodesics.
        smoothing: half width h of the transition at touch [m]; None: a tenth of each surface's smallest radius.
        strict: raise instead of falling back to "opensim".
        belly, proximal_tendon: where the belly lies, for "uniform" and "rigid_tendon"; see :class:`StrainModel`.
        transfer: what segments give up. "conserving": what their muscles are, so that at the reference pose segment
            and muscles together keep the segment's mass, centre and inertia; "proportional": a fraction of
            themselves (Wang et al. 2022).
        reference: that pose: None for the default pose, coordinate values, a static trial or a state; see
            :func:`~opensim_inertia.masses.donors.reference_pose`.
        unsupported: "error", or "massless" to leave muscles without mass (and their mass in the segments) whose path
            cannot carry it.
        wraps: ``.wraps`` of another one with the same muscles and geometry, to save the time of looking at them again.

    Raises:
        ModelError: the model is missing or malformed.
        UnsupportedPathError: names a muscle whose path cannot carry mass.
        UnknownNameError: a muscle or segment is not in the model; near matches are listed.
        MassError: a mass is negative, NaN or infinite; SegmentMassError: a segment is asked for more than it has.
        FileFormatError: a file is missing or malformed.
        OptionError: an option has a value that is not allowed.
    """

    def __init__(
        self,
        model: osim.Model | str | os.PathLike[str],
        masses: pd.DataFrame | Mapping[str, float | PointMasses] | str | os.PathLike[str],
        strain: str = "aponeurosis",
        distribution: str = "continuous",
        points: int = 20,
        wrapping: str = "analytic",
        *,
        smoothing: float | None = None,
        strict: bool = False,
        belly: Belly | Mapping[str, Belly] = "central",
        proximal_tendon: float | Mapping[str, float] = 0.0,
        transfer: str = "conserving",
        reference: Reference = None,
        unsupported: str = "error",
        wraps: Any = None,
    ) -> None:
        self.strain = StrainModel(strain, belly, proximal_tendon)
        self.distribution = check_choice("distribution", distribution, DISTRIBUTIONS)
        self.wrapping = check_choice("wrapping", wrapping, WRAPPINGS)
        self.transfer = check_choice("transfer", transfer, TRANSFERS)
        check_choice("unsupported", unsupported, ("error", "massless"))
        self.smoothing = check_smoothing(smoothing)
        self.left_massless: tuple[str, ...] = ()
        self.points = check_points(points)

        self.model = own_copy(model)
        self._recipe = {
            "model": own_copy(self.model),
            "masses": masses.copy() if isinstance(masses, pd.DataFrame | dict) else masses,
            "strain": strain,
            "distribution": distribution,
            "points": points,
            "wrapping": wrapping,
            "smoothing": smoothing,
            "strict": strict,
            "belly": belly,
            "proximal_tendon": proximal_tendon,
            "transfer": transfer,
            "unsupported": unsupported,
        }
        state = initialise(self.model)
        self.coordinates = read_coordinates(self.model, state)
        self.reference = self._reference_values(reference)
        self._recipe["reference"] = None if reference is None else self.reference
        explicit, table = split_explicit(masses)
        if unsupported == "massless":
            table, self.left_massless = without_unsupported(table, self.model, self.coordinates)
        self.masses = check_mass_table(table, self.model, self._recipe["reference"])
        self.architecture = table_architecture(self.masses, self.model)
        _check_names("muscle", self.strain.named_muscles(), [m.getName() for m in self.model.getMuscles()])
        self.muscles = InertialMuscles.read(
            self.model,
            self.coordinates,
            self.masses,
            explicit,
            self.architecture,
            self.strain,
            self.points,
            distribution == "continuous",
        )
        self._paths = self.muscles.paths
        self._every = list(range(len(self._paths)))
        massive = self.masses[self.masses["mass"] > 0]
        self._published = {b: body_mass_properties(self.model, b) for b in sorted(set(massive["segment"]))}
        asked_masses({b: rigid.mass for b, rigid in self._published.items()}, self.masses)

        self.bodies = self.muscles.bodies(self.model)
        self.kinematics = Kinematics(self.model, self.coordinates, self.bodies)
        wrapped = [p for p in self._paths.values() if p.wraps]
        self.wraps = wraps or plan_wraps(self.wrapping, self.model, self.coordinates, wrapped, self.smoothing, strict)
        self._kernel = self._make_kernel()
        if wraps is None:
            planned = set(self.wraps.opensim)
            self.wraps = self.wraps.check(self._lengths_at_survey(), strict)
            if set(self.wraps.opensim) != planned:
                self._kernel = self._make_kernel()
        self._wrapping = self.make_wrapping(self.model)
        self._warned: set[str] = set()
        self._held: set[str] = set()
        self._remainders: list[str] = []
        self._described: dict[str, Any] | None = None
        self._at_reference = self._frame(self.reference_state())
        with self._named_errors():
            self.placement = self._placed(self._kernel)
        self._held_at_reference = frozenset(self._held)
        self._take_from_segments()

    # -- what users ask ------------------------------------------------------------------------------------------

    @property
    def coordinate_names(self) -> tuple[str, ...]:
        """Coordinates in speed order: labels of every axis of length nu."""
        return self.coordinates.names

    @property
    def muscle_names(self) -> tuple[str, ...]:
        """Muscles that have mass, in the model's order."""
        return tuple(self._paths)

    @property
    def has_explicit_points(self) -> bool:
        """Whether any muscle has explicit :class:`PointMasses`."""
        return bool(self.muscles.explicit)

    @property
    def segments(self) -> pd.DataFrame:
        """What donor segments give up, by segment: mass [kg], "given up" and "left" [kg], and "residual".

        The residual is how far the segment's remainder and its muscles at the reference pose are from the segment as
        published, as a share of its second moments of mass; zero where mass, centre and inertia are conserved.
        """
        rows = [
            (t.published.mass, float(t.muscles[3, 3]), t.left.mass, t.residual)
            for t in self.placement.transfers.values()
        ]
        index = pd.Index(list(self.placement.transfers), name="segment")
        return pd.DataFrame(rows, index=index, columns=["mass", "given up", "left", "residual"])

    def material_map(self, muscle: str) -> MaterialMap:
        """Where the mass of a muscle lies along its path: the constants of its material map."""
        return self.muscles.material_map(muscle)

    def aponeuroses_scaled(self, factor: float) -> dict[str, MaterialMap]:
        """Material maps with aponeuroses of other length, within the slack length; free tendons keep their shares.

        Only of muscles that have one, whose mass is not explicit and whose path does not come from OpenSim.
        """
        maps = {}
        for name in self.muscle_names:
            m = self.material_map(name)
            if m.aponeurosis > 0 and name not in self.muscles.explicit and name not in self.wraps.opensim:
                aponeurosis = min(factor * m.aponeurosis, 1.0)
                maps[name] = replace(m, aponeurosis=aponeurosis, proximal=m.proximal_share * (1 - aponeurosis))
        return maps

    def original_model(self) -> osim.Model:
        """A copy of the model as it was given, its segments still having the muscles' mass."""
        model = own_copy(self._recipe["model"])
        model.finalizeFromProperties()
        return model

    def rebuilt(
        self,
        proximal_shares: Mapping[str, float] | None = None,
        aponeuroses: Mapping[str, float] | None = None,
        **changes: Any,
    ) -> InertialModel:
        """A new one with some of the arguments changed.

        Args:
            proximal_shares: of what is not belly, the share at the origin, by muscle.
            aponeuroses: length of the aponeurosis [m], by muscle.
            changes: arguments.
        """
        if self.strain.strain == "aponeurosis":
            if "masses" in changes and isinstance(changes["masses"], pd.DataFrame):
                changes["masses"] = place_bellies(
                    changes["masses"], self.architecture, proximal_shares or {}, aponeuroses or {}
                )
        elif proximal_shares:
            changes |= self.strain.placed(proximal_shares, {name: self.material_map(name) for name in self._paths})
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RemainderWarning)  # it was said of this one
            return InertialModel(**{**self._recipe, **changes})

    def initial_state(self) -> osim.State:
        """A new state of ``.model`` at its default pose. It must not outlive this object."""
        return osim.State(self.model.getWorkingState())

    def reference_state(self) -> osim.State:
        """A new state of ``.model`` at the reference pose, at rest. It must not outlive this object."""
        state = self.initial_state()
        self.coordinates.set_values(state, self.reference)
        return state

    def evaluate(self, state: osim.State, per_muscle: bool = False) -> InertialTerms:
        """Added mass matrix, quadratic velocity vector and gravity at a state, which is realized to velocity.

        Args:
            state: a state of ``.model``.
            per_muscle: also give every muscle's own terms.
        """
        frame = self._frame(state)
        with self._named_errors():
            total = self._terms(frame, self._every)
            parts = (
                {name: InertialTerms(*self._terms(frame, [i])) for i, name in enumerate(self._paths)}
                if per_muscle
                else {}
            )
        return InertialTerms(*total, muscles=parts) if per_muscle else InertialTerms(*total)

    def udot(self, state: osim.State, forces: Array | None = None) -> Array:
        """Generalized accelerations (nu,), all forces, controllers and constraints of ``.model`` acting.

        Args:
            state: a state of ``.model``, which is realized to acceleration.
            forces: generalized forces (nu,) [N m or N] that act besides.

        Raises:
            ModelError: OpenSim cannot evaluate the state, or it is not finite.
        """
        self.check_state(state)
        self.realize_acceleration(state)
        return self.accelerations(state, state.getUDot().to_numpy(), forces)

    def mass_points(
        self, state: osim.State, muscles: Iterable[str] | None = None, jacobians: bool = True
    ) -> dict[str, MassPoints]:
        """Mass points of each muscle (or of ``muscles``) at a state.

        Raises:
            UnknownNameError: a name in ``muscles`` is not a muscle with mass.
        """
        names = self.muscle_names if muscles is None else tuple(muscles)
        _check_names("muscle with mass", names, self.muscle_names)
        frame = self._frame(state)
        index = {name: i for i, name in enumerate(self._paths)}
        result = {}
        with self._named_errors():
            for name in names:
                shown = self.muscles.shown_points(name)
                x, v, J, a = self._kernel.mass_points(*frame.kernel_arguments(), index[name], shown.pairs, jacobians)
                result[name] = MassPoints(*map(_frozen, (shown.xi, shown.masses, x, v, J, a, shown.chi)))
        return result

    def path_lengths(self, state: osim.State) -> pd.DataFrame:
        """Length of path, belly and fibres along the path [m] of each muscle with mass, and whether fibres are held."""
        frame = self._frame(state)
        with self._named_errors():
            lengths = self._kernel.lengths(*frame.kernel_arguments(), self._every)
        table = pd.DataFrame(
            lengths, index=pd.Index(self.muscle_names, name="muscle"), columns=["path", "belly", "fibre", "held"]
        )
        return table.astype({"held": bool})

    @property
    def notes(self) -> list[str]:
        """What there is to warn of: remainders that are no bodies, and bellies held since :meth:`forget_held`."""
        return self._remainders + [_about_held(name) for name in self.muscle_names if name in self._held]

    def forget_held(self) -> None:
        """Begin anew to note bellies whose length is held, but for those at the reference pose."""
        self._held.clear()
        self._held.update(self._held_at_reference)

    def provenance(self) -> dict[str, Any]:
        """With what results of this model are made: versions, model, options, masses, warnings (``notes``).

        "masses" is the mass table; all else is as JSON knows it.
        """
        if self._described is None:
            self._described = describe_model(self._recipe["model"])
        named = ("strain", "belly", "proximal_tendon", "transfer", "distribution", "wrapping", "smoothing")
        used = {"uniform": "belly", "rigid_tendon": "proximal_tendon"}.get(self.strain.strain)
        options = {k: self._recipe[k] for k in named if k not in ("belly", "proximal_tendon") or k == used}
        if self.distribution == "points":
            options["points"] = self.points
        options["reference"] = (
            "default pose"
            if self._recipe["reference"] is None
            else dict(zip(self.coordinate_names, self.reference, strict=True))
        )
        return plain(
            {
                "versions": versions(),
                "model": self._described,
                "options": options,
                "muscle mass [kg]": float(sum(self.muscles.masses.values())),
                "muscles with mass": len(self.muscles.masses),
                "left massless": self.left_massless,
                "point masses": {
                    name: {"fractions": points.fractions, "masses": points.masses}
                    for name, points in self.muscles.explicit.items()
                },
                "segments": self.segments.reset_index().to_dict("records"),
                "warnings": list(self.notes),
            }
        ) | {"masses": self.masses.copy()}

    # -- what the tools use --------------------------------------------------------------------------------------

    def make_wrapping(self, model: osim.Model) -> Wrapping | None:
        """What must be asked for paths at every state, bound to a model with this one's muscles; None if nothing."""
        live = [self._paths[name] for name in self.wraps.opensim]
        return OpenSimPaths(model, self.coordinates, live) if live else None

    def check_state(self, state: osim.State) -> None:
        """Raise :class:`ModelError` if a state cannot be one of ``.model``."""
        if state.getNU() != len(self.coordinate_names):
            raise ModelError(
                f"the state has {state.getNU()} speeds, the model {len(self.coordinate_names)}: it is another model's"
            )

    def bound_to(self, model: osim.Model) -> InertialModel:
        """The same muscles on another, initialised copy of ``.model``: one with loads or controllers added to it."""
        other = copy.copy(self)
        other.model = model
        other.kinematics = Kinematics(model, self.coordinates, self.bodies)
        other._wrapping = other.make_wrapping(model)
        return other

    def realize_acceleration(self, state: osim.State) -> None:
        """Let OpenSim compute its own accelerations; what it cannot do is a :class:`ModelError`."""
        try:
            self.model.realizeAcceleration(state)
        except RuntimeError as error:
            raise ModelError(f"at time {state.getTime():.6g} s: {opensim_reason(error)}") from None

    def accelerations(
        self, state: osim.State, udot0: Array, forces: Array | None = None, added: AddedTerms | None = None
    ) -> Array:
        """Generalized accelerations (nu,) where OpenSim's own, ``udot0``, are known; ``added`` terms too if given."""
        rigid = self.kinematics.mass_matrix(state)
        if added is None and self._wrapping is None and self.kinematics.is_direct:
            with self._named_errors():
                mass, force = self._kernel.equations(*self.kinematics.system_arrays(state), rigid, udot0, self._every)
        else:
            mass, force = self.added_terms(state) if added is None else added
            mass, force = rigid + mass, rigid @ udot0 + force
        udot = solve_accelerations(self.model, state, mass, force if forces is None else force + forces, udot0)
        if not np.isfinite(udot).all():
            self._check_finite(self.coordinates.values(state), state.getU().to_numpy())
        return udot

    def added_terms(self, state: osim.State) -> AddedTerms:
        """dM (nu, nu) and h + g_m (nu,) at a state realized to velocity."""
        frame = self._frame(state, realized=True)
        with self._named_errors():
            dM, h, g_m, _, _ = self._kernel.evaluate(*frame.kernel_arguments(), self._every)
        return dM, h + g_m

    def set_wrapped_paths(self, wrapping: Wrapping | None, state: osim.State) -> None:
        """Tell the kernel the paths of wrapping muscles at a state realized to velocity."""
        if wrapping is None:
            return
        index = {name: i for i, name in enumerate(self._paths)}
        body = {name: i for i, name in enumerate(self.bodies)}
        for name, path in wrapping.paths(state).items():
            arcs = [(body[a.body], *map(np.ascontiguousarray, (a.points, a.jacobian, a.bias))) for a in path.arcs]
            self._kernel.set_path(index[name], list(path.sequence), arcs)

    def inverse(self, frames: StateKinematics | Sequence[StateKinematics], udot: Array) -> Array:
        """dM udot - h - g_m at several states, (T, nu); one at a time, after ``set_wrapped_paths``, if muscles wrap."""
        q, u, *rest = _several(frames).kernel_arguments()
        with self._named_errors():
            return self._kernel.inverse(q, u, np.ascontiguousarray(udot), *rest, self._every)

    def inverse_along(self, frame: StateKinematics, udot: Array, directions: StateDirections) -> Array:
        """Derivatives (D, nu) of dM udot - h - g_m at a state along D directions, udot (nu,) being held."""
        with self._named_errors():
            return self._kernel.inverse_along(*frame.kernel_arguments(), udot, *directions, self._every)

    def inverse_each(
        self,
        frames: StateKinematics | Sequence[StateKinematics],
        udot: Array,
        placement: Placement | None = None,
        which: Sequence[int] | None = None,
    ) -> Array:
        """dM udot - h - g_m of each muscle with mass at several states, (T, muscles, nu); as ``inverse``.

        Args:
            frames: kinematics of T states, one by one or stacked.
            udot: (T, nu).
            placement: where the muscles' mass lies; default: where it does.
            which: numbers of the muscles; default: all.
        """
        q, u, *rest = _several(frames).kernel_arguments()
        kernel: Any = self._kernel if placement is None else placement.kernel
        with self._named_errors():
            return kernel.inverse_each(
                q, u, np.ascontiguousarray(udot), *rest, self._every if which is None else list(which)
            )

    def inverse_by_map(self, frame: StateKinematics, udot: Array) -> Array:
        """Derivatives of each muscle's dM udot - h - g_m over the constants ``proximal``, ``phi`` and ``aponeurosis``
        of its map, (muscles, 3, nu).
        """
        with self._named_errors():
            return self._kernel.inverse_by_map(*frame.kernel_arguments(), udot, self._every)

    def frozen_by_map(self) -> Array:
        """Derivatives of each muscle's pseudo-inertia at the reference pose, in its donor's frame, over the same,
        (muscles, 3, 4, 4).
        """
        frame = self._at_reference
        with self._named_errors():
            in_ground = self._kernel.pseudo_inertia_by_map(*frame.kernel_arguments(), self._every)
        return in_donor_frames(in_ground, self.placement.donors, self.bodies, frame)

    def placed_otherwise(self, maps: Mapping[str, MaterialMap]) -> Placement:
        """The muscles' mass with other material maps by muscle; what segments give up follows, ``.model`` does not.

        Paths that come from OpenSim cannot be laid otherwise: their muscles must not be given.
        """
        which = [i for i, name in enumerate(self.muscle_names) if name in maps]
        with self._named_errors():
            return self.placement.placed_otherwise(self._make_kernel(maps), which, self.bodies, self._at_reference)

    # -- construction --------------------------------------------------------------------------------------------

    def _reference_values(self, reference: Reference) -> Array:
        """Coordinate values (nu,) at the reference pose."""
        if reference is None:
            return self.coordinates.values(self.initial_state())
        owner, state = reference_pose(self.model, reference)
        values = self.coordinates.values(state)
        del state, owner
        return values

    def _placed(self, kernel: Any) -> Placement:
        return Placement.at(
            kernel, self.muscles.donors, self.bodies, self._at_reference, self._published, self.transfer
        )

    def _make_kernel(self, maps: Mapping[str, MaterialMap] | None = None) -> Any:
        gravity = self.model.getGravity().to_numpy().copy()
        return self.muscles.kernel(self.bodies, self.coordinate_names, gravity, self.wraps, maps)

    def _take_from_segments(self) -> None:
        """Leave the segments what their muscles leave, and read the model anew."""
        transfers = self.placement.transfers
        if not transfers:
            return
        for name, transfer in transfers.items():
            set_mass_properties(self.model, name, transfer.left)
        initialise(self.model)
        self.kinematics = Kinematics(self.model, self.coordinates, self.bodies)
        self._wrapping = self.make_wrapping(self.model)
        for transfer in transfers.values():
            if self.transfer == "conserving" and transfer.residual > LARGEST_RESIDUAL:
                self._remainders.append(_about_remainder(transfer))
                warnings.warn(self._remainders[-1], RemainderWarning, stacklevel=3)

    def _lengths_at_survey(self) -> dict[str, Array]:
        """Lengths of the kernel's own wrapped paths at the survey's poses [m]; nan where there is none."""
        index = {name: i for i, name in enumerate(self._paths)}
        lengths: dict[str, list[float]] = {name: [] for name in self.wraps.lengths if self.wraps.sites.get(name)}
        if not lengths:
            return {}
        state = self.initial_state()
        for q in survey_poses(self.model, self.coordinates):
            self.coordinates.set_values(state, q)
            arrays = self.kinematics.read(state).kernel_arguments()
            for name, found in lengths.items():
                try:
                    found.append(float(self._kernel.lengths(*arrays, [index[name]])[0, 0]))
                except RuntimeError:
                    found.append(np.nan)
        self._kernel.take_held()
        return {name: np.array(found) for name, found in lengths.items()}

    # -- evaluation ----------------------------------------------------------------------------------------------

    def _frame(self, state: osim.State, realized: bool = False) -> StateKinematics:
        self.check_state(state)
        frame = self.kinematics.read(state, realized)
        self._check_finite(frame.q, frame.u)
        self.set_wrapped_paths(self._wrapping, state)
        return frame

    def _check_finite(self, q: Array, u: Array) -> None:
        finite = np.isfinite(q) & np.isfinite(u)
        if not finite.all():
            bad = int(np.argmin(finite))
            raise ModelError(f"the state is not finite at coordinate '{self.coordinate_names[bad]}'")

    def _terms(self, frame: StateKinematics, which: list[int]) -> tuple[Array, Array, Array, float, float]:
        dM, h, g, kinetic, potential = self._kernel.evaluate(*frame.kernel_arguments(), which)
        return _frozen(dM), _frozen(h), _frozen(g), kinetic, potential

    def _named_errors(self) -> _KernelErrors:
        return _KernelErrors(self)

    def warn_held(self) -> None:
        """Warn, once per muscle, about bellies whose length is held."""
        held = self._kernel.take_held()
        if not held:
            return
        names = [self.muscle_names[i] for i in held]
        self._held.update(names)
        new = [name for name in names if name not in self._warned]
        self._warned.update(new)
        for name in new:
            warnings.warn(_about_held(name), ShortBellyWarning, stacklevel=4)


class _KernelErrors:
    """Turns the kernel's errors into named ones and passes on its warnings."""

    def __init__(self, owner: InertialModel) -> None:
        self.owner = owner

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if isinstance(error, RuntimeError):
            raise ModelError(str(error)) from None
        if error is None:
            self.owner.warn_held()


def _about_remainder(transfer: SegmentTransfer) -> str:
    return (
        f"segment '{transfer.name}': no physical body would be left of its {transfer.published.mass:.3g} kg without "
        f"its muscles' {transfer.muscles[3, 3]:.3g} kg (smallest second moment {transfer.lowest:.3g} kg m^2). Mass and "
        f"centre are kept; {100 * transfer.residual:.1f} % of its second moments are added, the part 'moved' of results"
    )


def _about_held(muscle: str) -> str:
    return (
        f"muscle '{muscle}': its fibres between rigid tendons became shorter than "
        f"{100 * (SHORTEST_FIBRE + HOLD_WIDTH):.0f} % of their optimal length; they are held there. "
        "Check its tendon slack length, or use strain='uniform'"
    )


def _several(frames: StateKinematics | Sequence[StateKinematics]) -> StateKinematics:
    return frames if isinstance(frames, StateKinematics) else stacked(frames)


def _check_names(kind: str, names: Iterable[str], valid: Iterable[str]) -> None:
    valid = list(valid)
    for name in names:
        if name not in valid:
            raise UnknownNameError(kind, name, valid)


def _frozen(values: Array) -> Array:
    values.setflags(write=False)
    return values
