"""Results as labelled xarray datasets with units and assumptions."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from numpy.typing import ArrayLike

from .errors import MissingPackageError
from .provenance import plain, run_record

try:
    import xarray as xr
except ImportError as error:
    raise MissingPackageError("labelled arrays need", "xarray", "xarray") from error

__all__ = ["labelled", "xr"]

#: Unit text of arrays with one unit per coordinate.
UNITS_OF_COORDINATES = "see coordinate 'unit'"


def labelled(
    variables: Mapping[str, tuple[Sequence[str], ArrayLike, str]],
    labels: Mapping[str, Any],
    provenance: Mapping[str, Any],
    units: Sequence[str] = (),
    **notes: Any,
) -> xr.Dataset:
    """Return ``variables`` (dimensions, values, unit) as a dataset; attributes store provenance in netCDF types."""
    coordinates: dict[str, Any] = {name: (name, values) for name, values in labels.items()}
    if units:
        coordinates["unit"] = ("coordinate", list(units))
    attrs: dict[str, Any] = {}
    if "masses" in provenance:
        masses = dict(zip(provenance["masses"]["muscle"], provenance["masses"]["mass"].tolist(), strict=True))
        masses |= {muscle: sum(points["masses"]) for muscle, points in provenance["point masses"].items()}
        options = provenance["options"].items()
        attrs = {"opensim_inertia": provenance["versions"]["opensim_inertia"], "model": provenance["model"]["name"]}
        attrs |= {name: json.dumps(plain(v)) if isinstance(v, dict) else str(v) for name, v in options}
        attrs |= {"masses": json.dumps(plain(masses)), "provenance": run_record(provenance)}
    dataset = xr.Dataset(coords=coordinates, attrs=attrs | notes)
    if "time" in labels:
        dataset["time"].attrs["units"] = "s"
    for name, (dims, values, unit) in variables.items():
        dataset[name] = dims, values, {"units": unit or UNITS_OF_COORDINATES}
    return dataset
