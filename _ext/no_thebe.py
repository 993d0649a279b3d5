"""Leave Thebe out of the pages: no cell is live, and its scripts name another site.

Jupyter Book 1 loads sphinx-thebe for every book. Its inline script also comes twice, which
browsers report as an error on each page.
"""

from docutils import nodes


def drop_scripts(app, pagename, templatename, context, doctree):
    def is_thebe(file):
        return "thebe" in str(file.filename) + str(file.attributes.get("body"))

    for kind in ("script_files", "css_files"):
        context[kind] = [file for file in context[kind] if not is_thebe(file)]


def drop_settings(app, doctree, docname):
    for node in list(doctree.findall(nodes.raw)):
        if "x-thebe-config" in node.astext():
            node.parent.remove(node)


def setup(app):
    app.connect("html-page-context", drop_scripts, priority=900)
    app.connect("doctree-resolved", drop_settings, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
