"""The package's warnings; their messages consist of texts and options, as those of its exceptions do."""

from __future__ import annotations

from .errors import _Message


class InertiaWarning(_Message, UserWarning):
    """Base class of every warning that opensim_inertia gives on purpose."""


class InputWarning(InertiaWarning):
    """A model, a motion or external loads hold something that makes answers doubtful."""


class ShortBellyWarning(InertiaWarning):
    """Fibres between rigid tendons became so short that their length is held."""


class LostPathWarning(InertiaWarning):
    """A muscle has no smooth path at a state, so that OpenSim's own was taken; or the path taken there is in doubt."""


class FurtherColumnsWarning(InertiaWarning):
    """A mass table has columns that have no effect."""


class WrappingFallbackWarning(InertiaWarning):
    """A muscle's wraps cannot go the way asked for; another is used instead."""


class WrapDifferenceWarning(InertiaWarning):
    """Smooth paths over wrap objects differ from OpenSim's somewhere in the range of motion."""


class BrokenConstraintWarning(InertiaWarning):
    """A motion breaks constraints of the model, so that its inverse dynamics are those of another model."""


class LoadsRangeWarning(InertiaWarning):
    """External loads have no data for some of the times asked for: there is no answer, or OpenSim extrapolates them."""


class LoadsJumpWarning(InertiaWarning):
    """External loads jump from one row to the next, as damaged data do. The beginning of a contact is no jump."""


class LongMotionWarning(InertiaWarning):
    """The parts of single muscles, and with them the band, are left out: there is no room for them on the disk."""


class InfeasibleWarning(InertiaWarning):
    """Muscles and reserves cannot make the forces that a motion needs at some rows."""


class IdleMuscleWarning(InertiaWarning):
    """Muscles act on no coordinate that is solved for, so that they stay at their least activation."""


class AccelerationWarning(InertiaWarning):
    """Joint reactions belong to accelerations that are not the motion's, which breaks the model's constraints."""


class InterruptedWarning(InertiaWarning):
    """A simulation was interrupted and holds all steps until then."""


class EnergyLeftOutWarning(InertiaWarning):
    """The energy of a simulation leaves out energy that some muscles store and OpenSim does not compute."""


class OffEquilibriumWarning(InertiaWarning):
    """A state that is linearised is not in equilibrium, so that its stability says little."""


class EulerAnglesWarning(InertiaWarning):
    """Quaternions were asked for, but coordinates that turn a body in three directions stay variables."""


class SpanlessMuscleWarning(InertiaWarning):
    """Muscles that act on no coordinate were left out."""


class PathJumpWarning(InertiaWarning):
    """Paths jump between the poses that they are fitted to, or in a simulation, whose energy jumps with them."""


class MissingGeometryWarning(InertiaWarning):
    """Bones are drawn as lines between joint centres, because their meshes cannot be read."""


class FailedTasksWarning(InertiaWarning):
    """Tasks of a study failed; the others are done."""
