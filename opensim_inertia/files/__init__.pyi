"""Public names, each with the module that has it; ``__init__.py`` reads the same lines."""

from .setups import ControllerSetup as ControllerSetup
from .setups import ForwardSetup as ForwardSetup
from .setups import InverseDynamicsSetup as InverseDynamicsSetup
from .setups import MotionSetup as MotionSetup
from .setups import StaticOptimizationSetup as StaticOptimizationSetup
from .setups import read_forward_setup as read_forward_setup
from .setups import read_inverse_dynamics_setup as read_inverse_dynamics_setup
from .setups import read_static_optimization_setup as read_static_optimization_setup
from .tables import read_motion_table as read_motion_table
from .tables import read_table as read_table
from .tables import write_table as write_table
from .trc import read_trc as read_trc
from .trc import write_trc as write_trc

__all__: list[str]
