"""Reports: one self-contained page per run, with its answer, curves, a moving view and what was assumed."""

from .bones import MissingGeometryWarning
from .content import Content, Panel, Plot, Series, Table
from .making import Folders, as_folders, motion_report
from .page import Report
from .scene import Scene, build_scene, frame_rows

__all__ = [
    "Content",
    "Folders",
    "MissingGeometryWarning",
    "Panel",
    "Plot",
    "Report",
    "Scene",
    "Series",
    "Table",
    "as_folders",
    "build_scene",
    "frame_rows",
    "motion_report",
]
