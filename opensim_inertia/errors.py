"""All exceptions that the package raises on purpose; ``InertiaError`` is the base of all."""

from ._core.errors import (
    ChecksumError as ChecksumError,
    ClusterError as ClusterError,
    DivergenceError as DivergenceError,
    DownloadError as DownloadError,
    FewPosesError as FewPosesError,
    FileFormatError as FileFormatError,
    InertiaError as InertiaError,
    InfeasiblePostureError as InfeasiblePostureError,
    MassError as MassError,
    MissingInertiaError as MissingInertiaError,
    MissingPackageError as MissingPackageError,
    ModelError as ModelError,
    MotionError as MotionError,
    NotFiniteError as NotFiniteError,
    OptionError as OptionError,
    OtherModelError as OtherModelError,
    OutputError as OutputError,
    PluginError as PluginError,
    PolynomialError as PolynomialError,
    RotationError as RotationError,
    SimulationError as SimulationError,
    SpanlessMuscleError as SpanlessMuscleError,
    StudyError as StudyError,
    UnknownNameError as UnknownNameError,
    UnsupportedPathError as UnsupportedPathError,
)

__all__ = sorted(name for name in globals() if name.endswith("Error"))
