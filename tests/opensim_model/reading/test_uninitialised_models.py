"""Models of old versions that OpenSim can neither dump nor print before they are initialised."""

from __future__ import annotations

from pathlib import Path

import pytest

from opensim_inertia._core.opensim import osim, quiet
from opensim_inertia._core.provenance import describe_model
from opensim_inertia.opensim_model.reading.loading import model_xml

#: As the gait2354 of OpenSim 1.9: an axis with an empty function.
OLD = """<OpenSimDocument Version="10901"><Model name="old"><BodySet name=""><objects>
<Body name="ground"><mass>0</mass><mass_center>0 0 0</mass_center></Body>
<Body name="toes"><mass>0.2</mass><mass_center>0.03 0 0</mass_center><inertia_xx>0.001</inertia_xx>
<inertia_yy>0.001</inertia_yy><inertia_zz>0.001</inertia_zz>
<Joint><CustomJoint name="mtp"><parent_body>ground</parent_body>
<CoordinateSet name=""><objects><Coordinate name="angle"/></objects></CoordinateSet>
<SpatialTransform name="">
<TransformAxis name="rotation1"><axis>0.58 0 0.81</axis><coordinates>angle</coordinates>
<function><LinearFunction name=""><coefficients>1 0</coefficients></LinearFunction></function></TransformAxis>
<TransformAxis name="rotation2"><function/></TransformAxis>
</SpatialTransform></CustomJoint></Joint></Body></objects></BodySet></Model></OpenSimDocument>
"""


def test_they_are_described_and_printed(tmp_path: Path) -> None:
    (tmp_path / "old.osim").write_text(OLD)
    with quiet():
        model = osim.Model(str(tmp_path / "old.osim"))
        with pytest.raises(RuntimeError, match="Index out of range"):
            model.dump()
        described = describe_model(model)
        text = model_xml(model)
        (tmp_path / "again.osim").write_text(text)
        printed_model = osim.Model(str(tmp_path / "again.osim"))
        printed_model.initSystem()
    assert described["name"] == "old" and len(described["sha256"]) == 64
    assert printed_model.getBodySet().get("toes").getMass() == 0.2 and printed_model.getCoordinateSet().getSize() == 1
