"""Settings of Sphinx for the documentation's site, which ``build.py`` beside this file makes."""

import re
from importlib.metadata import distribution

from docutils import nodes
from sphinx.addnodes import desc_signature, pending_xref
from sphinx.application import Sphinx

import opensim_inertia

project = "opensim_inertia"
author = "The opensim_inertia contributors"
copyright = f"2026, {author}"
version = release = opensim_inertia.__version__
extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.mathjax", "sphinx.ext.napoleon"]
exclude_patterns = ["examples", "benchmarks"]
html_theme = "furo"
html_title = f"opensim_inertia {version.partition('+')[0]}"  # on one line of the sidebar
html_show_sourcelink = False
smartquotes = False  # they would make one dash of the two of an option
myst_heading_anchors = 4
myst_enable_extensions = ["dollarmath"]
myst_fence_as_directive = ["math"]  # as GitHub writes displayed equations
#: MathJax in one file, with its glyphs, so that equations are typeset offline and from the disk.
mathjax_path = "tex-svg.js"
mathjax = f"sphinx-mathjax-offline/static/mathjax/{mathjax_path}"
html_static_path = [str(distribution("sphinx-mathjax-offline").locate_file(mathjax)), "tables.js"]
html_js_files = ["tables.js"]  # a field above long tables that searches their rows
nb_execution_mode = "force"
nb_execution_in_temp = True
nb_execution_raise_on_error = True
nb_execution_timeout = 300
autodoc_type_aliases = {"ArrayLike": "ArrayLike"}
autodoc_typehints = "signature"
napoleon_attr_annotations = False  # docstrings name units and shapes, and annotations may be of type checking only
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


def readable_defaults(*arguments: object) -> tuple[object, object]:
    """Return signature and result of an object whose defaults are written as in Python, not as they are printed."""
    signature, returns = arguments[-2:]
    if isinstance(signature, str):
        signature = signature.replace("<factory>", "...")
        signature = re.sub(r"<class '(?:\w+\.)*(\w+)'>|TypeAliasForwardRef\('(\w+)'\)", r"\1\2", signature)
    return signature, returns


def short_arrays(_: Sphinx, domain: str, kind: str, content: nodes.Element) -> None:
    """Say ``ndarray`` for all types of arrays, of which shape, unit and frame are in the docstrings."""
    signatures = content.parent.findall(desc_signature) if domain == "py" and content.parent else ()
    for signature in signatures:
        for array in [node for node in signature.findall(pending_xref) if node["reftarget"] == "numpy.ndarray"]:
            after = array.parent[array.parent.index(array) + 1 :]
            depth = 0
            for node in after if after and after[0].astext() == "[" else []:
                depth += {"[": 1, "]": -1}.get(node.astext(), 0)
                array.parent.remove(node)
                if not depth:
                    break


def setup(app: Sphinx) -> None:
    """Register what this file adds to Sphinx."""
    app.connect("autodoc-process-docstring", escape_bars)
    app.connect("autodoc-process-signature", readable_defaults)
    app.connect("object-description-transform", short_arrays)
