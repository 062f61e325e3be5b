"""The public names of the package, each with the module that has it; ``__init__.py`` reads the same lines."""

from .analyses.forward_simulation import simulate as simulate
from .analyses.gradients import DifferentiableSimulation as DifferentiableSimulation, minimise as minimise
from .analyses.inverse_dynamics import inverse_dynamics as inverse_dynamics
from .analyses.length_polynomials import fit_length_polynomials as fit_length_polynomials
from .analyses.ranking import rank_muscles as rank_muscles
from .analyses.recruitment import recruit as recruit
from .analyses.stability import equilibrate as equilibrate, linearize as linearize
from .analyses.wrapping_report import compare_wraps as compare_wraps
from .checks import check as check, repair_model as repair_model
from .dynamics.equations import Problem as Problem
from .errors import InertiaError as InertiaError
from .files import read_motion_table as read_motion_table, read_table as read_table, write_table as write_table
from .model import InertialModel as InertialModel
from .model.plugin.native import load_plugin as load_plugin
from .muscles.masses import estimate_masses as estimate_masses, read_masses as read_masses, write_masses as write_masses
from .options import (
    Actuation as Actuation,
    MinMax as MinMax,
    Polynomial as Polynomial,
    Recording as Recording,
    SoftSaturation as SoftSaturation,
    StrainModel as StrainModel,
    Wrapping as Wrapping,
)
from .plotting import plot as plot
from .reports import report as report
from .studies import study as study
from .warnings import InertiaWarning as InertiaWarning

# Modules with further names; all statements above this line are of names of the package itself.
from . import errors as errors, files as files, options as options, plotting as plotting, warnings as warnings
from .analyses import (
    forward_simulation as forward_simulation,
    gradients as gradients,
    length_polynomials as length_polynomials,
    mass_points as mass_points,
    recruitment as recruitment,
    stability as stability,
)
from .dynamics import control as control, integrators as integrators
from .files import datasets as datasets
from .muscles import masses as masses

__version__: str
__all__: list[str]

def public_names() -> dict[str, str]: ...
def public_modules() -> dict[str, str]: ...
