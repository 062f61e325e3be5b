"""The options of models and analyses, each written once, for Python, the command line, studies and records alike.

Nothing here imports NumPy or OpenSim: the command line's help is made of it.
"""

from .modelling import ModelOptions, StrainModel, Wrapping
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
    "IMPLAUSIBLE",
    "Actuation",
    "Criterion",
    "MinMax",
    "ModelOptions",
    "Polynomial",
    "Recording",
    "RecruitmentOutputs",
    "SoftSaturation",
    "StrainModel",
    "Wrapping",
    "criterion_of",
    "recording_of",
]
