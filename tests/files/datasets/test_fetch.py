"""Datasets come whole and as published, from a server, a folder or a copy of the repository, or not at all."""

import gc
import hashlib
import threading
import warnings
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

import opensim_inertia as oi
from opensim_inertia.files import datasets
from opensim_inertia.files.datasets import fetch, registry

FILES = {"model.osim": b"<model/>" * 4000, "walk.mot": b"time\n0\n", "grf.xml": b"<loads/>", "grf.mot": b"time\n1\n"}
SMALL = {"about": "a small one", "model": "Models/model.osim", "motion": "walk.mot", "loads": "grf.xml"}
SMALL_FILES = ("Models/model.osim", "walk.mot", "grf.xml", "grf.mot")


class Server(ThreadingHTTPServer):
    """Serves FILES, of which some are missing, cut short, without a length, or another file."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.faults: dict[str, str] = {}
        self.asked: list[str] = []
        self.url = f"http://127.0.0.1:{self.server_port}/at"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        name = Path(self.path).name
        self.server.asked.append(self.path)
        fault, body = self.server.faults.get(name, ""), FILES[name]
        if fault == "missing":
            self.send_error(404)
            return
        self.send_response(200)
        if fault != "unsized":
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[::-1] if fault == "other" else body[:5] if fault in ("cut", "unsized") else body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server, with the small dataset for the catalogue; no variable of the environment names a place."""
    pytest.importorskip("pooch")
    for variable in ("OPENSIM_MODELS", "OPENSIM_INERTIA_DATASETS"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    sums = {file: hashlib.sha256(FILES[Path(file).name]).hexdigest() for file in SMALL_FILES}
    small = {"datasets": {"small": SMALL | {"beside": ["grf.mot"]}}, "sha256": sums}
    monkeypatch.setattr(datasets, "registry", lambda: small)
    with Server() as serving:
        thread = threading.Thread(target=serving.serve_forever, args=(0.01,))
        thread.start()
        yield serving
        serving.shutdown()
        thread.join()


def left(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def put(folder: Path, *but: str) -> None:
    for file in set(SMALL_FILES) - set(but):
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_bytes(FILES[Path(file).name])


def test_downloaded_once_and_whole(server: Server, tmp_path: Path) -> None:
    found = fetch("small", tmp_path / "new", server.url)
    assert found.model == tmp_path / "new" / "Models" / "model.osim" and found.model.read_bytes() == FILES["model.osim"]
    assert found.motion is not None and found.motion.read_bytes() == FILES["walk.mot"]
    assert found.loads is not None and found.loads.with_name("grf.mot").read_bytes() == FILES["grf.mot"]
    assert found.setup is None
    assert left(tmp_path / "new") == set(SMALL_FILES)
    assert sorted(server.asked) == sorted(f"/at/{file}" for file in SMALL_FILES)
    assert fetch("small", tmp_path / "new", server.url) == found
    assert len(server.asked) == len(SMALL_FILES), "nothing is downloaded twice"


@pytest.mark.parametrize(
    ("fault", "error", "told"),
    [
        (
            "missing",
            oi.errors.DownloadError,
            "the server says 404 Not Found; without a network, save",
        ),
        ("cut", oi.errors.DownloadError, "there is no connection"),
        ("unsized", oi.errors.ChecksumError, "grf.xml is not the published one, and was not kept"),
        ("other", oi.errors.ChecksumError, "grf.xml is not the published one, and was not kept"),
    ],
)
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # sockets that requests leaves open
def test_what_does_not_come_whole_is_not_kept(
    server: Server, tmp_path: Path, fault: str, error: type[oi.InertiaError], told: str
) -> None:
    server.faults["grf.xml"] = fault
    with pytest.raises(error, match="grf.xml") as failed:
        fetch("small", tmp_path, server.url)
    assert told in str(failed.value)
    assert failed.value.path == tmp_path / "grf.xml"  # type: ignore[attr-defined]
    assert left(tmp_path) == {"Models/model.osim", "walk.mot"}, "what came before is whole, and stays"
    del server.faults["grf.xml"], failed
    gc.collect()  # such sockets, while they may be left open
    assert fetch("small", tmp_path, server.url).loads == tmp_path / "grf.xml"


def test_without_a_network_it_says_where_files_go(server: Server, tmp_path: Path) -> None:
    put(tmp_path, "walk.mot")
    nowhere = "http://127.0.0.1:9/at"
    with pytest.raises(oi.errors.DownloadError) as failed:
        fetch("small", tmp_path, nowhere)
    told = str(failed.value)
    assert f"cannot download {nowhere}/walk.mot: ConnectionError" in told
    assert f"by hand, each at the same place below {tmp_path}: walk.mot; or name a copy of https://github.com" in told
    with pytest.raises(oi.errors.DownloadError, match="Invalid URL 'models/walk.mot'"):
        fetch("small", tmp_path, "models")
    put(tmp_path)
    assert fetch("small", tmp_path, nowhere).motion == tmp_path / "walk.mot"


def test_a_file_of_the_users_own_is_refused_and_left(server: Server, tmp_path: Path) -> None:
    put(tmp_path)
    (tmp_path / "walk.mot").write_text("mine")
    with pytest.raises(
        oi.errors.ChecksumError, match=r"walk.mot is not the published file: remove it, or name another"
    ):
        fetch("small", tmp_path, server.url)
    assert (tmp_path / "walk.mot").read_text() == "mine" and not server.asked


def test_a_copy_of_the_repository_is_used_if_it_is_as_published(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy, other = tmp_path / "copy", tmp_path / "other"
    put(copy)
    monkeypatch.setenv("OPENSIM_MODELS", str(copy))
    monkeypatch.setenv("OPENSIM_INERTIA_DATASETS", str(other))
    assert fetch("small").model == copy / "Models" / "model.osim"
    assert fetch("small", other, server.url).model == other / "Models" / "model.osim", "a folder that is named is meant"
    (copy / "grf.mot").write_text("edited")
    assert fetch("small").loads == other / "grf.xml"
    (other / "grf.mot").unlink()
    with pytest.raises(oi.errors.DownloadError, match="by OPENSIM_MODELS"):
        fetch("small", url="http://127.0.0.1:9")


def test_names() -> None:
    with pytest.raises(oi.errors.UnknownNameError, match="unknown dataset 'gait2393'; did you mean 'gait2392'"):
        oi.datasets.fetch("gait2393")


def test_every_file_of_the_catalogue_has_its_checksum() -> None:
    entries = registry()["datasets"].values()
    named = {entry[role] for entry in entries for role in ("model", "motion", "loads", "setup") if role in entry}
    assert named | {file for entry in entries for file in entry.get("beside", ())} == set(registry()["sha256"])
    assert all(len(each) == 64 for each in registry()["sha256"].values())


@pytest.mark.parametrize("name", ["gait2392", "hamner", "rajagopal2016"])
def test_the_copy_that_tests_use_is_as_published(
    name: str, copy_of_opensim_models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENSIM_MODELS", str(copy_of_opensim_models))
    found = fetch(name)
    assert found.model.is_relative_to(copy_of_opensim_models) and found.model.is_file()


@pytest.mark.parametrize("name", registry()["datasets"])
def test_motion_and_loads_cover_the_time_range(name: str, opensim_models: Path) -> None:
    """Of the files that are in the copy of the repository which tests use."""
    entry = registry()["datasets"][name]
    root = Path(str(opensim_models))  # one folder, in which not every file need be
    tables = [file for file in (entry.get("motion"), *entry.get("beside", ())) if file is not None]
    assert bool(tables) == ("time_range" in entry)
    there = [root / file for file in tables if (root / file).is_file()]
    if not there:
        pytest.skip(f"{root} has no motion and loads of {name}")
    start, end = entry["time_range"]
    for path in there:
        first, *_, last = oi.read_table(path).index
        assert first - 1e-6 <= start < end <= last + 1e-6, path


@pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.ShortBellyWarning")
def test_the_example_of_public_data_has_answers_a_body_can_make(copy_of_opensim_models: Path) -> None:
    """Without the time range the knee's peak would be of a row without loads, where OpenSim's tool has 7216 N m."""
    data = fetch("gait2392", copy_of_opensim_models)
    inertial = oi.InertialModel(data.model, oi.estimate_masses(data.model))
    with warnings.catch_warnings():
        warnings.simplefilter("error", oi.warnings.LoadsRangeWarning)
        result = oi.inverse_dynamics(
            inertial,
            oi.Recording(data.motion, data.loads, cutoff=6.0, time_range=data.time_range),
            band=False,
            per_muscle=False,
        )
    assert result.answered.all()
    model = inertial.original_model()
    body_mass = sum(body.getMass() for body in model.getBodySet())
    moments = result.summary().query("unit == 'N m'")
    assert 30 < abs(moments.loc["knee_angle_r", "lumped peak"]) < 80
    assert moments["inertial peak"].abs().max() < 3 * body_mass
