"""Public names, each with the module that has it; ``__init__.py`` reads the same lines."""

from .masses import Handsfield as Handsfield
from .masses import MassEstimate as MassEstimate
from .masses import SpecificTension as SpecificTension
from .modelling import ModelOptions as ModelOptions
from .modelling import StrainModel as StrainModel
from .modelling import Wrapping as Wrapping
from .recording import Recording as Recording
from .recording import Uncertainty as Uncertainty
from .recruitment import (
    Actuation as Actuation,
)
from .recruitment import (
    Criterion as Criterion,
)
from .recruitment import (
    MinMax as MinMax,
)
from .recruitment import (
    Polynomial as Polynomial,
)
from .recruitment import (
    RecruitmentOutputs as RecruitmentOutputs,
)
from .recruitment import (
    SoftSaturation as SoftSaturation,
)
from .wobble import Wobble as Wobble
from .wobble import WobblingMass as WobblingMass

__all__: list[str]
