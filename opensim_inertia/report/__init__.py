"""Reports: one self-contained page per run, with its answer, curves, a moving view and what was assumed."""

from .bones import missing_meshes
from .content import Band, Content, Gait, Link, Panel, Plot, Series, Table, table_of
from .document import Code, Picture, Section, write_document_page
from .making import Folders, Recorded, as_folders, motion_report
from .page import Report
from .scene import DrawnSwings, Scene, build_scene, frame_rows

__all__ = [
    "Band",
    "Code",
    "Content",
    "DrawnSwings",
    "Folders",
    "Gait",
    "Link",
    "Panel",
    "Picture",
    "Plot",
    "Recorded",
    "Report",
    "Scene",
    "Section",
    "Series",
    "Table",
    "as_folders",
    "build_scene",
    "frame_rows",
    "missing_meshes",
    "motion_report",
    "table_of",
    "write_document_page",
]
