"""Results of muscle recruitment as labelled arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from ..._core.xarray import labelled, xr

#: Controls, forces and missing forces by time, the status of each time, and reactions by joint.
Tables = tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame, pd.Series, Mapping[str, pd.DataFrame]]


def dataset(
    tables: Mapping[str, Tables], rotational: Sequence[bool], provenance: Mapping[str, Any], notes: Mapping[str, Any]
) -> xr.Dataset:
    """Return a dataset of controls, forces and reactions by kind ("lumped", "inertial")."""
    controls, forces, missing, status, reactions = zip(*tables.values(), strict=True)
    dims, components = ["kind", "time"], [f"{quantity}{axis}" for quantity in "fmp" for axis in "xyz"]
    variables: dict[str, tuple[list[str], Any, str]] = {
        "control": ([*dims, "actuator"], np.stack(controls), "1"),
        "force": ([*dims, "actuator"], np.stack(forces), "N; N m where it acts on an angle"),
        "missing": ([*dims, "coordinate"], np.stack(missing), ""),
        "status": (dims, np.stack(status).astype(str), "1"),
    }
    labels: dict[str, Any] = {"kind": list(tables), "time": controls[0].index}
    labels |= {"actuator": list(controls[0]), "coordinate": list(missing[0])}
    if reactions[0]:
        loads = np.stack([np.stack([each[joint][components] for joint in each]) for each in reactions])
        variables["reaction"] = (["kind", "joint", "time", "component"], loads, "f: N; m: N m; p: m")
        labels |= {"joint": list(reactions[0]), "component": components}
    return labelled(variables, labels, provenance, ["N m" if turns else "N" for turns in rotational], **notes)
