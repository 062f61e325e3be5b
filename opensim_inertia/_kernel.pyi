"""Mass points on musculotendon paths: Jacobians, added mass, quadratic velocity vector and gravity."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_Array = NDArray[np.float64]

class ScalarFunction:
    """Piecewise cubic of a coordinate (index, or -1 for none) that is clamped to [low, high]."""

    def __init__(self, coordinate: int, breaks: Sequence[float], pieces: _Array, low: float, high: float) -> None: ...
    def __call__(self, x: float, /) -> tuple[float, float, float]:
        """Value, first and second derivative at x."""

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
        """A wrap object: "cylinder", "sphere", "ellipsoid" or "torus"; sizes as in `wrapping.Surface`."""

def wrap_segments(
    kind: str,
    size: _Array,
    turn: float,
    smoothing: float,
    origin: _Array,
    insertion: _Array,
    share: _Array,
    active: _Array | None = None,
    network: PathNetwork | None = None,
) -> tuple[_Array, _Array, _Array, _Array, _Array, _Array, _Array, list[bool]]:
    """Points at shares of the length of n segments over a surface, in its frame.

    Returns x (n, 3), its derivatives with respect to origin (n, 3, 3), insertion (n, 3, 3) and share (n, 3), the length
    (n,) and its derivatives (n, 3), (n, 3), and whether the surface is touched (n,).
    """

class Kernel:
    """All muscles of a model. The arrays of a state are those of `opensim_inertia.reading.StateKinematics`."""

    def __init__(self, bodies: int, speeds: int, gravity: _Array) -> None: ...
    def add_muscle(
        self,
        name: str,
        points: Sequence[PathPoint],
        map: MaterialMap,
        mass: float,
        fractions: Sequence[tuple[float, float]] | None = None,
        masses: Sequence[float] | None = None,
        wraps: bool = False,
    ) -> int:
        """Add a muscle, continuous or of point masses at material points (chi, xi); returns its index."""
    @property
    def size(self) -> int:
        """Number of muscles."""
    def add_wrap(self, muscle: int, surface: WrapSurface, first: int, last: int) -> None:
        """Lead a muscle's segments between the path points `first` and `last` over a surface."""
    def set_path(
        self, muscle: int, sequence: Sequence[int], arcs: Sequence[tuple[int, _Array, _Array, _Array]]
    ) -> None:
        """Path of a wrapping muscle at the next state: indices of its points, or -1 - i for arc i."""
    def evaluate(
        self,
        q: _Array,
        u: _Array,
        rotation: _Array,
        position: _Array,
        jacobian: _Array,
        bias: _Array,
        which: Sequence[int],
    ) -> tuple[_Array, _Array, _Array, float, float]:
        """Sum dM, h, g_m, kinetic and potential energy over the muscles `which`."""
    def equations(
        self,
        q: _Array,
        u: _Array,
        transforms: Sequence[int],
        mobods: Sequence[int],
        jacobian: _Array,
        bias: _Array,
        mass_matrix: _Array,
        udot0: _Array,
        which: Sequence[int],
    ) -> tuple[_Array, _Array]:
        """M + dM (nu, nu) and M udot0 + h + g_m (nu,), from Simbody's arrays of the whole system.

        Args:
            transforms: addresses of the bodies' SimTK::Transforms.
            mobods: the bodies' mobilized body indices.
            jacobian, bias: of all mobilized bodies, (6 mobods, nu) and (6 mobods,).
        """
    def inverse(
        self,
        q: _Array,
        u: _Array,
        udot: _Array,
        rotation: _Array,
        position: _Array,
        jacobian: _Array,
        bias: _Array,
        which: Sequence[int],
    ) -> _Array:
        """Sum dM udot - h - g_m over the muscles `which`, for T states stacked along the first axis, (T, speeds)."""
    def inverse_along(
        self,
        q: _Array,
        u: _Array,
        rotation: _Array,
        position: _Array,
        jacobian: _Array,
        bias: _Array,
        udot: _Array,
        dq: _Array,
        du: _Array,
        dtwist: _Array,
        djacobian: _Array,
        dbias: _Array,
        which: Sequence[int],
    ) -> _Array:
        """Derivatives of ``inverse`` at one state along D directions, udot held, (D, speeds); exact.

        Args:
            dq, du: (D, speeds).
            dtwist: motion of every body in ground, angular and linear of its origin, (D, bodies, 6).
            djacobian: (D, 6 bodies, speeds).
            dbias: (D, bodies, 6).

        Raises:
            RuntimeError: names a muscle of `which` whose path comes from outside (``set_path``).
        """
    def inverse_each(
        self,
        q: _Array,
        u: _Array,
        udot: _Array,
        rotation: _Array,
        position: _Array,
        jacobian: _Array,
        bias: _Array,
        which: Sequence[int],
    ) -> _Array:
        """``inverse`` of each of the muscles `which` on its own, for T stacked states, (T, muscles, speeds)."""
    def inverse_by_map(
        self,
        q: _Array,
        u: _Array,
        rotation: _Array,
        position: _Array,
        jacobian: _Array,
        bias: _Array,
        udot: _Array,
        which: Sequence[int],
    ) -> _Array:
        """Derivatives of ``inverse_each`` by each muscle's own `proximal`, `phi` and `aponeurosis`; exact.

        Returns:
            (muscles, 3, speeds).

        Raises:
            RuntimeError: as ``inverse_along``.
        """
    def pseudo_inertia(
        self,
        q: _Array,
        u: _Array,
        rotation: _Array,
        position: _Array,
        jacobian: _Array,
        bias: _Array,
        which: Sequence[int],
    ) -> _Array:
        """Each muscle's mass as a rigid body in ground, [[sum m x x^T, sum m x], [., sum m]], (muscles, 4, 4)."""
    def pseudo_inertia_by_map(
        self,
        q: _Array,
        u: _Array,
        rotation: _Array,
        position: _Array,
        jacobian: _Array,
        bias: _Array,
        which: Sequence[int],
    ) -> _Array:
        """Its derivatives by each muscle's own `proximal`, `phi` and `aponeurosis`, (muscles, 3, 4, 4); exact."""
    def mass_points(
        self,
        q: _Array,
        u: _Array,
        rotation: _Array,
        position: _Array,
        jacobian: _Array,
        bias: _Array,
        muscle: int,
        fractions: Sequence[tuple[float, float]],
        want_jacobian: bool = True,
    ) -> tuple[_Array, _Array, _Array, _Array]:
        """Positions (n, 3), velocities (n, 3), Jacobians (n, 3, speeds) and Jdot u (n, 3) of material points."""
    def take_held(self) -> list[int]:
        """Muscles whose belly has been held since the last call."""
    def lengths(
        self,
        q: _Array,
        u: _Array,
        rotation: _Array,
        position: _Array,
        jacobian: _Array,
        bias: _Array,
        which: Sequence[int],
    ) -> _Array:
        """Length of path, belly and fibres [m], and whether these are held, (n, 4)."""
