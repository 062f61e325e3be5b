"""InertialModel: an OpenSim model whose muscles have mass; the one object users hold."""

from __future__ import annotations

import copy
import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from . import _kernel
from ._opensim import osim
from .constrained import solve_accelerations
from .errors import (
    MassError,
    ModelError,
    OptionError,
    UnknownNameError,
    UnsupportedPathError,
    check_choice,
    opensim_reason,
)
from .kernel_input import kernel_point, kernel_surface
from .masses import check_mass_table, give_up, read_masses
from .material import (
    DISTRIBUTIONS,
    HOLD_WIDTH,
    SHORTEST_BELLY,
    Belly,
    MaterialMap,
    PointMasses,
    StrainModel,
    equal_points,
)
from .reading import Frame, Kinematics, MusclePath, StateDirections, initialise, own_copy, read_coordinates, read_path
from .rigid import RigidMass, body_mass_properties, from_points
from .terms import Array, InertialTerms, MassPoints
from .wrapping import WRAPPINGS, LibraryWrapping, Wrapping, check_wraps, plan_wraps, survey_poses, wrap_bodies

#: dM and h + g_m.
AddedTerms = tuple[Array, Array]

#: Points that stand for a continuous distribution where it is frozen to a segment; error of its second moment 1/(4
#: n^2).
FROZEN_POINTS = 1000


class ShortBellyWarning(UserWarning):
    """A rigid-tendon belly became so short that its length is held."""


class InertialModel:
    """An OpenSim model in which muscles have mass along their paths.

    The model given is copied, never modified: in the copy, ``.model``, the segments have given up the muscles' mass.

    Args:
        model: an ``osim.Model``, or the path of an ``.osim`` file.
        masses: a table from :func:`estimate_masses` (columns muscle, mass, segment, source), a CSV file of it, or a
            dict from muscle name to kilograms or :class:`PointMasses`. Muscles that are not named stay massless.
        strain: "rigid_tendon" (the belly takes all of the change in length) or "uniform" (the paper's: the whole path
            stretches alike). The choice matters; see the documentation.
        distribution: "continuous" (exact) or "points".
        points: number of mass points per muscle for "points".
        wrapping: how paths pass wrap objects; "analytic": exact geodesics with a smooth touch, where a muscle's wraps
            allow it, else as "library": OpenSim's own path, differentiated numerically; "neural": networks (as Wang et
            al. 2022) in place of the geodesics.
        smoothing: half width h of the transition at touch [m]; None: a tenth of each surface's smallest radius.
        strict: raise instead of falling back to "library".
        belly, proximal_tendon: where the belly lies; see :class:`StrainModel`.
        unsupported: "error", or "massless" to leave muscles without mass (and their mass in the segments) whose path
            cannot carry it.
        wraps: ``.wraps`` of another one with the same muscles and geometry, to save the time of looking at them again.

    Raises:
        ModelError: the model is missing or malformed.
        UnsupportedPathError: names a muscle whose path cannot carry mass.
        UnknownNameError: a muscle or segment is not in the model; near matches are listed.
        MassError: a mass is negative, NaN or infinite; SegmentMassError: a segment is asked for more than it has.
        OptionError: an option has a value that is not allowed.
    """

    def __init__(
        self,
        model: osim.Model | str | os.PathLike[str],
        masses: pd.DataFrame | Mapping[str, float | PointMasses] | str | os.PathLike[str],
        strain: str = "rigid_tendon",
        distribution: str = "continuous",
        points: int = 20,
        wrapping: str = "analytic",
        *,
        smoothing: float | None = None,
        strict: bool = False,
        belly: Belly | Mapping[str, Belly] = "central",
        proximal_tendon: float | Mapping[str, float] = 0.0,
        unsupported: str = "error",
        wraps: Any = None,
    ) -> None:
        self.strain = StrainModel(strain, belly, proximal_tendon)
        self.distribution = check_choice("distribution", distribution, DISTRIBUTIONS)
        self.wrapping = check_choice("wrapping", wrapping, WRAPPINGS)
        check_choice("unsupported", unsupported, ("error", "massless"))
        self.smoothing = _check_smoothing(smoothing)
        self.left_massless: tuple[str, ...] = ()
        if isinstance(points, bool) or not isinstance(points, int | np.integer) or points < 1:
            raise OptionError("points", points, "a whole number of at least 1")
        self.points = int(points)

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
            "unsupported": unsupported,
        }
        state = initialise(self.model)
        self.coordinates = read_coordinates(self.model, state)
        explicit, table = _split_explicit(masses)
        if unsupported == "massless":
            table = self._without_unsupported(table)
        self.masses = check_mass_table(table, self.model)
        self._mass = dict(zip(self.masses["muscle"], self.masses["mass"].astype(float), strict=True))
        self._paths = self._read_paths()
        self._every = list(range(len(self._paths)))
        _check_names("muscle", self.strain.named_muscles(), self._muscle_names())

        payers = sorted(set(self.masses["segment"][self.masses["mass"] > 0]))
        before = {b: body_mass_properties(self.model, b) for b in payers}
        self.shares = {b: f for b, f in give_up(self.model, self.masses).items() if f > 0}
        state = initialise(self.model)
        self.given_up = {b: before[b].scaled(f) for b, f in self.shares.items()}

        self._explicit = {name: points for name, points in explicit.items() if name in self._paths}
        self.bodies = self._body_names(payers)
        self.kinematics = Kinematics(self.model, self.coordinates, self.bodies)
        wrapped = [p for p in self._paths.values() if p.wraps]
        self.wraps = wraps or plan_wraps(self.wrapping, self.model, self.coordinates, wrapped, self.smoothing, strict)
        self._kernel = self._make_kernel()
        if wraps is None:
            planned = set(self.wraps.library)
            self.wraps = self.wraps.check(self._lengths_at_survey(), strict)
            if set(self.wraps.library) != planned:
                self._kernel = self._make_kernel()
        self._wrapping = self.make_wrapping(self.model)
        self._warned: set[str] = set()
        self.frozen = self._freeze()

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
        return bool(self._explicit)

    def proximal_share(self, muscle: str) -> float:
        """Share, of what is not belly of a muscle with mass, that lies at its origin."""
        return self._material_map(muscle).proximal

    def original_model(self) -> osim.Model:
        """A copy of the model as it was given, its segments still having the muscles' mass."""
        model = own_copy(self._recipe["model"])
        model.finalizeFromProperties()
        return model

    def rebuilt(self, proximal_shares: Mapping[str, float] | None = None, **changes: Any) -> InertialModel:
        """A new one with some of the arguments changed, and bellies placed where ``proximal_shares`` say."""
        if proximal_shares:
            changes |= self.strain.placed(proximal_shares, {name: self._material_map(name) for name in self._paths})
        return InertialModel(**{**self._recipe, **changes})

    def initial_state(self) -> osim.State:
        """A new state of ``.model`` at its default pose. It must not outlive this object."""
        return osim.State(self.model.getWorkingState())

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
                shown = self._shown_points(name)
                x, v, J, a = self._kernel.mass_points(
                    *frame.kernel_arguments(), index[name], shown.fractions.tolist(), jacobians
                )
                result[name] = MassPoints(shown.fractions, shown.masses, *map(_frozen, (x, v, J, a)))
        return result

    def path_lengths(self, state: osim.State) -> pd.DataFrame:
        """Length of the path and of the belly [m] of each muscle with mass, and whether the belly's length is held."""
        frame = self._frame(state)
        with self._named_errors():
            lengths = self._kernel.lengths(*frame.kernel_arguments(), self._every)
        table = pd.DataFrame(
            lengths, index=pd.Index(self.muscle_names, name="muscle"), columns=["path", "belly", "held"]
        )
        return table.astype({"held": bool})

    # -- what the tools use --------------------------------------------------------------------------------------

    def make_wrapping(self, model: osim.Model) -> Wrapping | None:
        """What must be asked for paths at every state, bound to a model with this one's muscles; None if nothing."""
        live = [self._paths[name] for name in self.wraps.library]
        return LibraryWrapping(model, self.coordinates, live) if live else None

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

    def inverse(self, frames: Sequence[Frame], udot: Array) -> Array:
        """dM udot - h - g_m at several states, (T, nu); one at a time, after ``set_wrapped_paths``, if muscles wrap."""
        stacked = [np.stack(arrays) for arrays in zip(*(f.kernel_arguments() for f in frames), strict=True)]
        with self._named_errors():
            return self._kernel.inverse(stacked[0], stacked[1], np.ascontiguousarray(udot), *stacked[2:], self._every)

    def inverse_along(self, frame: Frame, udot: Array, directions: StateDirections) -> Array:
        """Derivatives (D, nu) of dM udot - h - g_m at a state along D directions, udot (nu,) being held."""
        with self._named_errors():
            return self._kernel.inverse_along(*frame.kernel_arguments(), udot, *directions, self._every)

    def inverse_each(self, frame: Frame, udot: Array) -> Array:
        """dM udot - h - g_m of each muscle with mass, (muscles, nu)."""
        with self._named_errors():
            return self._kernel.inverse_each(*frame.kernel_arguments(), udot, self._every)

    def inverse_by_map(self, frame: Frame, udot: Array) -> Array:
        """Derivatives of ``inverse_each`` over the constants ``proximal`` and ``phi`` of each muscle's map,
        (muscles, 2, nu).
        """
        with self._named_errors():
            return self._kernel.inverse_by_map(*frame.kernel_arguments(), udot, self._every)

    # -- construction --------------------------------------------------------------------------------------------

    def _read_paths(self) -> dict[str, MusclePath]:
        """Paths of the muscles that have mass, in the model's order."""
        paths = {}
        for muscle in self.model.getMuscles():
            if self._mass.get(muscle.getName(), 0.0) > 0:
                check_wraps(muscle)
                paths[muscle.getName()] = read_path(muscle, self.coordinates)
        return paths

    def _without_unsupported(self, masses: Any) -> Any:
        """The masses given, without those of muscles whose path cannot carry mass; these are noted."""
        if isinstance(masses, str | os.PathLike):
            masses = read_masses(masses)
        named = set(masses["muscle"] if isinstance(masses, pd.DataFrame) else masses)
        out = []
        for muscle in self.model.getMuscles():
            if muscle.getName() in named:
                try:
                    check_wraps(muscle)
                    read_path(muscle, self.coordinates)
                except UnsupportedPathError:
                    out.append(muscle.getName())
        self.left_massless = tuple(out)
        if isinstance(masses, pd.DataFrame):
            return masses[~masses["muscle"].isin(out)].reset_index(drop=True)
        return {name: mass for name, mass in masses.items() if name not in out}

    def _muscle_names(self) -> list[str]:
        return [m.getName() for m in self.model.getMuscles()]

    def _body_names(self, payers: Sequence[str]) -> tuple[str, ...]:
        names = dict.fromkeys(b for path in self._paths.values() for b in path.bodies)
        for path in self._paths.values():
            if path.wraps:
                names.update(dict.fromkeys(wrap_bodies(self.model.getMuscles().get(path.muscle))))
        names.update(dict.fromkeys(payers))
        return tuple(names)

    def _make_kernel(self) -> Any:
        body = {name: i for i, name in enumerate(self.bodies)}
        coordinate = {name: i for i, name in enumerate(self.coordinate_names)}
        kernel = _kernel.Kernel(len(self.bodies), len(self.coordinate_names), self.model.getGravity().to_numpy().copy())
        for name, path in self._paths.items():
            explicit = self._explicit.get(name)
            m = self._material_map(name)
            material = _kernel.MaterialMap(m.phi, m.slack, m.proximal, m.shortest, m.hold_width)
            lumps = (
                explicit
                if explicit is not None
                else (equal_points(self._mass[name], self.points) if self.distribution == "points" else None)
            )
            kernel.add_muscle(
                name,
                [kernel_point(p, body, coordinate) for p in path.points],
                material,
                self._mass[name],
                None if lumps is None else lumps.fractions.tolist(),
                None if lumps is None else lumps.masses.tolist(),
                name in self.wraps.library,
            )
            for site in self.wraps.sites.get(name, ()):
                kernel.add_wrap(kernel.size - 1, kernel_surface(site, body), site.first, site.last)
        return kernel

    def _material_map(self, name: str) -> MaterialMap:
        return self.strain.material_map(self._paths[name], name in self._explicit)

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

    def _shown_points(self, name: str) -> PointMasses:
        if name in self._explicit:
            return self._explicit[name]
        return equal_points(self._mass[name], self.points)

    def _freeze(self) -> dict[str, RigidMass]:
        """The muscles' mass at the default pose, frozen to the segments that paid for it."""
        frame = self._frame(self.initial_state())
        segment = dict(zip(self.masses["muscle"], self.masses["segment"], strict=True))
        places: dict[str, list[tuple[Array, Array]]] = {}
        with self._named_errors():
            for i, name in enumerate(self._paths):
                shown = self._shown_points(name)
                if name not in self._explicit and self.distribution == "continuous":
                    shown = equal_points(shown.total, FROZEN_POINTS)
                x = self._kernel.mass_points(*frame.kernel_arguments(), i, shown.fractions.tolist(), False)[0]
                b = self.bodies.index(segment[name])
                local = (x - frame.position[b]) @ frame.rotation[b]
                places.setdefault(segment[name], []).append((local, shown.masses))
        return {
            b: from_points(np.concatenate([x for x, _ in p]), np.concatenate([m for _, m in p]))
            for b, p in places.items()
        }

    # -- evaluation ----------------------------------------------------------------------------------------------

    def _frame(self, state: osim.State, realized: bool = False) -> Frame:
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

    def _terms(self, frame: Frame, which: list[int]) -> tuple[Array, Array, Array, float, float]:
        dM, h, g, kinetic, potential = self._kernel.evaluate(*frame.kernel_arguments(), which)
        return _frozen(dM), _frozen(h), _frozen(g), kinetic, potential

    def _named_errors(self) -> _KernelErrors:
        return _KernelErrors(self)

    def warn_held(self) -> None:
        """Warn, once per muscle, about bellies whose length is held."""
        held = self._kernel.take_held()
        if not held:
            return
        names = [name for i in held if (name := self.muscle_names[i]) not in self._warned]
        self._warned.update(names)
        for name in names:
            warnings.warn(
                f"muscle '{name}': its rigid-tendon belly became shorter than "
                f"{100 * (SHORTEST_BELLY + HOLD_WIDTH):.0f} % of its optimal fibre length; it is held there. "
                "Check its tendon slack length, or use strain='uniform'",
                ShortBellyWarning,
                stacklevel=4,
            )


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


def _check_smoothing(smoothing: float | None) -> float | None:
    if smoothing is None:
        return None
    if isinstance(smoothing, bool) or not isinstance(smoothing, int | float | np.number) or not 0 <= smoothing < 1:
        raise OptionError("smoothing", smoothing, "a length in metres, at least 0 and below 1, or None")
    return float(smoothing)


def _split_explicit(masses: Any) -> tuple[dict[str, PointMasses], Any]:
    """Explicit point masses apart from a table that holds their totals."""
    if masses is None:
        raise MassError("masses: a table, a dict or a CSV file is expected, got None")
    if not isinstance(masses, Mapping):
        return {}, masses
    explicit = {name: m for name, m in masses.items() if isinstance(m, PointMasses)}
    totals = {name: m.total if isinstance(m, PointMasses) else m for name, m in masses.items()}
    return explicit, totals


def _check_names(kind: str, names: Iterable[str], valid: Iterable[str]) -> None:
    valid = list(valid)
    for name in names:
        if name not in valid:
            raise UnknownNameError(kind, name, valid)


def _frozen(values: Array) -> Array:
    values.setflags(write=False)
    return values
