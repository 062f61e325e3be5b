"""Make the documentation's site: README, guides, other pages, notebooks, a gallery of the examples, all public names.

    python docs/site/build.py FOLDER

writes ``FOLDER/index.html``, which can be opened and searched from the disk. Warnings are errors. It needs the extra
``docs``: ``pip install "opensim_inertia[docs]"``.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import shutil
import sys
import tempfile
from operator import attrgetter
from pathlib import Path
from types import FunctionType

from sphinx.cmd.build import build_main

import opensim_inertia
from opensim_inertia.analyses import moment_arms

ROOT = Path(__file__).resolve().parents[2]

#: What the public names of a module are about: the title of their page, in the order of the reference.
TITLES = {
    "model": "Models with inertial muscles",
    "options": "Options of models and analyses",
    "masses": "Masses of muscles",
    "analyses.ranking": "Which muscles matter",
    "mass_points": "Where mass lies over a motion",
    "paths.kernel": "Terms of the equations of motion",
    "analyses.inverse_dynamics": "Inverse dynamics",
    "analyses.moment_arms": "Moment arms in any coordinates of a rotation",
    "recruitment": "Muscle recruitment",
    "forward_simulation": "Simulation",
    "dynamics.equations": "What is simulated",
    "integrators": "Integrators",
    "control": "Neural control",
    "gradients": "Gradients and optimisation",
    "stability": "Posture, linearization and stability",
    "report": "Reports",
    "studies": "Studies",
    "model.plugin.self_test": "The OpenSim plugin",
    "analyses.wrapping_report": "Paths over wrap objects",
    "length_polynomials": "Length polynomials",
    "inspection": "Checks of models, motions and loads",
    "files": "Files",
    "datasets": "Public models and motions",
    "errors": "Errors",
    "warnings": "Warnings",
}

#: Further names on these pages: types of results, rare tools, and classes that docstrings refer to.
FURTHER = {
    "analyses.ranking": ["MuscleRanking"],
    "paths.kernel": ["InertialTerms", "MassPointKinematics"],
    "analyses.inverse_dynamics": ["InverseDynamicsResult", "Uncertainty"],
    "analyses.moment_arms": [
        "PathJacobians",
        "path_jacobians",
        *(f"rotations.{name}" for name in moment_arms.rotations.__all__ if name.islower()),
    ],
    "dynamics.equations": ["quaternions.free_joints"],
    "report": ["Report"],
    "studies": ["StudyResult"],
    "model.plugin.self_test": ["native_available"],
    "analyses.wrapping_report": ["plot_touch"],
    "inspection": ["CheckResult", "Finding", "Repair"],
}

#: The notebooks, in the order in which they are read.
NOTEBOOKS = ("first_steps", "lumped_against_inertial", "simulate", "gradients", "study")

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
reference
```

```{toctree}
:hidden:
:caption: Understand

theory
glossary
limits
rotations
placements
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


def reference() -> dict[str, str]:
    """Return the pages of the reference, by name: one for each module that has public names, and a list of them."""
    pages = {}
    for module, names in names_of_pages().items():
        lines = [TITLES[module], "=" * len(TITLES[module]), ""]
        for name in names:
            if isinstance(attrgetter(name)(opensim_inertia), type):
                lines += [f".. autoclass:: opensim_inertia.{name}", "   :members:", "   :show-inheritance:", ""]
            else:
                lines += [f".. autofunction:: opensim_inertia.{name}", ""]
        pages[f"reference-{module}.rst"] = "\n".join(lines)
    entries = "\n".join(f"   {Path(page).stem}" for page in pages)
    pages["reference.rst"] = f"Reference\n=========\n\n.. toctree::\n   :maxdepth: 1\n\n{entries}\n"
    return pages


def gallery() -> str:
    """Return the page of the examples: their list, and of each its docstring, with its picture where there is one."""
    lines = [page(Path("examples/README.md"))]
    for script in sorted((ROOT / "examples").glob("*.py")):
        text = ast.get_docstring(ast.parse(script.read_text(encoding="utf-8")))
        if text is None or script.stem in ("common", "motions"):
            continue
        title = script.stem.replace("_", " ").capitalize()
        lines += [f"## {title}", "", "```{eval-rst}", *text.splitlines(), "```", ""]
        picture = Path("images") / f"{PICTURES.get(script.stem, script.stem)}.png"
        if (ROOT / "docs" / picture).exists():
            lines += [f"![{title}]({picture.as_posix()})", ""]
        lines += [f"[{script.name}](examples/{script.name})", ""]
    return "\n".join(lines)


def cells(name: str) -> list[tuple[str, str]]:
    """Return the cells of a notebook: kind ("markdown" or "code") and text."""
    notebook = json.loads((ROOT / "examples" / "notebooks" / f"{name}.ipynb").read_text(encoding="utf-8"))
    return [(cell["cell_type"], "".join(cell["source"])) for cell in notebook["cells"]]


def notebook_page(name: str) -> str:
    """Return a notebook as a page, without outputs."""
    parts = []
    for kind, text in cells(name):
        if kind == "code":
            text = f"```python\n{text}\n```".replace("%matplotlib inline\n", "")
        parts.append(re.sub(r"\]\((\w+)\.ipynb\)", r"](notebook-\1.md)", text).replace("](../../docs/", "]("))
    return "\n\n".join([*parts, f"[The notebook](examples/notebooks/{name}.ipynb), to run it.", ""])


def place(file: Path) -> Path:
    """Return where a file of the repository is on the site, where ``docs/`` is the root; both paths are relative."""
    if file in PLACES:
        return PLACES[file]
    if file.suffix == ".ipynb" and file.stem in NOTEBOOKS:
        return Path(f"notebook-{file.stem}.md")
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
    for file in [*(ROOT / "docs").glob("*.py"), ROOT / "CITATION.cff", Path(__file__).with_name("conf.py")]:
        shutil.copy(file, folder)
    found = [*(ROOT / "docs").rglob("*.md"), *ROOT.glob("[CR]*.md"), ROOT / "benchmarks" / "README.md"]
    pages = {place(file).as_posix(): page(file) for file in (path.relative_to(ROOT) for path in found)}
    pages["index.md"] += CONTENTS.replace("@NOTEBOOKS@", "\n".join(f"notebook-{name}" for name in NOTEBOOKS))
    pages |= {"gallery.md": gallery(), **reference()}
    pages |= {f"notebook-{name}.md": notebook_page(name) for name in NOTEBOOKS}
    for name, text in pages.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def missing(site: Path) -> list[str]:
    """Return the public names that no page of the reference has."""
    text = "".join(file.read_text(encoding="utf-8") for file in site.glob("reference-*.html"))
    names = (name for names in names_of_pages().values() for name in names)
    return [name for name in names if f'id="opensim_inertia.{name}"' not in text]


def main() -> int:
    """Build the site; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="where the site goes")
    site = parser.parse_args().folder
    with tempfile.TemporaryDirectory() as scratch:
        sources(Path(scratch))
        code = build_main(["-q", "-W", "--keep-going", scratch, str(site)])
    if not code and (absent := missing(site)):
        print("not on the site: " + ", ".join(absent), file=sys.stderr)
        return 1
    return code


if __name__ == "__main__":
    sys.exit(main())
