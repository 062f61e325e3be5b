"""Reports: one self-contained page per run, with its answer, curves, a moving view and what was assumed."""

from .content import Band, Content, Link, Panel, Plot, Series, Table, table_of
from .document import Code, Picture, Section, write_document_page
from .making import Folders, as_folders, motion_report
from .page import Report
from .scene import Scene, build_scene, frame_rows

__all__ = [
    "Band",
    "Code",
    "Content",
    "Folders",
    "Link",
    "Panel",
    "Picture",
    "Plot",
    "Report",
    "Scene",
    "Section",
    "Series",
    "Table",
    "as_folders",
    "build_scene",
    "frame_rows",
    "motion_report",
    "table_of",
    "write_document_page",
]
