"""The package's names are found at their first use, and in every way as if they had been imported at once."""

import ast
import copy
import os
import pickle
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from conftest import slow_except

import opensim_inertia as oi
from opensim_inertia.demo import FILES

STUB = Path(oi.__file__).with_suffix(".pyi")
ROOT = str(STUB.parents[1])

#: What extras install, except for pyarrow, which pandas loads where it is installed.
EXTRAS = {"torch", "daqp", "openpyxl", "dask", "distributed", "xarray", "pooch"}


def alone(code: str) -> str:
    """What a program prints that has the package's folder on its path."""
    program = f"import sys; sys.path.insert(0, {ROOT!r})\n{code}"
    return subprocess.run([sys.executable, "-P", "-c", program], capture_output=True, text=True, check=True).stdout


def seen_by_type_checkers() -> dict[str, str]:
    imports = (node for node in ast.parse(STUB.read_text()).body if isinstance(node, ast.ImportFrom))
    return {alias.asname or "": node.module or "" for node in imports for alias in node.names}


def test_type_checkers_see_what_is_found() -> None:
    declared, modules = seen_by_type_checkers(), oi.public_modules()
    assert oi.public_names() == {name: place for name, place in declared.items() if name not in modules}
    assert modules == {name: f"{declared[name]}.{name}".lstrip(".") for name in modules}
    for name, place in oi.public_names().items():
        assert getattr(oi, name) is getattr(import_module(f"opensim_inertia.{place}"), name), name
    for name, place in modules.items():
        assert getattr(oi, name) is import_module(f"opensim_inertia.{place}"), name


def loaded(code: str, packages: set[str]) -> set[str]:
    return set(alone(f"{code}\nprint(*{{name.partition('.')[0] for name in sys.modules}} & {packages!r})").split())


def test_importing_the_package_loads_nothing_heavy() -> None:
    heavy = {"numpy", "opensim", "matplotlib", "scipy", "pandas", "tqdm", "pyarrow"}
    assert loaded("import opensim_inertia", heavy | EXTRAS) == set()


@pytest.mark.slow
def test_using_the_package_loads_no_extras() -> None:
    assert loaded("from opensim_inertia import *", {"numpy", "opensim"} | EXTRAS) == {"numpy", "opensim"}


COMMANDS = [
    "id {setup} --no-picture --out {out}",
    "check {model} --motion {motion}",
    "masses {model}",
    "rank {model} --motion {motion}",
    "id {setup} --no-picture --out {out} --trc --per-muscle ankle_angle_r",
]


@pytest.mark.parametrize("words", slow_except(COMMANDS[:1], COMMANDS))
def test_commands_import_nothing_heavy(words: str, tmp_path: Path) -> None:
    command = [word.format(out=tmp_path, **FILES) for word in words.split()]
    code = (
        "from opensim_inertia.cli import main\n"
        f"assert main([*{command!r}, '--quiet']) == 0\n"
        "print(*[name for name in sys.modules if name.startswith(('pandas', 'scipy.', 'matplotlib', 'tqdm'))])"
    )
    assert alone(code).split() == []


def test_names_are_listed_before_they_are_read() -> None:
    listed = alone("import opensim_inertia as oi; print(*dir(oi))").split()
    assert sorted(listed) == sorted([*oi.__all__, *oi.public_modules(), "__version__"])
    used = alone("import opensim_inertia as oi; oi.Wrapping, oi.analyses, oi.errors; print(*dir(oi))").split()
    assert used == listed
    with pytest.raises(AttributeError, match="no attribute 'InertialModell'"):
        oi.InertialModell  # noqa: B018
    with pytest.raises(subprocess.CalledProcessError) as failed:
        alone("import opensim_inertia as oi; oi.Rekording")
    assert "Did you mean: 'Recording'" in failed.value.stderr


@pytest.mark.parametrize("category", ["InertiaWarning", "warnings.ShortBellyWarning"])
def test_warnings_are_filtered_on_the_command_line(category: str) -> None:
    """By their public names; Python reads this option before it knows of installed packages."""
    options = ("-W", f"ignore::opensim_inertia.{category}", "-c", "import warnings; print(warnings.filters)")
    command, environment = [sys.executable, *options], os.environ | {"PYTHONPATH": ROOT}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert f"{category.rpartition('.')[2]}'>" in done.stdout and done.stderr == ""


@pytest.mark.parametrize(
    "error",
    [
        oi.errors.OptionError("strain", "x", "one of 'uniform'"),
        oi.errors.UnknownNameError("muscle", "solus", ["soleus"]),
        oi.errors.FileFormatError(Path("a.mot"), "is empty"),
        oi.errors.UnsupportedPathError("soleus", "its path", "cannot be led"),
        oi.errors.DivergenceError("runs away", 0.1, "knee"),
        oi.errors.OutputError("a.sto", "the disk is full"),
        oi.warnings.ShortBellyWarning("held"),
    ],
)
def test_errors_come_back_from_other_processes(error: Exception) -> None:
    """Pickled, with their message and what they carry."""
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error) and str(again) == str(error) != ""
    assert vars(again) == vars(error)


def test_values_that_cannot_be_sent_are_shown() -> None:
    error = oi.errors.OptionError("forces", [lambda: 0], "numbers")
    for made in (pickle.loads(pickle.dumps(error)), copy.deepcopy(error)):
        assert str(made) == str(error) and "<lambda>" in str(made) and made.option == "forces"
