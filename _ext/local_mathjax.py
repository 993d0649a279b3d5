"""Serve MathJax from the site itself, with only the parts that the pages load.

The files come from the package sphinx-mathjax-offline. As an extension it would copy all 24 MB
and load the bundle with menu and speech, 0.4 MB more on each page.
"""

import importlib.util
from pathlib import Path

from sphinx.util.fileutil import copy_asset

PARTS = ["startup.js", "core.js", "input/tex.js", "input/tex/extensions"]
PARTS += ["output/chtml.js", "output/chtml/fonts"]


def copy_parts(app, error):
    if error or app.builder.format != "html":
        return
    package = importlib.util.find_spec(
        "sphinx-mathjax-offline"
    ).submodule_search_locations[0]
    source = Path(package) / "static" / "mathjax"
    target = Path(app.outdir) / "mathjax"
    for part in PARTS:
        to = target / part
        copy_asset(source / part, to if (source / part).is_dir() else to.parent)


def setup(app):
    app.config.mathjax_path = "../mathjax/startup.js"
    app.config.mathjax3_config = {
        "loader": {"load": ["core", "input/tex", "output/chtml"]},
        "options": {"enableMenu": False},
    }
    app.connect("build-finished", copy_parts)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
