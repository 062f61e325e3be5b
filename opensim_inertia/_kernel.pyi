"""
Mass points on musculotendon paths: Jacobians, added mass, quadratic velocity vector and gravity.

Nothing here remembers a call: a kernel, its muscles and a state are immutable, and whatever a muscle's path needs from
outside travels with the state. One kernel may be used from several threads at once; the methods of :class:`Kernel`
release the GIL while they compute.

The order of arguments is the same everywhere: the state or states, accelerations, the rest, and last ``which``: the
numbers of the muscles (None: all of them). ``remarks`` are two lists: the numbers of the muscles whose fibres are held at
their shortest length, and for each doubt about a path the number of the state, among those of the call, of the muscle,
and a word: "divided", "fast" or "inside"; all in ascending order, each once.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated

import numpy
from numpy.typing import NDArray


def surface_kinds() -> dict[str, tuple[int, int, bool]]:
    """
    For every kind of surface: the least and the largest number of sizes, and whether planar networks serve it.
    """

def fibre_length(map: Mapping[str, object], length: float) -> tuple[float, float, float]:
    """
    Length of the fibres on a path of some length [m], and its first and second derivative.

    Args:
        map: as `opensim_inertia.paths.kernel.MapRecord` says.
        length: of the path [m].
    """

def wrap_spans(surface: Mapping[str, object], origin: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], insertion: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], fraction: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[NDArray[numpy.float64], NDArray[numpy.float64], NDArray[numpy.float64], NDArray[numpy.float64], NDArray[numpy.float64], NDArray[numpy.float64], NDArray[numpy.float64], list[bool]]:
    """
    Points at fractions of the length of n strings from origin to insertion over a surface, in its frame.

    Args:
        surface: as `opensim_inertia.paths.kernel.SurfaceRecord` says.
        origin, insertion: ends of the strings, (n, 3) [m].
        fraction: fractions of the strings' lengths, (n,).

    Returns:
        x (n, 3), its derivatives with respect to origin (n, 3, 3), insertion (n, 3, 3) and fraction (n, 3), the length
        (n,) and its derivatives (n, 3), (n, 3), and whether the surface is touched (n,).
    """

class GivenPath:
    """
    The path of one muscle at one state, as OpenSim gives it.

    Args:
        sequence: the path's parts from origin to insertion: a number of the muscle's path points, or -1 - i for arc i.
        arcs: body number, control points (n, 3) in the body's frame [m], their derivatives (n, 3, speeds) with respect to
            the speeds, and the second derivatives (n, 3) along u at udot = 0; 3 to 20 control points at Chebyshev-Lobatto
            fractions of the arc.
    """

    def __init__(self, sequence: Sequence[int], arcs: Sequence[tuple[int, Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]]] = ()) -> None: ...

class State:
    """
    One state of a model: its coordinates, speeds, and how its bodies are placed and move. It is immutable.

    The arrays are those of `opensim_inertia.opensim_model.reading.StateKinematics`. They are kept, not copied, and must not be changed
    afterwards; a body's spatial vectors are (angular, linear of its origin), in ground, in SI units.

    Args:
        q, u: (speeds,).
        rotation: of the bodies to ground, (bodies, 3, 3).
        position: of the bodies' origins, (bodies, 3) [m].
        jacobian: system Jacobian (6 bodies, speeds).
        bias: Jdot u, (bodies, 6).
        simbody_bias: the same as Simbody has it, with which frozen mass moves, (bodies, 6).
        paths: by muscle number, for the muscles whose path is given. Others are not looked at.
        lengths: by muscle number, OpenSim's lengths [m] of muscles that are compared with them.
    """

    def __init__(self, q: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], u: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], rotation: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order='C', device='cpu', writable=False)], position: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], jacobian: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], bias: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], simbody_bias: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], paths: Mapping[int, GivenPath] = {}, lengths: Mapping[int, float] = {}) -> None: ...

    @staticmethod
    def of_system(q: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], u: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], transforms: Sequence[int], mobods: Sequence[int], jacobian: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], bias: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], simbody_bias: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], paths: Mapping[int, GivenPath] = {}, lengths: Mapping[int, float] = {}) -> State:
        """
        The state picked from Simbody's arrays of the whole system, which are copied.

        Args:
            q, u: (speeds,).
            transforms: addresses of the bodies' SimTK::Transforms.
            mobods: the bodies' mobilized body indices.
            jacobian, bias, simbody_bias: of all mobilized bodies, (6 mobods, speeds) and (6 mobods,) twice.
            paths, lengths: as for a state.
        """

    @property
    def q(self) -> Annotated[NDArray[numpy.float64], dict(writable=False)]: ...

    @property
    def u(self) -> Annotated[NDArray[numpy.float64], dict(writable=False)]: ...

    @property
    def rotation(self) -> Annotated[NDArray[numpy.float64], dict(writable=False)]: ...

    @property
    def position(self) -> Annotated[NDArray[numpy.float64], dict(writable=False)]: ...

    @property
    def jacobian(self) -> Annotated[NDArray[numpy.float64], dict(writable=False)]: ...

    @property
    def bias(self) -> Annotated[NDArray[numpy.float64], dict(writable=False)]: ...

class Directions:
    """
    D directions in which a state changes: derivatives of its arrays, which are kept, not copied.

    Args:
        q, u: (D, speeds).
        twist: motion of every body in ground, angular and linear of its origin, (D, bodies, 6).
        jacobian: (D, 6 bodies, speeds).
        bias, simbody_bias: (D, bodies, 6).
    """

    def __init__(self, q: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], u: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], twist: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order='C', device='cpu', writable=False)], jacobian: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order='C', device='cpu', writable=False)], bias: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order='C', device='cpu', writable=False)], simbody_bias: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order='C', device='cpu', writable=False)]) -> None: ...

class Terms:
    """
    Terms of the equations of motion that the muscles' mass changes at a state.
    """

    @property
    def mass_matrix(self) -> NDArray[numpy.float64]:
        """Added mass matrix dM, (speeds, speeds)."""

    @property
    def bias(self) -> NDArray[numpy.float64]:
        """Quadratic velocity vector h, (speeds,)."""

    @property
    def gravity(self) -> NDArray[numpy.float64]:
        """Generalized forces of gravity g_m, (speeds,)."""

    @property
    def kinetic(self) -> float:
        """Kinetic energy [J]."""

    @property
    def potential(self) -> float:
        """Potential energy [J]; zero where the mass is at ground's origin."""

    @property
    def remarks(self) -> tuple[list[int], list[tuple[int, int, str]]]:
        """What becomes of muscles at the state."""

class Kernel:
    """
    All muscles of a model with mass. It is immutable, and may be used from several threads at once.

    Inertia and forces are differences: mass that slides along the paths, less the same mass frozen to its donor segments.

    Args:
        bodies, speeds: how many a state has.
        gravity: (3,) in ground [m/s^2].
        muscles: each as `opensim_inertia.paths.kernel.MuscleRecord` says; a muscle's number is its place here.

    Raises:
        ValueError: names the muscle of which something is missing, unknown or impossible, or whose points or surfaces are
            on a body or coordinate that is out of range.

    All methods raise ValueError if a state has other numbers of bodies or speeds, IndexError for a muscle number that is
    out of range, and RuntimeError, which names the muscle, if a path cannot carry its mass at a state or is to be given
    and the state has none.
    """

    def __init__(self, bodies: int, speeds: int, gravity: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], muscles: Sequence[Mapping[str, object]]) -> None: ...

    @property
    def size(self) -> int:
        """Number of muscles."""

    def evaluate(self, state: State, which: Sequence[int] | None = None, subtract_frozen: bool = True) -> Terms:
        """
        dM, h, g_m and energies, summed over muscles; without ``subtract_frozen`` those of the muscles themselves.
        """

    def equations(self, state: State, mass_matrix: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], udot0: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], which: Sequence[int] | None = None) -> tuple[NDArray[numpy.float64], NDArray[numpy.float64], tuple[list[int], list[tuple[int, int, str]]]]:
        """
        The equations of motion with the muscles' mass: M + dM, M udot0 + h + g_m, and remarks.

        Args:
            state: the state.
            mass_matrix: M of the rigid bodies, (speeds, speeds).
            udot0: the rigid bodies' accelerations under all forces, (speeds,).
            which: numbers of muscles.
        """

    def inverse(self, states: Sequence[State], udot: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], which: Sequence[int] | None = None) -> tuple[NDArray[numpy.float64], tuple[list[int], list[tuple[int, int, str]]]]:
        """
        dM udot - h - g_m at T states, summed over muscles, (T, speeds), and remarks; ``udot`` (T, speeds).
        """

    def inverse_on_carriers(self, states: Sequence[State], udot: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], which: Sequence[int] | None = None) -> tuple[NDArray[numpy.float64], tuple[list[int], list[tuple[int, int, str]]]]:
        """
        ``inverse`` before it is projected, and remarks.

        Returns:
            wrenches on bodies (moment about the origin and force, in ground) and forces on coordinates by which path points
            slide in their bodies, (T, 6 bodies + speeds), and remarks.
        """

    def inverse_each(self, states: Sequence[State], udot: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], which: Sequence[int] | None = None) -> tuple[NDArray[numpy.float64], tuple[list[int], list[tuple[int, int, str]]]]:
        """
        ``inverse`` of each muscle on its own, (T, muscles, speeds), and remarks.
        """

    def inverse_parts(self, states: Sequence[State], udot: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], weights: Sequence[float]) -> tuple[NDArray[numpy.float64], NDArray[numpy.float64], tuple[list[int], list[tuple[int, int, str]]]]:
        """
        ``inverse_each`` of all muscles, what ``inverse`` is made of, and remarks.

        Args:
            states, udot: as there.
            weights: [kg] of all muscles, of the kinetic energy of the rates of their lengths, sum weight rate^2 / 2.

        Returns:
            (T, muscles, speeds); (T, 4, speeds): the force of that energy, the part of it that does not depend on udot, -h and
            -g_m; and remarks.
        """

    def inverse_of_maps(self, states: Sequence[State], udot: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], which: Sequence[int], maps: Sequence[Sequence[Mapping[str, object]]], frozen: tuple[Sequence[int], Sequence[int], Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order='C', device='cpu', writable=False)]]) -> tuple[NDArray[numpy.float64], tuple[list[int], list[tuple[int, int, str]]]]:
        """
        ``inverse_each`` with other maps in place of the muscles' own, and remarks.

        Args:
            states, udot: as there.
            which: numbers of muscles.
            maps: several sets, each of a map for each of these muscles, as `opensim_inertia.paths.kernel.MapRecord` says.
            frozen: parts of these muscles' frozen mass: places of the muscles in ``which``, bodies, and mass, first moment (3)
                and second moments xx, yy, zz, xy, xz, yz about the body's origin, (sets, parts, 10).

        Returns:
            (sets, T, muscles, speeds), and remarks.
        """

    def pseudo_inertia_of_maps(self, state: State, which: Sequence[int], maps: Sequence[Sequence[Mapping[str, object]]], windows: Sequence[tuple[float, float]] | None = None) -> tuple[NDArray[numpy.float64], tuple[list[int], list[tuple[int, int, str]]]]:
        """
        ``pseudo_inertia`` with other maps, as ``inverse_of_maps`` takes them, (sets, muscles, 4, 4).
        """

    def pseudo_inertia(self, state: State, which: Sequence[int] | None = None, windows: Sequence[tuple[float, float]] | None = None) -> tuple[NDArray[numpy.float64], tuple[list[int], list[tuple[int, int, str]]]]:
        """
        Each muscle's mass as a rigid body in ground, and remarks.

        Args:
            state: the state.
            which: numbers of muscles; None: all.
            windows: of each of them the shares of its mass, counted from the origin, between which it is asked for; None: all.

        Returns:
            [[sum m x x^T, sum m x], [sum m x^T, sum m]], (muscles, 4, 4), and remarks.
        """

    def mass_points(self, state: State, muscle: int, fractions: Sequence[tuple[float, float]], want_jacobian: bool = True) -> tuple[NDArray[numpy.float64], NDArray[numpy.float64], NDArray[numpy.float64], NDArray[numpy.float64], tuple[list[int], list[tuple[int, int, str]]]]:
        """
        Positions (n, 3), velocities (n, 3), Jacobians (n, 3, speeds), Jdot u (n, 3) and remarks.

        Args:
            state: the state.
            muscle: number of the muscle.
            fractions: material points (chi, xi).
            want_jacobian: else there are no Jacobians, (0, 3, speeds).
        """

    def lengths(self, state: State, which: Sequence[int] | None = None) -> NDArray[numpy.float64]:
        """
        Lengths of path, belly and fibres [m], and whether these are held (1 or 0), (muscles, 4).
        """

    def length_gradients(self, state: State, which: Sequence[int] | None = None) -> NDArray[numpy.float64]:
        """
        Derivatives of the paths' lengths, (muscles, 6 bodies + speeds).

        They are with respect to the twists of the bodies (angular, linear of the origin, in ground) and to the speeds, along
        which path points slide in the bodies, the bodies being held.
        """

    def inverse_along(self, state: State, udot: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], directions: Directions, which: Sequence[int] | None = None) -> NDArray[numpy.float64]:
        """
        Derivatives of ``inverse`` at a state along D directions, udot (speeds,) being held, (D, speeds); exact.

        Raises:
            RuntimeError: names a muscle whose path is given: it has no derivatives.
        """

    def inverse_by_map(self, state: State, udot: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], frozen: tuple[Sequence[int], Sequence[int], Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order='C', device='cpu', writable=False)]], which: Sequence[int] | None = None) -> NDArray[numpy.float64]:
        """
        Derivatives of ``inverse_each`` by each muscle's own `proximal`, `phi` and `aponeurosis`, at udot (speeds,).

        Args:
            state: the state.
            udot: accelerations.
            frozen: derivatives of the frozen mass by the three, as ``inverse_of_maps`` takes it.
            which: numbers of muscles; None: all.

        Returns:
            (muscles, 3, speeds); exact.

        Raises:
            RuntimeError: as ``inverse_along``.
        """

    def pseudo_inertia_by_map(self, state: State, which: Sequence[int] | None = None, windows: Sequence[tuple[float, float]] | None = None) -> NDArray[numpy.float64]:
        """
        Derivatives of ``pseudo_inertia`` by each muscle's own `proximal`, `phi` and `aponeurosis`; exact.

        Returns:
            (muscles, 3, 4, 4).

        Raises:
            RuntimeError: as ``inverse_along``.
        """

class Swinging:
    """
    Muscles of a kernel whose bellies swing across their paths. It is immutable.

    Material moves to x = X + phi d, phi = sin(pi (w chi + (1 - w) xi)) being its mode and d a vector that all of the belly
    has. Arguments are those of SwingInertia, all of them muscles.

    Raises:
        ValueError: for what is impossible; IndexError for a muscle that is not there.
    """

    def __init__(self, kernel: Kernel, muscles: Sequence[int], bodies: Sequence[int], constants: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], places: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], axes: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order='C', device='cpu', writable=False)]) -> None: ...

    def equations(self, states: Sequence[State], udot: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> tuple[NDArray[numpy.float64], tuple[list[int], list[tuple[int, int, str]]]]:
        """
        Equations of displacements, z'' = -(K + k) z - (C + c) z' + b, at T states with accelerations ``udot``, and
        remarks.

        Returns:
            K and C (2, 2) and b (2,), (T, S, 5, 2).
        """

    def answers(self, states: Sequence[State], udot: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], y: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None, None), order='C', device='cpu', writable=False)], stiffness: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order='C', device='cpu', writable=False)], damping: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order='C', device='cpu', writable=False)]) -> tuple[NDArray[numpy.float64], NDArray[numpy.float64], NDArray[numpy.float64], tuple[list[int], list[tuple[int, int, str]]]]:
        """
        What displacements exert along a motion of T states with accelerations ``udot`` (T, speeds), and remarks.

        Args:
            states, udot: the motion.
            y: z and z' in several sets, (sets, T, S, 4).
            stiffness, damping: k [1/s^2] and c [1/s], (sets, T, S).

        Returns:
            generalized forces that the motion needs for each of the first set, (T, S, speeds), and for all of each set,
            (sets, T, speeds); and displacements of the first set in ground, (T, S, 3).
        """

class SwingInertia:
    """
    Mass that swings, with n coordinates of displacements: two for a belly, three for a mass on a spring.

    Args:
        kernel: has the muscles.
        muscles: numbers of the muscle whose belly each is, -1 for masses on springs, (S,).
        bodies: numbers of the bodies in whose frames they swing, (S,).
        constants: w (the aponeurosis' part of the belly), mu [kg], s [kg], stiffness [N/m], stiffness by tension [1/m],
            share of the critical damping, (S, 6).
        places: direction of a belly's chord at the reference pose, place of a mass on a spring, in the body, (S, 3).
        axes: rows span where they swing at the reference pose, of bellies the first two, (S, 3, 3).

    Raises:
        ValueError: for what is impossible; IndexError for a muscle that is not there.
    """

    def __init__(self, kernel: Kernel, muscles: Sequence[int], bodies: Sequence[int], constants: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], places: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], axes: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order='C', device='cpu', writable=False)]) -> None: ...

    def equations(self, state: State, mass_matrix: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], udot0: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], z: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], tension: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[NDArray[numpy.float64], NDArray[numpy.float64], NDArray[numpy.float64], NDArray[numpy.float64], tuple[list[int], list[tuple[int, int, str]]]]:
        """
        The equations of motion with the muscles' mass and what swings, displacements having been eliminated.

        Args:
            state: the state.
            mass_matrix: M of the rigid bodies, (speeds, speeds).
            udot0: the rigid bodies' accelerations under all forces, (speeds,).
            z: coordinates of displacements and their rates, (2, n).
            tension: of the kernel's muscles [N].

        Returns:
            the mass matrix (speeds, speeds), the force (speeds,); the displacements' accelerations (n,) at udot = 0, and what
            they fall by with udot (n, speeds); and remarks.
        """

def oscillate(h: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], stiffness: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order='C', device='cpu', writable=False)], damping: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order='C', device='cpu', writable=False)], coefficients: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None, None), order='C', device='cpu', writable=False)], start: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order='C', device='cpu', writable=False)], nodes: tuple[Sequence[int], Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]], sets: Sequence[int], which: Sequence[int], y: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None, None), order='C', device='cpu')]) -> NDArray[numpy.float64]:
    """
    Writes the motion of driven linear oscillators z'' = -(K + k) z - (C + c) z' + b.

    It is exact for k and c that do not change, however stiff, and of the sixth order in the steps elsewhere.

    Args:
        h: time from row to row, (T - 1,) [s].
        stiffness, damping: k [1/s^2] and c [1/s] at the rows, in several sets, (sets, T, S); linear between them.
        coefficients: numbers of which K (n, n), C (n, n) and b (n,) are weighted sums, (rows, S, 2 n + 1, n), with n = 2
            or 3.
        start: z and z' at the first row, (sets, S, 2 n).
        nodes: of each of the three Gauss points of each of equal parts of each step the first row of coefficients that
            counts there, (3 parts (T - 1),), and weights of this row and those that follow it, (3 parts (T - 1), width).
        sets, which: numbers of the sets and of the oscillators that are moved, each once.
        y: z and z' at all rows, (sets, T, S, 2 n); those that are moved are written.

    Returns:
        the largest change of z that writing them made, (number of sets, number of oscillators).
    """

def rows_as_text(values: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> bytes: ...

def ranked(samples: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], ranks: Sequence[int]) -> NDArray[numpy.float64]:
    """
    Returns values of each row of samples (n, draws) by rank (0: the least), (n, ranks).

    NaN where a row, or its range, is not finite.
    """
