"""External loads that are one force of known size and place."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

import opensim_inertia as oi

PUSH = """<?xml version="1.0" encoding="UTF-8" ?>
<OpenSimDocument Version="{version}"><ExternalLoads name="loads"><objects>
<ExternalForce name="push"><applied_to_body>{body}</applied_to_body>
<force_expressed_in_body>{frame}</force_expressed_in_body><point_expressed_in_body>ground</point_expressed_in_body>
<force_identifier>{column}</force_identifier><point_identifier>p</point_identifier>
</ExternalForce></objects><groups /><datafile>{data}</datafile></ExternalLoads></OpenSimDocument>
"""


def push_xml(body: str, data: str, frame: str = "ground", column: str = "f", version: int = 40000) -> str:
    """External loads of one force on a body, whose columns in the data file begin with ``column`` and ``p``."""
    return PUSH.format(body=body, data=data, frame=frame, column=column, version=version)


def write_push(
    folder: Path,
    body: str,
    times: np.ndarray,
    force: Sequence[float],
    point: Sequence[float] = (0.1, 0.0, 0.1),
    name: str = "push",
) -> Path:
    """Write a constant force [N] at a point in ground [m], known at some times [s]: ``name.xml`` and ``name.sto``."""
    sizes = dict(zip(("fx", "fy", "fz", "px", "py", "pz"), (*force, *point), strict=True))
    table = pd.DataFrame({label: np.full(len(times), size) for label, size in sizes.items()}, index=times)
    oi.write_table(table, folder / f"{name}.sto")
    path = folder / f"{name}.xml"
    path.write_text(push_xml(body, f"{name}.sto"))
    return path
