"""Public names, each with the module that has it; ``__init__.py`` reads the same lines."""

from .masses import Handsfield as Handsfield, MassEstimate as MassEstimate, SpecificTension as SpecificTension
from .modelling import ModelOptions as ModelOptions, StrainModel as StrainModel, Wrapping as Wrapping
from .recording import Recording as Recording, Uncertainty as Uncertainty
from .recruitment import Actuation as Actuation, Criterion as Criterion, MinMax as MinMax, Polynomial as Polynomial
from .recruitment import RecruitmentOutputs as RecruitmentOutputs, SoftSaturation as SoftSaturation
from .recording import Wobble as Wobble, WobblingMass as WobblingMass

__all__: list[str]
