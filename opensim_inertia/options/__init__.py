"""The options of models and analyses, each written once, for Python, the command line, studies and records alike.

Nothing here imports NumPy or OpenSim: the command line's help is made of it.
"""

from .._core.options import meant_by
from .masses import Handsfield, MassEstimate, SpecificTension
from .modelling import ModelOptions, StrainModel, Wrapping
from .recording import Recording
from .recruitment import Actuation, Criterion, MinMax, Polynomial, RecruitmentOutputs, SoftSaturation
from .wobble import Wobble, WobblingMass

__all__ = [
    "Actuation",
    "Criterion",
    "Handsfield",
    "MassEstimate",
    "MinMax",
    "ModelOptions",
    "Polynomial",
    "Recording",
    "RecruitmentOutputs",
    "SoftSaturation",
    "SpecificTension",
    "StrainModel",
    "Wobble",
    "WobblingMass",
    "Wrapping",
    "meant_by",
]
