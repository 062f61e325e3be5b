"""Reports: one self-contained HTML page per run, with results, curves, a moving view and assumptions."""

from .content import Link, Table
from .page import Report, check_recordings, report, write_document_page
from .scene import missing_meshes

__all__ = ["Link", "Report", "Table", "check_recordings", "missing_meshes", "report", "write_document_page"]
