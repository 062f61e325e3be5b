"""Reports: one self-contained page per run, with its answer, curves, a moving view and what was assumed."""

from .bones import missing_meshes
from .content import Link, Table, table_of
from .document import Code, Picture, Section, write_document_page
from .making import check_recordings, report
from .page import Report

__all__ = [
    "Code",
    "Link",
    "Picture",
    "Report",
    "Section",
    "Table",
    "check_recordings",
    "missing_meshes",
    "report",
    "table_of",
    "write_document_page",
]
