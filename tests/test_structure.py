"""How the code is arranged: imports point downward, private names stay in their rooms, files are short."""

import gc
import inspect
from collections.abc import Callable, Iterable, Iterator
from dataclasses import is_dataclass
from importlib import import_module
from pathlib import Path

import pytest
import structure

import opensim_inertia as oi
from opensim_inertia.demo import write_demo

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "opensim_inertia"
HEADERS = ROOT / "plugin_cpp" / "include" / "opensim_inertia"
PAGE = (ROOT / "docs" / "architecture.md").read_text()
USERS = ("tests", "examples", "benchmarks", "docs")
#: Folders of the package with the modules beside them, and imports between them: no more than a picture can show.
MOST_ROOMS, MOST_ARROWS = 20, 101
CODE = {".py", ".pyi", ".hpp", ".cpp", ".h"}


def files(*folders: str) -> Iterator[Path]:
    """Files of code in folders of the repository; those of the whole repository that nobody else wrote."""
    for folder in folders:
        yield from (path for path in (ROOT / folder).rglob("*") if path.suffix in CODE and "build" not in path.parts)


def none_of(offences: Iterable[object]) -> None:
    """Fail with one line for each offence."""
    found = [str(offence).replace(f"{ROOT}/", "") for offence in offences]
    if found:
        pytest.fail("\n".join(found), pytrace=False)


@pytest.fixture(scope="module", autouse=True)
def parsed() -> Iterator[None]:
    """Keep what is parsed until these tests are done; to look for garbage in it takes longer than to parse it."""
    gc.disable()
    yield
    gc.enable()
    structure.nodes.cache_clear()


@pytest.fixture(scope="module")
def imports() -> list[structure.Import]:
    return structure.imports(PACKAGE)


def test_the_page_has_every_room_and_no_other() -> None:
    assert set(structure.rooms(PAGE, "The package")) == {structure.room_of(name) for name in structure.modules(PACKAGE)}
    assert set(structure.rooms(PAGE, "The kernel")) == {path.name for path in HEADERS.iterdir()}


def test_imports_point_downward(imports: list[structure.Import]) -> None:
    assert len(imports) > 500
    none_of(structure.upward(imports, structure.rooms(PAGE, "The package")))


def test_names_are_imported_at_run_time_only_for_users(imports: list[structure.Import]) -> None:
    """Rooms that import names at their first use do so for users; modules name the module that they need."""
    found = {name for name in structure.imports_by_name(PACKAGE) if structure.room_of(name) != "cli"}
    assert found == {"_core.stubs"}
    lazy = {".".join(stub.parent.relative_to(PACKAGE).parts) for stub in PACKAGE.glob("*/**/__init__.pyi")}
    assert lazy == {"checks", "files", "options"}
    none_of(str(one) for one in imports if one.target in lazy and ".pyi:" not in one.place)


def test_the_house_stays_small() -> None:
    """A newcomer keeps 20 rooms in mind, not 50: a new capability joins a wing, or says why not."""
    figures = structure.census(PACKAGE, PAGE)
    assert figures["rooms"] <= MOST_ROOMS and figures["arrows"] <= MOST_ARROWS
    assert figures["upward"] == figures["circles"] == 0


def test_budgets_of_lines_hold() -> None:
    figures = structure.census(PACKAGE, PAGE)
    assert figures["lines"] <= structure.MOST_LINES and figures["files"] <= structure.MOST_FILES
    for name, most in structure.MOST_IMPORTED.items():
        assert 1000 < figures[f"closure of {name}"] <= most


def test_nothing_below_imports_a_side_house(imports: list[structure.Import]) -> None:
    """Only what stands above the rooms knows them: the package's own names, and the command."""
    above = structure.SIDE_HOUSES | {"__init__", "__main__"}
    none_of(
        str(one)
        for one in imports
        if structure.room_of(one.target) in structure.SIDE_HOUSES and structure.room_of(one.importer) not in above
    )


def test_one_inverse_dynamics_executes_few_functions(tmp_path: Path) -> None:
    written = write_demo(tmp_path)
    inertial = oi.InertialModel(written["model"], written["masses"])
    recording = oi.Recording(written["motion"], time_range=(0.05, 0.55))
    solve = oi.inverse_dynamics  # imported here
    executed = structure.executed(Path(oi.__file__).parent, lambda: solve(inertial, recording))
    assert 100 < len(executed) <= structure.MOST_EXECUTED


def test_no_circle_of_imports(imports: list[structure.Import]) -> None:
    none_of(structure.circles(imports))


def test_headers_include_downward_and_without_circles() -> None:
    includes = structure.includes(HEADERS)
    assert len(includes) > 50
    none_of(structure.upward(includes, structure.rooms(PAGE, "The kernel")))
    none_of(structure.circles(includes))


def test_the_kernel_knows_neither_python_nor_opensim() -> None:
    text = "\n".join(path.read_text() for path in HEADERS.rglob("*.hpp"))
    assert "#include <Eigen/" in text
    for name in ("Python.h", "nanobind", "OpenSim", "Simbody", "SimTK"):
        assert f"#include <{name}" not in text


@pytest.mark.slow
def test_one_module_each_imports_what_is_optional_or_opensim() -> None:
    assert structure.third_party_imports(PACKAGE, "opensim") == ["_core.opensim"]
    assert structure.third_party_imports(PACKAGE, "torch") == ["analyses.gradients.tensors"]
    assert structure.third_party_imports(PACKAGE, "daqp") == ["dynamics.load_sharing.programs"]
    assert structure.third_party_imports(PACKAGE, "distributed") == ["studies.cluster"]
    assert structure.third_party_imports(PACKAGE, "psutil") == ["studies.cluster"]
    assert structure.third_party_imports(PACKAGE, "pooch") == ["files.datasets"]
    assert structure.third_party_imports(PACKAGE, "pyarrow") == ["studies.tables"]
    assert structure.third_party_imports(PACKAGE, "xarray") == ["_core.xarray"]
    assert structure.third_party_imports(PACKAGE, "vtkmodules") == []
    assert set(map(structure.room_of, structure.third_party_imports(PACKAGE, "matplotlib"))) == {"plotting"}


def test_private_names_stay_in_their_rooms() -> None:
    none_of(structure.foreign_private_names(PACKAGE))


@pytest.mark.slow
def test_private_names_stay_in_the_package() -> None:
    none_of(use for path in files(*USERS) for use in structure.private_names(path))


@pytest.fixture(scope="module")
def public(imports: list[structure.Import]) -> set[str]:
    """Public names, and the modules that they come from."""
    modules = {*oi.public_names(), *oi.public_modules(), *(one.target for one in imports if one.importer == "__init__")}
    return {f"opensim_inertia.{name}" for name in (*modules, "analyses.moment_arms", "cli", "demo")}  # documented


def test_tests_of_features_know_public_names_only(public: set[str]) -> None:
    paths = list((ROOT / "tests/features").glob("*.py"))
    assert len(paths) > 30
    uses = [use for path in paths for use in structure.modules_named(path, "opensim_inertia")]
    none_of(use for use in uses if use.split(" imports ")[1] not in public)


def test_most_tests_use_public_names_only(public: set[str]) -> None:
    every, sound = structure.public_tests(ROOT / "tests", "opensim_inertia", public)
    assert every > 1000 and sound >= structure.LEAST_PUBLIC * every, f"{sound} of {every}"


def test_files_are_short() -> None:
    paths = [*files("opensim_inertia", "plugin_cpp", *USERS), ROOT / "setup.py"]
    assert len(paths) > 300
    none_of(structure.long_files(paths))


# The checks themselves, on small packages that break a rule.

TABLE = """# Page

## The package

| level | room | purpose |
|---|---|---|
| 0 | `errors` | errors |
| 1 | `_kernel`, `checks` | checks |
| 2 | `low/` | below |
| 2 | `twin/` | beside it |
| 3 | `high/` | above |
| 4 | `__init__` | the root |

## Another

| 5 | `other/` | not of this section |
"""


def package(folder: Path, modules: dict[str, str]) -> Path:
    """A package called ``house`` of a few empty modules and those given: texts by paths without suffix."""
    root = folder / "house"
    for name in ("low", "twin", "high"):
        (root / name).mkdir(parents=True)
        (root / name / "__init__.py").touch()
    for name in ("__init__", "errors", "checks"):
        (root / f"{name}.py").touch()
    (root / "_kernel.pyi").touch()
    for name, text in modules.items():
        (root / f"{name}.py").write_text(text)
    return root


@pytest.mark.parametrize(
    ("module", "text", "target"),
    [
        ("low/a", "from ..high import b", "high.b"),
        ("low/a", "from ..high.b import X", "high.b"),
        ("low/a", "def f():\n    from ..high.b import X", "high.b"),
        ("low/a", "if TYPE_CHECKING:\n    from house.high.b import X", "high.b"),
        ("low/a", "import house.high.b", "high.b"),
        ("low/a", "from ..twin import X", "twin"),
        ("low/a", "from .. import X", "__init__"),
        ("low/a", "from .. import _kernel", "__init__"),
        ("checks", "from .low import X", "low"),
        ("errors", "from .checks import X", "checks"),
        ("low/a", "from ..attic import X", "attic"),
    ],
)
def test_an_upward_import_is_found(tmp_path: Path, module: str, text: str, target: str) -> None:
    root = package(tmp_path, {"high/b": "", module: text})
    (found,) = structure.upward(structure.imports(root), structure.rooms(TABLE, "The package"))
    line = 2 if "\n" in text else 1
    assert found == f"{module}.py:{line} imports {target}"


@pytest.mark.parametrize(
    "text",
    [
        "x = model._hidden",
        "from ..low.a import _hidden",
        "from house.low.a import _hidden",
        "from ..low._hidden import X",
        "from scipy import _hidden",
        "x = getattr(model, '_hidden')",
        "model._hidden = 3",
        "class A:\n    def f(self): return self.model._hidden",
    ],
)
def test_a_foreign_private_name_is_found(tmp_path: Path, text: str) -> None:
    root = package(tmp_path, {"low/a": "class B:\n    def _hidden(self): pass", "low/_hidden": "", "high/b": text})
    (found,) = structure.foreign_private_names(root)
    assert found == f"high/b.py:{1 + text.count(chr(10))} uses _hidden"
    (found,) = structure.private_names(root / "high" / "b.py")
    assert found.endswith("uses _hidden")


MOST_ARGUMENTS = 9  # Arguments of a public function, ``self`` apart: what a reader keeps in mind


def public_callables() -> Iterator[tuple[str, Callable[..., object]]]:
    """What users call, by name: functions and classes of the package, its modules and analyses, and their methods."""
    rooms = (f"analyses.{folder.parent.name}" for folder in (PACKAGE / "analyses").glob("*/__init__.py"))
    places = {*oi.public_modules().values(), *rooms, "checks", "model", "studies"}
    values = {name: getattr(oi, name) for name in oi.public_names()}
    for place in map(import_module, sorted(f"opensim_inertia.{place}" for place in places)):
        values |= {f"{place.__name__}.{name}": getattr(place, name) for name in place.__all__}
    for name, value in values.items():
        if callable(value):
            yield name, value
        if inspect.isclass(value):
            yield from ((f"{name}.{n}", m) for n, m in inspect.getmembers(value, callable) if n[0] != "_")


def test_public_functions_take_few_arguments() -> None:
    """Results, which users are given and never make, are records with as many fields as needed: they do not count."""
    many = []
    for name, each in public_callables():
        try:
            arguments = inspect.signature(each).parameters
        except (TypeError, ValueError):
            continue  # of another language
        is_result = is_dataclass(each) and not issubclass(each, oi.options.ModelOptions.__base__ | oi.Problem)
        if len(set(arguments) - {"self"}) > MOST_ARGUMENTS and not is_result:
            many.append(f"{name} takes {len(arguments)}: {', '.join(arguments)}")
    none_of(many)
