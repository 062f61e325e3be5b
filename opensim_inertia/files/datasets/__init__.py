"""Public models with their motions and loads, downloaded once and checked: ``oi.datasets.fetch("gait2392")``."""

from .catalogue import NAMES, Dataset
from .fetching import FOLDER_VARIABLE, URL_VARIABLE, ChecksumError, DownloadError, fetch

__all__ = ["FOLDER_VARIABLE", "NAMES", "URL_VARIABLE", "ChecksumError", "Dataset", "DownloadError", "fetch"]
