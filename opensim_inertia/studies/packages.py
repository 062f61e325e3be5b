"""The packages that only studies need, each of which one module imports: Dask, pydantic, PyArrow and xarray."""

from __future__ import annotations

from ..errors import InertiaError

__all__ = ["MissingPackageError"]


class MissingPackageError(InertiaError, ImportError):
    """A package that studies need is not installed."""

    def __init__(self, package: str) -> None:
        super().__init__(f'studies need {package}, which is not installed: `pip install "opensim_inertia[study]"`')
