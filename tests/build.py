"""Build the book as `make book` does, from clean and into a folder of the test's own."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import yaml
from chapters import ROOT

JUPYTER_BOOK = shutil.which("jupyter-book", path=Path(sys.executable).parent)
TOC = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
FILES = [TOC["root"], *(c["file"] for part in TOC["parts"] for c in part["chapters"])]
PAGES = [f"{file}.html" for file in FILES]


def build(folder, repository=""):
    """Build the book from clean into `folder` as `make book` does; return the HTML folder."""
    done = subprocess.run(
        [
            *(JUPYTER_BOOK, "build", "-W", "-n"),
            *("--keep-going", "-q", "--path-output", str(folder), str(ROOT)),
        ],
        env=os.environ | {"GITHUB_REPOSITORY": repository},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    site = folder / "_build" / "html"
    for page in PAGES:
        assert (site / page).is_file(), f"{page} was not built"
    return site
