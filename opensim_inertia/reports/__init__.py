"""Reports: one self-contained page per run, with its answer, curves, a moving view and its assumptions."""

from .content import Link, Table
from .page import Report, check_recordings, report, write_document_page
from .scene import missing_meshes

__all__ = ["Link", "Report", "Table", "check_recordings", "missing_meshes", "report", "write_document_page"]
