"""opensim_inertia: muscle mass where it belongs, for OpenSim models.

OpenSim lumps muscle mass into the bones. This package puts it back along the musculotendon paths, sliding as the
joints move (Wang et al. 2022), and computes what changes.

Importing the package alone is quick: each public name is read from its module at its first use.
"""

from __future__ import annotations

import sys
import warnings
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # for type checkers and editors; at run time, __getattr__ finds these names
    # isort: off
    from .control import (
        NeuralControl as NeuralControl,
        Neuron as Neuron,
        Synapse as Synapse,
    )
    from .datasets import ChecksumError as ChecksumError, Dataset as Dataset, DownloadError as DownloadError
    from .equations import Pulse as Pulse
    from .errors import (
        DivergenceError as DivergenceError,
        FileFormatError as FileFormatError,
        InertiaError as InertiaError,
        InertiaWarning as InertiaWarning,
        MassError as MassError,
        MissingPackageError as MissingPackageError,
        ModelError as ModelError,
        MotionError as MotionError,
        OptionError as OptionError,
        OtherModelError as OtherModelError,
        OutputError as OutputError,
        RotationError as RotationError,
        SegmentMassError as SegmentMassError,
        SimulationError as SimulationError,
        UnknownNameError as UnknownNameError,
        UnsupportedPathError as UnsupportedPathError,
    )
    from .files import (
        read_forward_setup as read_forward_setup,
        read_inverse_dynamics_setup as read_inverse_dynamics_setup,
        read_motion_table as read_motion_table,
        read_static_optimization_setup as read_static_optimization_setup,
        read_table as read_table,
        write_table as write_table,
    )
    from .findings import InputWarning as InputWarning
    from .fits import (
        EulerAnglesWarning as EulerAnglesWarning,
        PathFits as PathFits,
        PathJumpWarning as PathJumpWarning,
        SpanlessMuscleError as SpanlessMuscleError,
        SpanlessMuscleWarning as SpanlessMuscleWarning,
        fit_paths as fit_paths,
        load_fits as load_fits,
    )
    from .forward import (
        EnergyLeftOutWarning as EnergyLeftOutWarning,
        InterruptedWarning as InterruptedWarning,
        Trajectory as Trajectory,
        simulate as simulate,
    )
    from .gradient import (
        AponeurosisLength as AponeurosisLength,
        BellyPlacement as BellyPlacement,
        DifferentiableSimulation as DifferentiableSimulation,
        Excitations as Excitations,
        Forces as Forces,
        InitialCoordinates as InitialCoordinates,
        InitialSpeeds as InitialSpeeds,
        MuscleMasses as MuscleMasses,
        Optimum as Optimum,
        Properties as Properties,
        minimise as minimise,
    )
    from .gradient.tensors import TensorTrajectory as TensorTrajectory
    from .inertial import (
        BrokenConstraintWarning as BrokenConstraintWarning,
        InertialModel as InertialModel,
        InertialTerms as InertialTerms,
        MassPointKinematics as MassPointKinematics,
        MuscleRanking as MuscleRanking,
        RemainderWarning as RemainderWarning,
        LostPathWarning as LostPathWarning,
        ShortBellyWarning as ShortBellyWarning,
        plot_bellies as plot_bellies,
        plot_masses as plot_masses,
        rank_muscles as rank_muscles,
        write_mass_points as write_mass_points,
    )
    from .findings import Finding as Finding
    from .inspection import CheckResult as CheckResult, Repair as Repair, check as check, repair_model as repair_model
    from .inverse import (
        InverseDynamicsResult as InverseDynamicsResult,
        LongMotionWarning as LongMotionWarning,
        Uncertainty as Uncertainty,
        inverse_dynamics as inverse_dynamics,
    )
    from .linearization import (
        ActivationLinear as ActivationLinear,
        Linearization as Linearization,
        Mode as Mode,
        OffEquilibriumWarning as OffEquilibriumWarning,
        linearize as linearize,
    )
    from .moment_arms import PathJacobians as PathJacobians, path_jacobians as path_jacobians
    from .native import PluginError as PluginError
    from .polynomial import FewPosesError as FewPosesError
    from .plugin import load_plugin as load_plugin, native_available as native_available
    from .masses import (
        FurtherColumnsWarning as FurtherColumnsWarning,
        estimate_masses as estimate_masses,
        read_masses as read_masses,
        write_masses as write_masses,
    )
    from .material import PointMasses as PointMasses
    from .posture import (
        InfeasiblePostureError as InfeasiblePostureError,
        Posture as Posture,
        StableShare as StableShare,
        equilibrate as equilibrate,
        sample_patterns as sample_patterns,
        stable_share as stable_share,
        without_muscle_states as without_muscle_states,
    )
    from .recruitment import (
        AccelerationWarning as AccelerationWarning,
        IdleMuscleWarning as IdleMuscleWarning,
        InfeasibleWarning as InfeasibleWarning,
        RecruitmentResult as RecruitmentResult,
        RecruitmentSolution as RecruitmentSolution,
        recruit as recruit,
        solve_recruitment as solve_recruitment,
    )
    from .report import MissingGeometryWarning as MissingGeometryWarning, Report as Report
    from .setups import LoadsJumpWarning as LoadsJumpWarning, LoadsRangeWarning as LoadsRangeWarning
    from .studies import (
        ClusterError as ClusterError,
        FailedTasksWarning as FailedTasksWarning,
        StudyError as StudyError,
        StudyResult as StudyResult,
        study as study,
    )
    from .wrap_report import compare_wraps as compare_wraps, plot_touch as plot_touch
    from .wrapping import (
        PathFitWarning as PathFitWarning,
        WrapDifferenceWarning as WrapDifferenceWarning,
        WrappingFallbackWarning as WrappingFallbackWarning,
    )
    # isort: on

__version__ = "0.1.0"

_MODULES = {
    "control": "NeuralControl Neuron Synapse",
    "datasets": "ChecksumError Dataset DownloadError",
    "equations": "Pulse",
    "errors": (
        "DivergenceError FileFormatError InertiaError InertiaWarning MassError MissingPackageError ModelError "
        "MotionError OptionError OtherModelError OutputError RotationError SegmentMassError SimulationError "
        "UnknownNameError UnsupportedPathError"
    ),
    "files": (
        "read_forward_setup read_inverse_dynamics_setup read_motion_table read_static_optimization_setup read_table "
        "write_table"
    ),
    "findings": "Finding InputWarning",
    "fits": (
        "EulerAnglesWarning PathFits PathJumpWarning SpanlessMuscleError SpanlessMuscleWarning fit_paths load_fits"
    ),
    "forward": "EnergyLeftOutWarning InterruptedWarning Trajectory simulate",
    "gradient": (
        "AponeurosisLength BellyPlacement DifferentiableSimulation Excitations Forces InitialCoordinates "
        "InitialSpeeds MuscleMasses Optimum Properties minimise"
    ),
    "inertial": (
        "BrokenConstraintWarning InertialModel InertialTerms LostPathWarning MassPointKinematics MuscleRanking "
        "RemainderWarning ShortBellyWarning plot_bellies plot_masses rank_muscles write_mass_points"
    ),
    "inspection": "CheckResult Repair check repair_model",
    "inverse": "InverseDynamicsResult LongMotionWarning Uncertainty inverse_dynamics",
    "linearization": "ActivationLinear Linearization Mode OffEquilibriumWarning linearize",
    "masses": "FurtherColumnsWarning estimate_masses read_masses write_masses",
    "material": "PointMasses",
    "moment_arms": "PathJacobians path_jacobians",
    "native": "PluginError",
    "plugin": "load_plugin native_available",
    "polynomial": "FewPosesError",
    "posture": (
        "InfeasiblePostureError Posture StableShare equilibrate sample_patterns stable_share without_muscle_states"
    ),
    "recruitment": (
        "AccelerationWarning IdleMuscleWarning InfeasibleWarning RecruitmentResult RecruitmentSolution recruit "
        "solve_recruitment"
    ),
    "report": "MissingGeometryWarning Report",
    "setups": "LoadsJumpWarning LoadsRangeWarning",
    "studies": "ClusterError FailedTasksWarning StudyError StudyResult study",
    "wrap_report": "compare_wraps plot_touch",
    "wrapping": "PathFitWarning WrapDifferenceWarning WrappingFallbackWarning",
}
_PLACES = {name: module for module, names in _MODULES.items() for name in names.split()}
#: Names whose module needs PyTorch, and which ``from opensim_inertia import *`` therefore leaves out.
_NEED_TORCH = {"TensorTrajectory": "gradient.tensors"}
#: Former names, and those that have taken their place.
_DEPRECATED = {"MassPoints": "MassPointKinematics"}

__all__ = sorted(_PLACES)


def public_names() -> dict[str, str]:
    """Return the public names, each with the module of the package that has it."""
    return dict(_PLACES)


def __getattr__(name: str) -> Any:
    """Import a public name, or a module of the package, at its first use (PEP 562)."""
    if name in _DEPRECATED:
        now = _DEPRECATED[name]
        warnings.warn(f"opensim_inertia.{name} is now called {now}", DeprecationWarning, stacklevel=2)
        return __getattr__(now)
    place = _PLACES.get(name) or _NEED_TORCH.get(name)
    if place is not None:
        found = getattr(import_module(f".{place}", __name__), name)
    elif not name.startswith("__") and find_spec(f"{__name__}.{name}") is not None:
        return import_module(f".{name}", __name__)
    else:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'", name=name, obj=sys.modules[__name__])
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    """Return the public names, read or not, and what else the module holds."""
    return sorted({*globals(), *__all__, *_NEED_TORCH})
