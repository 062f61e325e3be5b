"""Reports: one self-contained page per run, with its answer, curves, a moving view and what was assumed."""

from .content import Link, Table, table_of
from .making import check_recordings, report
from .page import Code, Picture, Report, Section, write_document_page
from .scene import missing_meshes

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
