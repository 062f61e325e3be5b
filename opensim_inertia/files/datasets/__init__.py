"""Public models with their motions and loads, downloaded once and checked: ``oi.datasets.fetch("gait2392")``."""

from .catalogue import Dataset
from .fetching import fetch

__all__ = ["Dataset", "fetch"]
