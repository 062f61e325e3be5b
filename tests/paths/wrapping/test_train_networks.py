"""Networks for one site of a model: what they learn is OpenSim's path or ours; they are found by what they are of."""

import os
import shutil
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from conftest import model_path

from opensim_inertia import InertialModel
from opensim_inertia._core.opensim import osim, quiet
from opensim_inertia.errors import DamagedWeightsError, WeightsShapeError
from opensim_inertia.files.cache import cache_folder, keep, kept
from opensim_inertia.files.documents import DocumentKind
from opensim_inertia.opensim_model.reading import initialise, load_model, read_coordinates, read_path
from opensim_inertia.paths.neural import load_weights, save_weights
from opensim_inertia.paths.neural.settings import PAPER_SETTINGS, SPAN_SETTINGS
from opensim_inertia.paths.wrapping.current_path import CurrentPath
from opensim_inertia.paths.wrapping.current_spans import CurrentSpans
from opensim_inertia.paths.wrapping.networks.samples import SiteSampler
from opensim_inertia.paths.wrapping.networks.stored import find_network, network_file, network_key
from opensim_inertia.paths.wrapping.networks.train import Job, required_networks, train_network

ARM = "Models/Arm26/arm26.osim"
QUICK = replace(SPAN_SETTINGS, steps=150, batch=128, position=(16, 16), length=(12,), warm_up=10)


@dataclass
class Arm:
    model: osim.Model
    jobs: dict[str, Job]

    @classmethod
    def load(cls, file: Path) -> "Arm":
        with quiet():
            model = load_model(file)
            coordinates = read_coordinates(model, initialise(model))
            jobs, without = required_networks(
                model, coordinates, [read_path(muscle, coordinates) for muscle in model.getMuscles()]
            )
        assert not without
        return cls(model, {job.path.muscle: job for job in jobs})

    @property
    def coordinates(self):
        return read_coordinates(self.model, self.model.getWorkingState())

    def spans(self, muscle: str) -> CurrentSpans:
        job = self.jobs[muscle]
        return CurrentSpans(self.model, self.coordinates, job.path, job.site, progress=False)


@pytest.fixture(scope="module")
def arm() -> Arm:
    return Arm.load(model_path(ARM))


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("OPENSIM_INERTIA_CACHE", str(folder))
    return folder


def train(arm: Arm, muscle: str, target: str, **options):
    pytest.importorskip("torch")
    settings = {"settings": QUICK, "count": 1000, "device": "cpu", "progress": False} | options
    return train_network(arm.model, arm.coordinates, arm.jobs[muscle], target=target, **settings)


def test_ellipsoids_need_networks_cylinders_do_not(arm: Arm) -> None:
    sites = {muscle: (job.site.surface.kind, job.site.surface.name) for muscle, job in arm.jobs.items()}
    assert sites == {"TRIlong": ("ellipsoid", "TRIlonghh"), "BIClong": ("ellipsoid", "BIClonghh")}


# -- the cache ---------------------------------------------------------------------------------------------------------


def test_the_key_is_of_the_content(arm: Arm, tmp_path: Path) -> None:
    job = arm.jobs["BIClong"]
    key = network_key(job.path, job.site)
    copy = shutil.copy(model_path(ARM), tmp_path / "another name.osim")
    other = Arm.load(Path(copy)).jobs["BIClong"]
    assert network_key(replace(other.path, muscle="renamed"), other.site) == key
    assert network_key(job.path, replace(job.site, smoothing=0.001)) == key

    surface, (first, second) = job.site.surface, job.path.points[1:3]
    moved = (job.path.points[0], first, replace(second, station=second.station + [0, 1e-4, 0]), *job.path.points[3:])
    elsewhere = (*job.path.points[:3], *(replace(p, station=p.station + 1e-3) for p in job.path.points[3:]))
    assert network_key(replace(job.path, points=elsewhere), job.site) == key  # not of this surface's span
    renamed = replace(job.site, surface=replace(surface, name="renamed"))
    assert network_key(job.path, renamed) == key
    changed = [
        network_key(replace(job.path, points=moved), job.site),
        network_key(job.path, replace(job.site, surface=replace(surface, size=surface.size * [1, 1, 1.01]))),
        network_key(job.path, replace(job.site, surface=replace(surface, quadrant=-surface.quadrant))),
        network_key(job.path, replace(job.site, surface=replace(surface, body="another"))),
        network_key(arm.jobs["TRIlong"].path, arm.jobs["TRIlong"].site),
    ]
    assert len({key, *changed}) == 1 + len(changed)


def test_networks_in_users_caches_are_still_found(arm: Arm) -> None:
    """The names of the files that the first version of the cache gave these sites."""
    assert {muscle: network_file(job.path, job.site).name for muscle, job in arm.jobs.items()} == {
        "TRIlong": "ellipsoid-eab166ffeebcb703afbef25374682be7.json",
        "BIClong": "ellipsoid-9f62c111aa45fff8161f46b6769271e1.json",
    }


def test_cache_folder(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cache_folder() == cache
    monkeypatch.delenv("OPENSIM_INERTIA_CACHE")
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", "/elsewhere")
    assert cache_folder() == Path("/elsewhere/opensim_inertia")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache_folder() == Path.home() / ".cache" / "opensim_inertia"
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)  # as without HOME and without an entry in passwd
    kind = DocumentKind("test", 1, "this test")
    keep(kind, "key", {"content": 1})
    assert kept(kind, "key") is None and not cache_folder().parent.is_dir()


def test_found_in_the_cache_and_checked(arm: Arm) -> None:
    job = arm.jobs["BIClong"]
    file = network_file(job.path, job.site)
    assert find_network(job.path, job.site) is None
    save_weights(file, train(arm, "BIClong", "analytic", settings=replace(QUICK, steps=2), count=80))
    assert find_network(job.path, job.site).form == "segment"
    save_weights(file, replace(load_weights(), kind="ellipsoid"))
    with pytest.raises(WeightsShapeError, match="planar"):
        find_network(job.path, job.site)
    file.write_text("{")
    with pytest.raises(DamagedWeightsError):
        find_network(job.path, job.site)


# -- what is learnt ----------------------------------------------------------------------------------------------------


def test_spans_add_up_to_opensims_length(arm: Arm) -> None:
    """With the straight rest of the muscle: the lengths that OpenSim reports."""
    muscle, state = arm.model.getMuscles().get("BIClong"), osim.State(arm.model.getWorkingState())
    spans, current = arm.spans("BIClong"), CurrentPath(arm.model, arm.jobs["BIClong"].path)
    wrapped = 0
    for shoulder in np.linspace(-1.5, 3.1, 15):
        state.setQ(osim.Vector.createFromMat(np.array([shoulder, 0.7])))
        arm.model.realizePosition(state)
        (span,) = spans.at(state, look=True)
        points = np.array(list(current.active_points(state).values()))
        rest = np.linalg.norm(np.diff(points, axis=0), axis=1).sum() - np.linalg.norm(points[2] - points[1])
        assert span.length + rest == pytest.approx(muscle.getLength(state), abs=1e-3)
        assert np.allclose(span.at(np.array([0.0, 1.0])), [span.p, span.q], atol=1e-12)
        wrapped += span.on_surface > 0
    assert 5 < wrapped < 15


def test_a_training_nears_opensims_path(arm: Arm) -> None:
    weights = train(arm, "BIClong", "opensim")
    s = SiteSampler(arm.model, arm.coordinates, arm.jobs["BIClong"], "opensim", False)(500, np.random.default_rng(9))
    straight = np.linalg.norm(s.x - s.origin - s.fraction[:, None] * (s.insertion - s.origin), axis=1)
    assert weights.errors["position_mm"]["mean"] < 0.4 * 1e3 * straight.mean()
    assert weights.recipe["sampling"]["target"] == "opensim"


def test_near_touch_is_thrown_away_of_opensims_path_only(arm: Arm) -> None:
    pytest.importorskip("torch")
    sampler = SiteSampler(arm.model, arm.coordinates, arm.jobs["TRIlong"], "opensim", progress=False)
    spans = arm.spans("TRIlong").draw(200, np.random.default_rng(0), look=True)
    near = [span for span in spans if 0 < span.on_surface < 0.01]
    samples = sampler(400, np.random.default_rng(1))
    attached = samples.length > np.linalg.norm(samples.insertion - samples.origin, axis=1) + 1e-9
    assert near and 0.1 < attached.mean() < 0.9


def test_where_the_path_leaps_the_few_are_left_out(arm: Arm) -> None:
    """Below -1.4 rad the path goes round BIClong's other side: a few percent of the range, centimetres away."""
    pytest.importorskip("torch")
    sampler = SiteSampler(arm.model, arm.coordinates, arm.jobs["BIClong"], progress=False)
    samples = sampler(2000, np.random.default_rng(0))
    assert 0.01 < sampler.left_out < 0.1
    middle = abs(samples.fraction - 0.5) < 0.1
    early = middle & (samples.length > 0.06)
    assert early.any() and (samples.x[early, 1] < 0).all()  # all of them on the quadrant's side, -y


def test_the_papers_network_is_trained_on_opensims_paths(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    from opensim_inertia.paths.neural.training import cylinders
    from opensim_inertia.paths.wrapping.networks import paper

    monkeypatch.setattr(paper, "SAMPLES", 300)
    monkeypatch.setattr(cylinders, "VALIDATION", 200)
    weights = paper.train_paper(replace(PAPER_SETTINGS, steps=20, batch=64, position=(16,)))
    assert (weights.kind, weights.form, set(weights.networks)) == ("cylinder", "direct", {"position"})
    assert weights.recipe["sampling"]["discard"] == 0.01
    assert "length_mm" not in weights.errors
    save_weights(tmp_path / "w.json", weights)


# -- in use ------------------------------------------------------------------------------------------------------------


def test_the_model_uses_it_and_its_jacobian_is_that_of_its_points(arm: Arm) -> None:
    for muscle, job in arm.jobs.items():
        save_weights(
            network_file(job.path, job.site),
            train(arm, muscle, "analytic", settings=replace(QUICK, steps=30), count=400),
        )
    inertial = InertialModel(model_path(ARM), {"BIClong": 0.2, "TRIlong": 0.3}, wrapping="neural", strain="uniform")
    for muscle in arm.jobs:
        assert all(site.network is not None for site in inertial.wraps.sites[muscle])
    state, step = inertial.initial_state(), 1e-6

    def points(q: np.ndarray):
        state.setQ(osim.Vector.createFromMat(q))
        inertial.model.realizeVelocity(state)
        return inertial.mass_points(state)

    for q in np.array([[-0.9, 0.5], [0.3, 1.5], [1.4, 1.0], [1.9, 0.2]]):
        for muscle, here in points(q).items():
            for k in range(2):
                ahead, behind = (points(q + sign * step * np.eye(2)[k])[muscle].positions for sign in (1, -1))
                assert np.allclose(here.jacobians[:, :, k], (ahead - behind) / (2 * step), atol=1e-7), (muscle, q)
