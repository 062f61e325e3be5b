"""The public names of the package, each with the module that has it; ``__init__.py`` reads the same lines."""

from .dynamics.control import NeuralControl as NeuralControl, Neuron as Neuron, Synapse as Synapse
from .files.datasets import ChecksumError as ChecksumError, Dataset as Dataset, DownloadError as DownloadError
from .dynamics.equations import Problem as Problem, Pulse as Pulse
from .dynamics.integrators import (
    BDF as BDF,
    DOP853 as DOP853,
    SDIRK2 as SDIRK2,
    Automatic as Automatic,
    BackwardEuler as BackwardEuler,
    CPodes as CPodes,
    ForwardEuler as ForwardEuler,
    Radau as Radau,
    RungeKutta23 as RungeKutta23,
    RungeKutta45 as RungeKutta45,
    RungeKuttaMerson as RungeKuttaMerson,
)
from ._core.errors import (
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
from ._core.findings import Finding as Finding, InputWarning as InputWarning
from .analyses.length_polynomials import (
    EulerAnglesWarning as EulerAnglesWarning,
    LengthPolynomials as LengthPolynomials,
    PathJumpWarning as PathJumpWarning,
    SpanlessMuscleError as SpanlessMuscleError,
    SpanlessMuscleWarning as SpanlessMuscleWarning,
    fit_length_polynomials as fit_length_polynomials,
    load_length_polynomials as load_length_polynomials,
)
from .analyses.forward_simulation import (
    EnergyLeftOutWarning as EnergyLeftOutWarning,
    InterruptedWarning as InterruptedWarning,
    Trajectory as Trajectory,
    simulate as simulate,
)
from .analyses.gradients import (
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
from .analyses.gradients.tensors import TensorTrajectory as TensorTrajectory
from .model import (
    BrokenConstraintWarning as BrokenConstraintWarning,
    InertialModel as InertialModel,
    RemainderWarning as RemainderWarning,
)
from .paths.kernel import (
    InertialTerms as InertialTerms,
    LostPathWarning as LostPathWarning,
    MassPointKinematics as MassPointKinematics,
    ShortBellyWarning as ShortBellyWarning,
)
from .options import (
    Actuation as Actuation,
    Handsfield as Handsfield,
    MinMax as MinMax,
    Polynomial as Polynomial,
    Recording as Recording,
    RecruitmentOutputs as RecruitmentOutputs,
    SoftSaturation as SoftSaturation,
    SpecificTension as SpecificTension,
    StrainModel as StrainModel,
    Wrapping as Wrapping,
)
from .analyses.ranking import MuscleRanking as MuscleRanking, rank_muscles as rank_muscles
from .analyses.mass_points import (
    plot_bellies as plot_bellies,
    plot_masses as plot_masses,
    write_mass_points as write_mass_points,
)
from .inspection import CheckResult as CheckResult, Repair as Repair, check as check, repair_model as repair_model
from .analyses.inverse_dynamics import (
    InverseDynamicsResult as InverseDynamicsResult,
    LongMotionWarning as LongMotionWarning,
    Uncertainty as Uncertainty,
    inverse_dynamics as inverse_dynamics,
)
from .analyses.stability.linearization import (
    ActivationLinear as ActivationLinear,
    Linearization as Linearization,
    Mode as Mode,
    OffEquilibriumWarning as OffEquilibriumWarning,
    linearize as linearize,
)
from .muscles.masses import (
    FurtherColumnsWarning as FurtherColumnsWarning,
    estimate_masses as estimate_masses,
    read_masses as read_masses,
    write_masses as write_masses,
)
from .muscles.material import PointMasses as PointMasses
from .analyses.moment_arms import PathJacobians as PathJacobians, path_jacobians as path_jacobians
from .model.plugin import PluginError as PluginError
from .model.plugin.self_test import load_plugin as load_plugin, native_available as native_available
from ._core.numerics.polynomial import FewPosesError as FewPosesError
from .analyses.stability.posture import (
    InfeasiblePostureError as InfeasiblePostureError,
    Posture as Posture,
    StableShare as StableShare,
    equilibrate as equilibrate,
    sample_patterns as sample_patterns,
    stable_share as stable_share,
    without_muscle_states as without_muscle_states,
)
from .analyses.recruitment import (
    AccelerationWarning as AccelerationWarning,
    IdleMuscleWarning as IdleMuscleWarning,
    InfeasibleWarning as InfeasibleWarning,
    RecruitmentResult as RecruitmentResult,
    RecruitmentSolution as RecruitmentSolution,
    recruit as recruit,
    solve_recruitment as solve_recruitment,
)
from .report import MissingGeometryWarning as MissingGeometryWarning, Report as Report
from .opensim_model.setups import LoadsJumpWarning as LoadsJumpWarning, LoadsRangeWarning as LoadsRangeWarning
from .studies import (
    ClusterError as ClusterError,
    FailedTasksWarning as FailedTasksWarning,
    StudyError as StudyError,
    StudyResult as StudyResult,
    study as study,
)
from .analyses.wrapping_report import compare_wraps as compare_wraps, plot_touch as plot_touch
from .paths.wrapping import (
    PolynomialPathWarning as PolynomialPathWarning,
    WrapDifferenceWarning as WrapDifferenceWarning,
    WrappingFallbackWarning as WrappingFallbackWarning,
)

# Modules with further tools.
from ._core import errors as errors
from .analyses import recruitment as recruitment
from .dynamics import control as control, integrators as integrators
from .files import datasets as datasets
from .muscles import masses as masses, material as material
from .opensim_model import reading as reading

__version__: str
__all__: list[str]

def public_names() -> dict[str, str]: ...
