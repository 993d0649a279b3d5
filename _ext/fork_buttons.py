"""Point the repository, edit, issue and Colab buttons at the fork that builds the book."""

import os
import re

from sphinx.errors import ConfigError


def add_buttons(app, config):
    """Read owner/name from GITHUB_REPOSITORY, which GitHub Actions and the Makefile set.

    Without it the pages have none of these buttons: none is better than a dead one.
    """
    repository = os.environ.get("GITHUB_REPOSITORY", "")
    if not repository:
        return
    if not re.fullmatch(r"[\w.-]+/[\w.-]+", repository):
        raise ConfigError(
            f"the repository must be given as owner/name, not as {repository!r}"
        )
    server = os.environ.get("GITHUB_SERVER_URL", "https://github.com")
    options = config.html_theme_options
    options["repository_url"] = f"{server}/{repository}"
    options["repository_branch"] = "main"
    options["path_to_docs"] = ""
    options |= {
        "use_repository_button": True,
        "use_edit_page_button": True,
        "use_issues_button": True,
    }
    options.setdefault("launch_buttons", {})["colab_url"] = (
        "https://colab.research.google.com"
    )


def setup(app):
    app.connect("config-inited", add_buttons)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
