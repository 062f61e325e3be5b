"""Settings of Sphinx for the documentation's site, which ``build.py`` beside this file makes."""

from sphinx.application import Sphinx

import opensim_inertia

project = "opensim_inertia"
author = "The opensim_inertia contributors"
version = release = opensim_inertia.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["examples", "benchmarks"]
html_theme = "furo"
html_title = f"opensim_inertia {version}"
html_show_sourcelink = False
myst_heading_anchors = 4
autodoc_typehints = "signature"
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True
napoleon_use_ivar = True
toc_object_entries_show_parents = "hide"


def escape_bars(*arguments: object) -> None:
    """Keep docutils from taking |a|, an absolute value, for the name of a substitution."""
    lines = arguments[-1]
    assert isinstance(lines, list)
    for i, line in enumerate(lines):
        parts = line.split("``")
        lines[i] = "``".join(part if k % 2 else part.replace("|", r"\|") for k, part in enumerate(parts))


def setup(app: Sphinx) -> None:
    """Register what this file adds to Sphinx."""
    app.connect("autodoc-process-docstring", escape_bars)
