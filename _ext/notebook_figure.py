"""The directive `notebook-figure`: show a picture from a notebook's outputs on another page.

    :::{notebook-figure} article/log1pexp.ipynb signature-figure

    The caption.
    :::

The first argument is the notebook, relative to the page; the second a tag of one of its cells.
The picture's alt text comes with it. (myst-nb's glue does this within one page only.)
"""

import base64
import os
from pathlib import Path

import nbformat
from docutils.parsers.rst.directives.images import Figure


class NotebookFigure(Figure):
    required_arguments = 2
    optional_arguments = 0

    def run(self):
        env = self.state.document.settings.env
        notebook, tag = self.arguments
        relative, path = env.relfn2path(notebook)
        env.note_dependency(relative)
        try:
            cells = nbformat.read(path, as_version=4).cells
        except FileNotFoundError:
            raise self.error(f"notebook-figure: there is no {notebook}") from None
        cells = [cell for cell in cells if tag in cell.metadata.get("tags", [])]
        pictures = [
            (output.data["image/png"], cell.metadata["mystnb"]["image"]["alt"])
            for cell in cells
            for output in cell.get("outputs", [])
            if "image/png" in output.get("data", {})
        ]
        if len(pictures) != 1:
            raise self.error(
                f"notebook-figure: {notebook} has {len(pictures)} pictures tagged {tag}, not one"
            )
        encoded, self.options["alt"] = pictures[0]
        # Beside the pictures that myst-nb takes out of the notebooks.
        file = Path(env.app.outdir).parent / "jupyter_execute" / f"{tag}.png"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(base64.b64decode(encoded))
        self.arguments = [
            Path(
                os.path.relpath(file, Path(env.doc2path(env.docname)).parent)
            ).as_posix()
        ]
        return super().run()


def setup(app):
    app.add_directive("notebook-figure", NotebookFigure)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
