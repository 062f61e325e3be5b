"""The options of models and analyses, each written once, for Python, the command line, studies and records alike.

Nothing here imports NumPy or OpenSim: the command line's help is made of it.
"""

from .masses import DENSITY, SPECIFIC_TENSION, Handsfield, MassEstimate, SpecificTension
from .modelling import ModelOptions, StrainModel, Wrapping, wrapping_of
from .recording import IMPLAUSIBLE, Recording, recording_of
from .recruitment import (
    CRITERIA,
    Actuation,
    Criterion,
    MinMax,
    Polynomial,
    RecruitmentOutputs,
    SoftSaturation,
    criterion_of,
)

__all__ = [
    "CRITERIA",
    "DENSITY",
    "IMPLAUSIBLE",
    "SPECIFIC_TENSION",
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
    "Wrapping",
    "criterion_of",
    "recording_of",
    "wrapping_of",
]
