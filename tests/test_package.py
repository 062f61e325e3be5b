"""The package as shipped: public names, version, typing marker, and a tree free of machine paths."""

import hashlib
import importlib
import importlib.metadata
import importlib.resources
import os
import re
import shutil
import subprocess
import sys
import tomllib
from functools import cache, partial
from itertools import takewhile
from pathlib import Path
from types import ModuleType

import pytest
from conftest import DATA

import opensim_inertia
from opensim_inertia.files.datasets import registry

ROOT = Path(__file__).resolve().parents[1]
MOST_NAMES = 48  # Names that ``dir(opensim_inertia)`` lists beside the version
MACHINE_PATH = re.compile(
    r"(?<![\w.:/~{}()<>-])/(?:home|Users|root|work|tmp|var|mnt|scratch)/[\w.-]|\b[A-Z]:\\(?:Users|Windows)"
)


def tree() -> dict[Path, str]:
    """Text files of the repository that git does not ignore, and what they hold."""
    listing = ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        names = subprocess.run(listing, check=True, capture_output=True, text=True).stdout.split("\0")
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("not a git checkout")
    contents = {path: path.read_bytes() for name in names if name and (path := ROOT / name).is_file()}
    return {path: data.decode(errors="replace") for path, data in contents.items() if b"\0" not in data}


def test_the_package_has_few_names_and_the_rest_in_modules() -> None:
    """A newcomer reads what ``dir`` lists; the names of each module there are in its ``__all__``."""
    assert len([name for name in dir(opensim_inertia) if name != "__version__"]) <= MOST_NAMES
    for module in (getattr(opensim_inertia, name) for name in opensim_inertia.public_modules()):
        assert isinstance(module, ModuleType) and len(set(module.__all__)) == len(module.__all__) > 0
        missing = [name for name in module.__all__ if not hasattr(module, name)]
        assert not missing, f"{module.__name__}: {missing}"


@cache
def classes() -> list[tuple[str, str]]:
    """Names of all classes of the package, each with the file that defines it."""
    package = ROOT / "opensim_inertia"
    files = {file.relative_to(package).as_posix(): file.read_text() for file in sorted(package.rglob("*.py"))}
    return [(name, file) for file, text in files.items() for name in re.findall(r"^class (\w+)", text, re.MULTILINE)]


@pytest.mark.parametrize(("module", "base"), [("errors", "InertiaError"), ("warnings", "InertiaWarning")])
def test_all_errors_and_warnings_are_in_one_module(module: str, base: str) -> None:
    """All but private ones, wherever they are raised or given."""
    public = vars(importlib.import_module(f"opensim_inertia.{module}"))
    ending = module[:-1].capitalize()
    defined = {name: file for name, file in classes() if re.fullmatch(rf"[A-Z]\w*{ending}", name)}
    assert set(defined) == set(public["__all__"]) and set(defined.values()) == {f"_core/{module}.py"}
    assert all(issubclass(public[name], public[base]) for name in defined)


def test_version_is_the_same_everywhere() -> None:
    version = importlib.metadata.version("opensim_inertia")
    assert opensim_inertia.__version__ == version
    coming = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools_scm"]["fallback_version"]
    coming = coming.partition(".dev")[0]
    assert f"\nversion: {coming}\n" in (ROOT / "CITATION.cff").read_text()
    assert re.findall(r"^## \[(.*)\]", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)[0] == coming


def test_conda_recipe_is_of_this_package() -> None:
    recipe = ROOT / ".ci" / "conda" / "recipe.yaml"
    if not recipe.is_file():
        pytest.skip("a source distribution has no recipe")
    lines = recipe.read_text().splitlines()
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    coming = settings["tool"]["setuptools_scm"]["fallback_version"].partition(".dev")[0]
    assert f'  version: "{coming}"' in lines
    sections = {"  host:": settings["build-system"]["requires"], "  run:": settings["project"]["dependencies"]}
    conda_names = {"cmeel-eigen": "eigen", "matplotlib": "matplotlib-base"}
    for section, requirements in sections.items():
        listed = [line.strip(" -") for line in takewhile(lambda x: "- " in x, lines[lines.index(section) + 1 :])]
        for requirement in requirements:
            name, sign, least = requirement.partition(">=")
            expected = f"{conda_names.get(name, name)} {sign}{least}".strip()
            assert any(f"{line},".startswith(f"{expected},") for line in listed), requirement


def test_wheel_holds_the_package_and_nothing_else() -> None:
    distribution = importlib.metadata.distribution("opensim_inertia")
    if Path(str(distribution.locate_file("opensim_inertia"))).resolve() != Path(opensim_inertia.__file__).parent:
        pytest.skip("the package is not installed from a wheel")
    installed = {file.as_posix() for file in distribution.files or [] if file.suffix != ".pyc"}
    package = {name for name in installed if name.startswith("opensim_inertia/")}
    compiled = {name for name in package if re.search(r"\.(so|pyd|dll|dylib)$", name)}
    assert {re.sub(r"\.[^/]*", "", name) for name in compiled} <= {
        "opensim_inertia/_kernel",
        "opensim_inertia/model/plugin/libosimInertialMuscles",
        "opensim_inertia/model/plugin/osimInertialMuscles",
    }
    makes_the_bundle = re.compile(r"opensim_inertia/reports/view/(src/.*|build\.js|eslint\.config\.js|[\w-]+\.json)")
    sources = {path.relative_to(ROOT).as_posix() for path in tree() if path.is_relative_to(ROOT / "opensim_inertia")}
    made = compiled | {"opensim_inertia/_core/_version.py"}
    assert package - made == {name for name in sources if not makes_the_bundle.fullmatch(name)}
    assert {"opensim_inertia/reports/view/bundle.js", "opensim_inertia/reports/view/page.css"} < package
    outside = {name.partition("/")[0] for name in installed - package if not name.startswith("..")}
    assert outside == {f"opensim_inertia-{opensim_inertia.__version__}.dist-info"}


#: SHA-256 of the published files in ``tests/data`` that the catalogue of data sets does not have, as of its commit.
ALSO_PUBLISHED = {
    "Models/Gait10dof18musc/gait10dof18musc.osim": "5131d69cd1fc934ab367bf5984b374acdb8a7d50e043ae21701019bab0f0222e",
    "Models/Gait2392_Simbody/gait2392_thelen2003muscle.osim": (
        "3af1ca20aa87bc88b0b8cd54f2504331afa2aa03537cc868f1175fa1f50f3c0f"
    ),
    "Models/Leg6Dof9Musc/leg6dof9musc.osim": "3f02c0036210fc2ed8b1f3e8cbe220dcf5b75198dbd95fd3f6b9e47e32555ca1",
    "Pipelines/Gait10dof18musc/OutputReference/ID/Results/subject01_walk_ID.sto": (
        "4cf120373352a471b6c67de69c7c631ede488ab71a0bc595008e441add9019df"
    ),
}
MOST_DATA = 2_000_000  # bytes


def test_real_models_for_tests_are_as_published_and_licensed() -> None:
    """Those of ``tests/data``; files of one content lie in two places of the public repository."""
    files = [path for path in DATA.rglob("*") if path.is_file() and path.suffix in (".osim", ".xml", ".mot", ".sto")]
    assert {"arm26.osim", "gait10dof18musc.osim", "subject01_walk_IK.mot"} < {path.name for path in files}
    assert sum(path.stat().st_size for path in files) < MOST_DATA
    published = registry()["sha256"] | ALSO_PUBLISHED
    for path in files:
        name = path.relative_to(DATA).as_posix()
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        assert digest == published.get(name, digest) and digest in published.values(), name
    models = {path for path in files if path.suffix == ".osim"}
    assert all("License: Creative Commons (CCBY 3.0)" in path.read_text() for path in models)
    page = (DATA / "README.md").read_text()
    assert all(f"`{path.relative_to(DATA).as_posix()}`" in page for path in models)


def test_sources_take_the_installed_kernel_or_say_what_is_missing(tmp_path: Path) -> None:
    package = Path(opensim_inertia.__file__).parent
    shutil.copytree(package, tmp_path / package.name, ignore=shutil.ignore_patterns("_kernel.*[dos]", "__pycache__"))
    code = "import opensim_inertia as oi, opensim_inertia._kernel as k; print(oi.__file__, k.__file__, sep='\\n')"
    environment = os.environ | {"PYTHONPATH": str(package.parent)}
    run = partial(subprocess.run, cwd=tmp_path, capture_output=True, text=True, check=False)
    files = [Path(line) for line in run([sys.executable, "-c", code], env=environment).stdout.splitlines()]
    assert [file.parent for file in files] == [tmp_path / package.name, package]
    code = "import glob, sys; sys.path[1:] = [p for p in sys.path[1:] if not glob.glob(p + '/opensim_in*')]\n" + code
    alone = run([sys.executable, "-c", code])
    assert "has no compiled kernel: run `pip install .`" in alone.stderr


def test_console_script_resolves() -> None:
    (script,) = importlib.metadata.entry_points(group="console_scripts", name="opensim-inertia")
    assert callable(script.load())


def test_links_between_pages_lead_somewhere() -> None:
    listed = [ROOT / folder / "README.md" for folder in ("examples", "benchmarks")]
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *listed]
    links = [(page, link) for page in pages for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text())]
    links = [(page, link) for page, link in links if not link.startswith(("https:", "http:"))]
    assert len(links) > 40
    missing = []
    for page, link in links:
        file, _, heading = link.partition("#")
        target = page.parent / file if file else page
        anchors = re.findall(r"^#+ (.+)$", target.read_text(), re.MULTILINE) if heading and target.is_file() else []
        known = {re.sub(r"[^\w\- ]", "", anchor.lower()).replace(" ", "-") for anchor in anchors}
        if not target.exists() or (heading and heading not in known):
            missing.append(f"{page.name}: {link}")
    assert not missing, missing


@pytest.mark.slow
def test_tree_names_no_machine_paths() -> None:
    files = tree()
    assert ROOT / "pyproject.toml" in files
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path, text in files.items()
        for number, line in enumerate(text.splitlines(), 1)
        if MACHINE_PATH.search(line)
    ]
    assert not found, "\n".join(found)
