"""Warnings of the package; their messages consist of texts and :class:`Option` objects."""

from __future__ import annotations

from .errors import _Message


class InertiaWarning(_Message, UserWarning):
    """Base class of all warnings of opensim_inertia."""


class InputWarning(InertiaWarning):
    """A model, a motion or external loads make results doubtful."""


class ShortBellyWarning(InertiaWarning):
    """The fibre length was limited, because the path is too short for its rigid tendons."""


class LostPathWarning(InertiaWarning):
    """At some states a muscle has no smooth path and uses OpenSim's path, or its smooth path is doubtful."""


class FurtherColumnsWarning(InertiaWarning):
    """A mass table has columns that have no effect."""


class WrappingFallbackWarning(InertiaWarning):
    """A muscle's wraps do not support the requested wrapping method; another method is used."""


class WrapDifferenceWarning(InertiaWarning):
    """Smooth paths over wrap objects differ from OpenSim's paths in the range of motion."""


class BrokenConstraintWarning(InertiaWarning):
    """A motion violates constraints of the model, so that its inverse dynamics describes a different model."""


class LoadsRangeWarning(InertiaWarning):
    """External loads lack some requested times: results lack these times, or OpenSim extrapolates loads."""


class LoadsJumpWarning(InertiaWarning):
    """External loads jump between time steps, as in damaged data; the onset of contact is not a jump."""


class LongMotionWarning(InertiaWarning):
    """Per-muscle results and the uncertainty band are omitted for lack of disk space."""


class InfeasibleWarning(InertiaWarning):
    """Muscles and reserves cannot produce the required forces at some times."""


class IdleMuscleWarning(InertiaWarning):
    """Muscles act on no coordinate that recruitment solves for, so their activations stay at the minimum."""


class AccelerationWarning(InertiaWarning):
    """Joint reactions use accelerations that differ from the motion's, because the motion violates constraints."""


class InterruptedWarning(InertiaWarning):
    """A simulation was interrupted; its trajectory ends at the last time step."""


class EnergyLeftOutWarning(InertiaWarning):
    """The energy of a simulation lacks elastic energy that OpenSim does not compute for some muscles."""


class OffEquilibriumWarning(InertiaWarning):
    """A linearised state is not in equilibrium, so its eigenvalues say little about stability."""


class EulerAnglesWarning(InertiaWarning):
    """Quaternions were requested, but cannot replace some joints' coordinates, which therefore remain variables."""


class SpanlessMuscleWarning(InertiaWarning):
    """Muscles that act on no coordinate were left out."""


class PathJumpWarning(InertiaWarning):
    """Muscle paths jump between poses of a polynomial fit, or during a simulation; the energy then jumps too."""


class MissingGeometryWarning(InertiaWarning):
    """Bones are drawn as lines between joint centres, because their mesh files cannot be read."""


class FailedTasksWarning(InertiaWarning):
    """Some tasks of a study failed; the other tasks are finished."""
