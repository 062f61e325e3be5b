"""Make the documentation's site: README, guides, theory, notebooks with outputs, examples, commands, public names.

    python docs/site/build.py FOLDER

writes ``FOLDER/index.html``, which can be opened and searched from the disk. Warnings are errors, and so are public
names and options of commands that the search does not find, and pages that are more than two clicks from the first.
It needs the extra ``docs``: ``pip install "opensim_inertia[docs]"``. Notebooks that need PyTorch or Dask are executed
where these are installed.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import redirect_stdout, suppress
from importlib.util import find_spec
from operator import attrgetter
from pathlib import Path
from types import FunctionType
from unittest.mock import patch

from bs4 import BeautifulSoup
from sphinx.cmd.build import build_main

import opensim_inertia
from opensim_inertia.analyses import moment_arms
from opensim_inertia.cli import COMMANDS, texts
from opensim_inertia.cli import main as command_line

ROOT = Path(__file__).resolve().parents[2]

#: What the public names of a module are about: the title of their page, in the order of the reference.
TITLES = {
    "model": "Models with inertial muscles",
    "options": "Options of models and analyses",
    "masses": "Masses of muscles",
    "analyses.ranking": "Which muscles matter",
    "mass_points": "Where mass lies over a motion",
    "paths.kernel.evaluation": "Terms of the equations of motion",
    "analyses.inverse_dynamics": "Inverse dynamics",
    "analyses.moment_arms": "Moment arms in any coordinates of a rotation",
    "recruitment": "Muscle recruitment",
    "analyses.result": "Results of recorded motions",
    "forward_simulation": "Simulation",
    "dynamics.equations": "What is simulated",
    "integrators": "Integrators",
    "control": "Neural control",
    "gradients": "Gradients and optimisation",
    "stability": "Posture, linearization and stability",
    "plotting": "Pictures",
    "reports": "Reports",
    "studies": "Studies",
    "model.plugin.native": "The OpenSim plugin",
    "analyses.wrapping_report": "Paths over wrap objects",
    "length_polynomials": "Length polynomials",
    "checks": "Checks of models, motions and loads",
    "files": "Files",
    "datasets": "Public models and motions",
    "errors": "Errors",
    "warnings": "Warnings",
}

#: Further names on these pages: types of results, rare tools, and classes that docstrings refer to.
FURTHER = {
    "analyses.ranking": ["MuscleRanking"],
    "paths.kernel.evaluation": ["InertialTerms", "MassPointKinematics"],
    "analyses.inverse_dynamics": ["InverseDynamicsResult"],
    "analyses.result": ["Result"],
    "analyses.moment_arms": [
        "PathJacobians",
        "path_jacobians",
        *(f"rotations.{name}" for name in moment_arms.rotations.__all__ if name.islower()),
    ],
    "dynamics.equations": ["quaternions.free_joints"],
    "reports": ["Report"],
    "studies": ["StudyResult"],
    "model.plugin.native": ["native_available"],
    "checks": ["CheckResult", "Diagnostic", "Repair"],
}

#: The notebooks, in the order in which they are read.
NOTEBOOKS = ("first_steps", "lumped_against_inertial", "simulate", "gradients", "study")

#: Packages, and as what they are known, without which notebooks are shown as they are kept: without outputs.
NEEDS = {"gradients": ("PyTorch", "torch"), "study": ("Dask and PyArrow", "distributed", "pyarrow")}

#: Pictures of ``docs/images/`` that examples make, where they are not called as the example.
PICTURES = {
    "compare_lumped_and_inertial": "demo",
    "lumped_or_inertial_controls": "controls",
    "recruited_walking": "recruitment",
    "small_study": "study",
    "stability_of_a_leg": "stable_share",
    "what_decides_the_answer": "placements",
}

#: Pages that have other names on the site.
PLACES = {
    Path("README.md"): Path("index.md"),
    Path("examples/README.md"): Path("gallery.md"),
    Path("benchmarks/README.md"): Path("benchmarks.md"),
}

CONTENTS = """
```{toctree}
:hidden:
:caption: Learn

tutorial
@NOTEBOOKS@
gallery
```

```{toctree}
:hidden:
:caption: Use

guides/choosing
guides/checking
guides/inverse-dynamics
guides/masses-and-strain
guides/recruitment
guides/simulation
guides/gradients
guides/posture-and-stability
guides/neural-control
guides/studies
guides/reports
guides/opensim-tools
guides/paths-and-wraps
guides/matlab
guides/method-developers
```

```{toctree}
:hidden:
:caption: Look up

commands
reference
glossary
```

```{toctree}
:hidden:
:caption: Understand

theory/index
limits
comparison
rotations
atlas
placements
public_trials
length_polynomials
benchmarks
opensim-multi-wrap
opensim-joint-bias
```

```{toctree}
:hidden:
:caption: Take part

architecture
CONTRIBUTING
CHANGELOG
```
"""


def names_of_pages() -> dict[str, list[str]]:
    """Return the pages of the reference: names as users write them after the package's, by the modules that have them.

    Those of the package itself stand on the page of the module that defines them, beside those of the module.
    """
    aliases = {place: name for name, place in opensim_inertia.public_modules().items()}
    names: dict[str, list[str]] = {}
    for name, place in opensim_inertia.public_names().items():
        names.setdefault(aliases.get(place, place), []).append(name)
    for module in opensim_inertia.public_modules():
        further = (f"{module}.{name}" for name in getattr(opensim_inertia, module).__all__)
        shown = {id(attrgetter(name)(opensim_inertia)) for name in opensim_inertia.public_names()}
        names.setdefault(module, []).extend(name for name in further if _is_shown(name, shown))
    for module, more in FURTHER.items():
        names.setdefault(module, []).extend(f"{module}.{name}" for name in more)
    return {module: names[module] for module in sorted(names, key=[*TITLES].index)}


def _is_shown(name: str, shown: set[int]) -> bool:
    """Tell whether a name of a module has an entry: it is a class or a function, and not in the package itself."""
    value = attrgetter(name)(opensim_inertia)
    return isinstance(value, type | FunctionType) and id(value) not in shown


def _is_class(name: str) -> bool:
    return isinstance(attrgetter(name)(opensim_inertia), type)


def reference() -> dict[str, str]:
    """Return the pages of the reference, by name: one for each module that has public names, and a list of them."""
    pages = {}
    for module, names in names_of_pages().items():
        lines = [TITLES[module], "=" * len(TITLES[module]), ""]
        for name in sorted(names, key=_is_class):  # functions first
            if _is_class(name):
                lines += [f".. autoclass:: opensim_inertia.{name}", "   :members:", "   :show-inheritance:", ""]
            else:
                lines += [f".. autofunction:: opensim_inertia.{name}", ""]
        pages[f"reference-{module}.rst"] = "\n".join(lines)
    pages["reference.rst"] = listing("Python reference", "By subject; :ref:`genindex` has all names by letter.", pages)
    return pages


def listing(title: str, text: str, pages: Iterable[str]) -> str:
    """Return a page that lists others, given by their files."""
    entries = "\n".join(f"   {Path(page).stem}" for page in pages)
    return f"{title}\n{'=' * len(title)}\n\n{text}\n\n.. toctree::\n   :maxdepth: 1\n\n{entries}\n"


def help_of(name: str) -> str:
    """Return what a command prints for ``--help-all``, each option with its text on one line or on two."""
    with patch.dict(os.environ, {"COLUMNS": "100000"}), redirect_stdout(io.StringIO()) as text, suppress(SystemExit):
        command_line([name, "--help-all"])
    return text.getvalue()


def options_of(name: str) -> set[str]:
    """Return all options of a command, short and long, as ``--strain``."""
    return set(re.findall(r"(?<=[\[ ])--?[a-z][\w-]*", help_of(name).partition("\n")[0]))


def commands() -> dict[str, str]:
    """Return the pages of the command line, by name: one for each command, made of all its options, and their list."""
    pages = {f"command-{name}.rst": command_page(name) for name in COMMANDS}
    text = "``--help`` lists a command's options of everyday use, ``--help-all`` all; ``--version`` says the version."
    text += "".join(f"\n\n* :doc:`command-{name}`: {quoted(texts(each)[0])}" for name, each in COMMANDS.items())
    pages["commands.rst"] = listing("Command line", text, pages).replace(":maxdepth: 1", ":hidden:")
    return pages


def command_page(name: str) -> str:
    """Return the page of a command: usage, what it does, and an entry for each option, which the search knows."""
    blocks = help_of(name).strip().split("\n\n")
    title = f"opensim-inertia {name}"
    lines = [title, "=" * len(title), "", f".. program:: {title}", ""]
    for block in blocks[1:]:
        heading, _, rest = block.partition("\n")
        if not re.match(r"\S.*:\n +\S", block):
            lines += [quoted(block), ""]
            continue
        lines += [heading[:-1].capitalize(), "-" * len(heading), ""]
        if heading == "examples:":
            lines += [".. code-block:: none", "", rest, ""]
            continue
        for entry in re.split(r"\n(?=  \S)", rest):
            option, *text = re.split(r" {2,}|\n +", entry.strip(), maxsplit=1)
            lines += [f".. option:: {option}", "", *(f"   {quoted(' '.join(part.split()))}" for part in text), ""]
    return "\n".join(lines)


def quoted(text: str) -> str:
    """Return a text in which reStructuredText sees no marks, with options as code."""
    return re.sub(r"(?<![\w-])(--[a-z][\w-]*)", r"``\1``", re.sub(r"([\\*`|_])", r"\\\1", text))


def gallery() -> str:
    """Return the page of the examples: their list, and of each its docstring, with its picture where there is one."""
    lines = [page(Path("examples/README.md"))]
    for script in sorted((ROOT / "examples").glob("*.py")):
        text = ast.get_docstring(ast.parse(script.read_text(encoding="utf-8")))
        if text is None or script.stem in ("atlas_page", "common", "motions"):
            continue
        title = script.stem.replace("_", " ").capitalize()
        lines += [f"## {title}", "", "```{eval-rst}", *text.splitlines(), "```", ""]
        picture = Path("images") / f"{PICTURES.get(script.stem, script.stem)}.png"
        if (ROOT / "docs" / picture).exists():
            lines += [f"![{title}]({picture.as_posix()})", ""]
        lines += [f"[{script.name}](examples/{script.name})", ""]
    return "\n".join(lines)


def notebook_page(name: str) -> str:
    """Return a notebook with the links that the site has, to be executed."""
    notebook = json.loads((ROOT / "examples" / "notebooks" / f"{name}.ipynb").read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            text = re.sub(r"\]\((\w+)\.ipynb\)", r"](notebook-\1.ipynb)", text).replace("](../../docs/", "](")
        cell["source"] = text
    last = f"{{download}}`The notebook <examples/notebooks/{name}.ipynb>`, to run it."
    known_as, *packages = NEEDS.get(name, ("Sphinx", "sphinx"))
    if not all(map(find_spec, packages)):
        notebook["metadata"]["mystnb"] = {"execution_mode": "off"}
        last += f" It has no outputs here, for this site was made without {known_as}."
    notebook["cells"].append({"cell_type": "markdown", "id": "last", "metadata": {}, "source": last})
    return json.dumps(notebook)


def place(file: Path) -> Path:
    """Return where a file of the repository is on the site, where ``docs/`` is the root; both paths are relative."""
    if file in PLACES:
        return PLACES[file]
    if file.suffix == ".ipynb" and file.stem in NOTEBOOKS:
        return Path(f"notebook-{file.stem}.ipynb")
    return file.relative_to("docs") if file.is_relative_to("docs") else file


def page(file: Path) -> str:
    """Return a page of the repository, given from its root, with its links as the site has them."""

    def moved(link: re.Match[str]) -> str:
        there, hash_, heading = link[1].partition("#")
        if not there or ":" in there:
            return link[0]
        target = place(Path(os.path.normpath(file.parent / there)))
        return f"]({Path(os.path.relpath(target, place(file).parent)).as_posix()}{hash_}{heading})"

    return re.sub(r"\]\(([^)\s]+)\)", moved, (ROOT / file).read_text(encoding="utf-8"))


def sources(folder: Path) -> None:
    """Write what Sphinx reads."""
    for name in ("examples", "benchmarks", "docs/images"):
        shutil.copytree(ROOT / name, folder / Path(name).name)
    beside = [Path(__file__).with_name(name) for name in ("conf.py", "tables.js")]
    for file in [*(ROOT / "docs").glob("*.py"), *(ROOT / "docs").glob("*.csv"), ROOT / "CITATION.cff", *beside]:
        shutil.copy(file, folder)
    found = [*(ROOT / "docs").rglob("*.md"), *ROOT.glob("[CR]*.md"), ROOT / "benchmarks" / "README.md"]
    pages = {place(file).as_posix(): page(file) for file in (path.relative_to(ROOT) for path in found)}
    pages["index.md"] += CONTENTS.replace("@NOTEBOOKS@", "\n".join(f"notebook-{name}" for name in NOTEBOOKS))
    parts = re.findall(r"^\* \[[^]]+\]\(([\w-]+)\.md\)", pages["theory/index.md"], re.MULTILINE)
    pages["theory/index.md"] += "\n".join(["\n```{toctree}", ":hidden:", "", *parts, "```", ""])
    pages |= {"gallery.md": gallery(), **reference(), **commands()}
    pages |= {f"notebook-{name}.ipynb": notebook_page(name) for name in NOTEBOOKS}
    for name, text in pages.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def faults(site: Path) -> Iterator[str]:
    """Yield what a reader of the site would not find: public names, options of commands, pages."""
    index = (site / "searchindex.js").read_text(encoding="utf-8")
    objects = json.loads(index[len("Search.setIndex(") : -1])["objects"]
    known = {f"{place}.{entry[4]}".lstrip(".") for place, entries in objects.items() for entry in entries}
    for name in (name for names in names_of_pages().values() for name in names):
        if f"opensim_inertia.{name}" not in known:
            yield f"the search does not find {name}"
    for command in COMMANDS:
        for option in options_of(command) | {"--help"}:
            if f"opensim-inertia-{command}.{option}" not in known:
                yield f"the search does not find {option} of {command}"
    near = {"index.html"}
    for _ in range(2):
        near |= {target for page in near for target in targets(site, page)}
    for page in sorted(path.relative_to(site).as_posix() for path in site.rglob("*.html")):
        if page not in near and not page.startswith("_") and page != "search.html":
            yield f"{page} is more than two clicks away"


def targets(site: Path, page: str) -> Iterator[str]:
    """Yield the pages that a page of the site links to in its text, or in its contents without unfolding them."""
    soup = BeautifulSoup((site / page).read_text(encoding="utf-8"), "html.parser")
    for link in soup.select("article a[href], .toctree-l1 > a[href]"):
        there = str(link["href"]).partition("#")[0]
        if there.endswith(".html") and ":" not in there:
            target = os.path.normpath(Path(page).parent / there)
            if (site / target).exists():
                yield Path(target).as_posix()


def main() -> int:
    """Build the site; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="where the site goes")
    site = parser.parse_args().folder
    with tempfile.TemporaryDirectory() as scratch:
        sources(Path(scratch))
        code = build_main(["-q", "-W", "--keep-going", scratch, str(site)])
    if not code and (lacks := list(faults(site))):
        print("\n".join(lacks), file=sys.stderr)
        return 1
    return code


if __name__ == "__main__":
    sys.exit(main())
