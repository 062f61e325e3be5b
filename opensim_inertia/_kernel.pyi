"""Mass points on musculotendon paths: Jacobians, added mass, quadratic velocity vector and gravity.

Nothing here remembers a call: a kernel, its muscles and a state are immutable, and whatever a muscle's path needs from
outside travels with the state. One kernel may be used from several threads at once; the methods of :class:`Kernel`
release the GIL while they compute.

The order of arguments is the same everywhere: the state or states, accelerations, the rest, and last ``which``: the
numbers of the muscles (None: all of them). A list ``held`` holds the numbers of the muscles whose fibres are held at
their shortest length, in ascending order, each once.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

_Array = NDArray[np.float64]

class ScalarFunction:
    """Piecewise cubic of a coordinate (index, or -1 for none) that is clamped to [low, high]."""

    def __init__(self, coordinate: int, breaks: Sequence[float], pieces: _Array, low: float, high: float) -> None: ...
    def __call__(self, x: float, /) -> tuple[float, float, float]:
        """Value, first and second derivative at x."""

class PolynomialBasis:
    """Products of powers of coordinates: prod_i ((q_i - centre_i) / scale_i) ** exponents[t, i]."""

    def __init__(
        self, coordinates: Sequence[int], centre: _Array, scale: _Array, exponents: Sequence[Sequence[int]]
    ) -> None: ...

class PathPoint:
    """A path point; stations [m] in the body's frame."""

    @staticmethod
    def fixed(body: int, station: _Array) -> PathPoint:
        """Fixed to a body."""
    @staticmethod
    def conditional(body: int, station: _Array, coordinate: int, low: float, high: float) -> PathPoint:
        """There while a coordinate lies in [low, high]."""
    @staticmethod
    def moving(body: int, rotation: _Array, origin: _Array, functions: Sequence[ScalarFunction]) -> PathPoint:
        """Moving in a frame of the body, by three functions."""
    @staticmethod
    def polynomial(body: int, basis: PolynomialBasis, coefficients: _Array) -> PathPoint:
        """Moving in the body by polynomials with these coefficients (3, terms); points may share a basis."""

class MaterialMap:
    """s = (f + chi e) (L - B) + xi B with B = phi L - slack, held above `shortest`; f `proximal`, e `aponeurosis`."""

    def __init__(
        self,
        phi: float,
        slack: float,
        proximal: float,
        shortest: float,
        hold_width: float,
        aponeurosis: float = 0.0,
    ) -> None: ...
    def fibre_length(self, length: float, /) -> tuple[float, float, float]:
        """B(L) and its first and second derivative."""

class PathNetwork:
    def __init__(
        self,
        planar: bool,
        position: Sequence[tuple[_Array, _Array]],
        length: Sequence[tuple[_Array, _Array]],
    ) -> None:
        """Networks as layers (weight, bias); see `neural.weights` for what they take and give."""

class WrapSurface:
    def __init__(
        self,
        kind: str,
        size: _Array,
        smoothing: float,
        turn: float,
        active: _Array,
        long_way: bool,
        body: int,
        rotation: _Array,
        origin: _Array,
        network: PathNetwork | None = None,
    ) -> None:
        """A wrap object; its kind is one of `surface_kinds()`, its sizes are as in `wrapping.Surface`."""

def surface_kinds() -> dict[str, tuple[int, int, bool]]:
    """For every kind of surface: the least and the largest number of sizes, and whether planar networks serve it."""

def wrap_spans(
    kind: str,
    size: _Array,
    turn: float,
    smoothing: float,
    origin: _Array,
    insertion: _Array,
    fraction: _Array,
    active: _Array | None = None,
    network: PathNetwork | None = None,
) -> tuple[_Array, _Array, _Array, _Array, _Array, _Array, _Array, list[bool]]:
    """Points at fractions of the length of n strings from origin to insertion over a surface, in its frame.

    Returns:
        x (n, 3), its derivatives with respect to origin (n, 3, 3), insertion (n, 3, 3) and fraction (n, 3), the length
        (n,) and its derivatives (n, 3), (n, 3), and whether the surface is touched (n,).
    """

class GivenPath:
    """The path of one muscle at one state, as OpenSim gives it.

    Args:
        sequence: the path's parts from origin to insertion: a number of the muscle's path points, or -1 - i for arc i.
        arcs: body number, control points (n, 3) in the body's frame [m], their derivatives (n, 3, speeds) with respect
            to the speeds, and the second derivatives (n, 3) along u at udot = 0; 3 to 20 control points at
            Chebyshev-Lobatto fractions of the arc.
    """

    def __init__(self, sequence: Sequence[int], arcs: Sequence[tuple[int, _Array, _Array, _Array]] = ()) -> None: ...

class State:
    """One state of a model: its coordinates, speeds, and how its bodies are placed and move. It is immutable.

    The arrays are those of `opensim_inertia.reading.StateKinematics`. They are kept, not copied, and must not
    be changed afterwards; a body's spatial vectors are (angular, linear of its origin), in ground, in SI units.

    Args:
        q, u: (speeds,).
        rotation: of the bodies to ground, (bodies, 3, 3).
        position: of the bodies' origins, (bodies, 3) [m].
        jacobian: system Jacobian (6 bodies, speeds).
        bias: Jdot u, (bodies, 6).
        paths: by muscle number, for the muscles whose path is given. Others are not looked at.
    """

    def __init__(
        self,
        q: _Array,
        u: _Array,
        rotation: _Array,
        position: _Array,
        jacobian: _Array,
        bias: _Array,
        paths: Mapping[int, GivenPath] = {},
    ) -> None: ...
    @staticmethod
    def of_system(
        q: _Array,
        u: _Array,
        transforms: Sequence[int],
        mobods: Sequence[int],
        jacobian: _Array,
        bias: _Array,
        paths: Mapping[int, GivenPath] = {},
    ) -> State:
        """The state picked from Simbody's arrays of the whole system, which are copied.

        Args:
            q, u: (speeds,).
            transforms: addresses of the bodies' SimTK::Transforms.
            mobods: the bodies' mobilized body indices.
            jacobian, bias: of all mobilized bodies, (6 mobods, speeds) and (6 mobods,).
            paths: as for a state.
        """
    @property
    def q(self) -> _Array: ...
    @property
    def u(self) -> _Array: ...
    @property
    def rotation(self) -> _Array: ...
    @property
    def position(self) -> _Array: ...
    @property
    def jacobian(self) -> _Array: ...
    @property
    def bias(self) -> _Array: ...

class Directions:
    """D directions in which a state changes: derivatives of its arrays, which are kept, not copied.

    Args:
        q, u: (D, speeds).
        twist: motion of every body in ground, angular and linear of its origin, (D, bodies, 6).
        jacobian: (D, 6 bodies, speeds).
        bias: (D, bodies, 6).
    """

    def __init__(self, q: _Array, u: _Array, twist: _Array, jacobian: _Array, bias: _Array) -> None: ...

class Muscle:
    """A muscle with mass. It is immutable.

    Args:
        name: errors name the muscle by it.
        points: its path points from origin to insertion.
        map: where the material lies along the path.
        mass: [kg], continuous over the material, unless ``fractions`` are given.
        fractions: material points (chi, xi) of point masses.
        masses: [kg], of these.
        surfaces: wrap surfaces in their order along the path, and the path points ``first`` and ``last`` between which
            the path passes them.
        path_is_given: the path comes with each state (:class:`GivenPath`); the muscle then has no surfaces.

    Raises:
        ValueError: names the muscle: there are not as many masses as fractions, or a path that is given has surfaces.
    """

    def __init__(
        self,
        name: str,
        points: Sequence[PathPoint],
        map: MaterialMap,
        mass: float,
        fractions: Sequence[tuple[float, float]] | None = None,
        masses: Sequence[float] | None = None,
        surfaces: Sequence[tuple[WrapSurface, int, int]] = (),
        path_is_given: bool = False,
    ) -> None: ...
    @property
    def name(self) -> str: ...

class Terms:
    """What the muscles' mass adds to the equations of motion at a state."""

    @property
    def mass_matrix(self) -> _Array:
        """Added mass matrix dM, (speeds, speeds)."""
    @property
    def bias(self) -> _Array:
        """Quadratic velocity vector h, (speeds,)."""
    @property
    def gravity(self) -> _Array:
        """Generalized forces of gravity g_m, (speeds,)."""
    @property
    def kinetic(self) -> float:
        """Kinetic energy [J]."""
    @property
    def potential(self) -> float:
        """Potential energy [J]; zero where the mass is at ground's origin."""
    @property
    def held(self) -> list[int]:
        """Numbers of the muscles whose fibres are held."""

class Kernel:
    """All muscles of a model with mass. It is immutable, and may be used from several threads at once.

    Args:
        bodies, speeds: how many a state has.
        gravity: (3,) in ground [m/s^2].
        muscles: a muscle's number is its place here.

    Raises:
        ValueError: names the muscle whose points or surfaces are on a body or coordinate that is out of range.

    All methods raise ValueError if a state has other numbers of bodies or speeds, IndexError for a muscle number that
    is out of range, and RuntimeError, which names the muscle, if a path cannot carry its mass at a state or is to be
    given and the state has none.
    """

    def __init__(self, bodies: int, speeds: int, gravity: _Array, muscles: Sequence[Muscle]) -> None: ...
    @property
    def size(self) -> int:
        """Number of muscles."""
    def evaluate(self, state: State, which: Sequence[int] | None = None) -> Terms:
        """dM, h, g_m and energies, summed over muscles."""
    def equations(
        self, state: State, mass_matrix: _Array, udot0: _Array, which: Sequence[int] | None = None
    ) -> tuple[_Array, _Array, list[int]]:
        """The equations of motion with the muscles' mass: M + dM, M udot0 + h + g_m, and held muscles.

        Args:
            state: the state.
            mass_matrix: M of the rigid bodies, (speeds, speeds).
            udot0: the rigid bodies' accelerations under all forces, (speeds,).
            which: numbers of muscles.
        """
    def inverse(
        self, states: Sequence[State], udot: _Array, which: Sequence[int] | None = None
    ) -> tuple[_Array, list[int]]:
        """dM udot - h - g_m at T states, summed over muscles, (T, speeds), and held muscles; ``udot`` (T, speeds)."""
    def inverse_each(
        self, states: Sequence[State], udot: _Array, which: Sequence[int] | None = None
    ) -> tuple[_Array, list[int]]:
        """``inverse`` of each muscle on its own, (T, muscles, speeds), and held muscles."""
    def inverse_along(
        self, state: State, udot: _Array, directions: Directions, which: Sequence[int] | None = None
    ) -> _Array:
        """Derivatives of ``inverse`` at a state along D directions, udot (speeds,) being held, (D, speeds); exact.

        Raises:
            RuntimeError: names a muscle whose path is given: it has no derivatives.
        """
    def inverse_by_map(self, state: State, udot: _Array, which: Sequence[int] | None = None) -> _Array:
        """Derivatives of ``inverse_each`` by each muscle's own `proximal`, `phi` and `aponeurosis`, at udot (speeds,).

        Returns:
            (muscles, 3, speeds); exact.

        Raises:
            RuntimeError: as ``inverse_along``.
        """
    def pseudo_inertia(self, state: State, which: Sequence[int] | None = None) -> tuple[_Array, list[int]]:
        """Each muscle's mass as a rigid body in ground, and held muscles.

        Returns:
            [[sum m x x^T, sum m x], [sum m x^T, sum m]], (muscles, 4, 4), and held muscles.
        """
    def pseudo_inertia_by_map(self, state: State, which: Sequence[int] | None = None) -> _Array:
        """Derivatives of ``pseudo_inertia`` by each muscle's own `proximal`, `phi` and `aponeurosis`; exact.

        Returns:
            (muscles, 3, 4, 4).

        Raises:
            RuntimeError: as ``inverse_along``.
        """
    def mass_points(
        self, state: State, muscle: int, fractions: Sequence[tuple[float, float]], want_jacobian: bool = True
    ) -> tuple[_Array, _Array, _Array, _Array, list[int]]:
        """Positions (n, 3), velocities (n, 3), Jacobians (n, 3, speeds), Jdot u (n, 3) and held muscles.

        Args:
            state: the state.
            muscle: number of the muscle.
            fractions: material points (chi, xi).
            want_jacobian: else there are no Jacobians, (0, 3, speeds).
        """
    def lengths(self, state: State, which: Sequence[int] | None = None) -> _Array:
        """Lengths of path, belly and fibres [m], and whether these are held (1 or 0), (muscles, 4)."""
    def length_gradients(self, state: State, which: Sequence[int] | None = None) -> _Array:
        """Derivatives of the paths' lengths, (muscles, 6 bodies + speeds).

        They are with respect to the twists of the bodies (angular, linear of the origin, in ground) and to the speeds,
        along which path points slide in the bodies, the bodies being held.
        """
