"""All warnings that the package gives on purpose; ``InertiaWarning`` is the base of all."""

from ._core.warnings import (
    AccelerationWarning as AccelerationWarning,
    BrokenConstraintWarning as BrokenConstraintWarning,
    EnergyLeftOutWarning as EnergyLeftOutWarning,
    EulerAnglesWarning as EulerAnglesWarning,
    FailedTasksWarning as FailedTasksWarning,
    FurtherColumnsWarning as FurtherColumnsWarning,
    IdleMuscleWarning as IdleMuscleWarning,
    InertiaWarning as InertiaWarning,
    InfeasibleWarning as InfeasibleWarning,
    InputWarning as InputWarning,
    InterruptedWarning as InterruptedWarning,
    LoadsJumpWarning as LoadsJumpWarning,
    LoadsRangeWarning as LoadsRangeWarning,
    LongMotionWarning as LongMotionWarning,
    LostPathWarning as LostPathWarning,
    MissingGeometryWarning as MissingGeometryWarning,
    OffEquilibriumWarning as OffEquilibriumWarning,
    PathJumpWarning as PathJumpWarning,
    ShortBellyWarning as ShortBellyWarning,
    SpanlessMuscleWarning as SpanlessMuscleWarning,
    WrapDifferenceWarning as WrapDifferenceWarning,
    WrappingFallbackWarning as WrappingFallbackWarning,
)

__all__ = sorted(name for name in globals() if name.endswith("Warning"))
