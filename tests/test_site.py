"""The built site, as files: no warning, no dead link, nothing from another site, right buttons."""

import re
import sys
import tomllib
from functools import cache
from types import SimpleNamespace
from urllib.parse import unquote, urldefrag, urlsplit

import pytest
from bs4 import BeautifulSoup
from build import PAGES, build
from chapters import ROOT
from sphinx.errors import ConfigError

sys.path.insert(0, str(ROOT / "_ext"))
from fork_buttons import add_buttons


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    return build(tmp_path_factory.mktemp("site"))


@pytest.fixture(scope="module")
def fork(tmp_path_factory):
    return build(tmp_path_factory.mktemp("fork"), "someone/their-fork")


@cache
def soup(path):
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")


def dead_links(site):
    """Return the internal links and anchors of all pages that lead nowhere."""
    pages = {
        path: soup(path) for path in site.rglob("*.html") if "_static" not in path.parts
    }
    anchors = {p: {t["id"] for t in s.find_all(id=True)} for p, s in pages.items()}
    dead = []
    for page, content in pages.items():
        for link in content.find_all(["a", "link", "img", "script"]):
            target, anchor = urldefrag(link.get("href") or link.get("src") or "")
            if urlsplit(target).scheme or target.startswith("//"):
                continue
            file = (
                (page.parent / unquote(target.split("?")[0])).resolve()
                if target
                else page
            )
            file = file / "index.html" if file.is_dir() else file
            # The theme fills in "#" links by script.
            missing = (
                anchor and file in anchors and unquote(anchor) not in anchors[file]
            )
            if not file.is_file() or missing:
                dead.append(f"{page.relative_to(site)}: {target}#{anchor}")
    return dead


def foreign_resources(site):
    """Return what the pages and style sheets would load from another site."""
    found = []
    for page in site.rglob("*.html"):
        for tag in soup(page).find_all(["script", "img", "iframe", "link", "source"]):
            loads = tag.name != "link" or set(tag.get("rel", [])) & {
                *("stylesheet", "icon", "preload", "modulepreload", "prefetch"),
            }
            address = tag.get("src") or tag.get("href") or ""
            if loads and re.match(r"(https?:)?//", address):
                found.append(f"{page.relative_to(site)}: {address}")
    for sheet in site.rglob("*.css"):
        text = sheet.read_text(encoding="utf-8", errors="replace")
        for address in re.findall(
            r"(?:url\(|@import)\s*['\"]?((?:https?:)?//[^'\")]+)", text
        ):
            found.append(f"{sheet.relative_to(site)}: {address}")
    return found


def test_links_lead_somewhere(site):
    assert dead_links(site) == []


def test_nothing_is_loaded_from_another_site(site):
    assert foreign_resources(site) == []


def test_every_output_picture_has_alt_text(site):
    for page in PAGES:
        for img in soup(site / page).select("article img"):
            assert len(img.get("alt", "")) >= 30, f"{page}: {img}"


def test_the_licence_is_on_every_page(site):
    for page in PAGES:
        assert soup(site / page).select('footer a[rel="license"]'), page


def test_without_an_address_no_button(site):
    for page in PAGES:
        links = " ".join(a["href"] for a in soup(site / page).find_all("a", href=True))
        assert "github.com" not in links and "colab" not in links, page


def test_with_an_address_the_buttons_lead_to_the_fork(fork):
    page = "book/article/tape"
    links = {a["href"] for a in soup(fork / f"{page}.html").find_all("a", href=True)}
    home = "https://github.com/someone/their-fork"
    colab = "https://colab.research.google.com/github/someone/their-fork/blob/main"
    assert home in links
    assert f"{home}/edit/main/{page}.ipynb" in links
    assert f"{colab}/{page}.ipynb" in links
    assert any(link.startswith(f"{home}/issues/new") for link in links)


def test_a_malformed_address_is_refused(monkeypatch):
    monkeypatch.setenv("GITHUB_REPOSITORY", "nonsense")
    with pytest.raises(ConfigError, match="owner/name, not as 'nonsense'"):
        add_buttons(None, SimpleNamespace(html_theme_options={}))


@pytest.mark.parametrize(
    ("planted", "find"),
    [
        ('<a href="nowhere.html">x</a>', dead_links),
        ('<a href="#no-such-section">x</a>', dead_links),
        ('<img src="missing.png">', dead_links),
        ('<script src="https://example.org/a.js"></script>', foreign_resources),
        ('<link rel="stylesheet" href="//example.org/a.css">', foreign_resources),
    ],
)
def test_each_guard_sees_its_fault(tmp_path, planted, find):
    page = tmp_path / "index.html"
    page.write_text(f"<html><body>{planted}</body></html>", encoding="utf-8")
    assert len(find(tmp_path)) == 1


PROBLEMS = tomllib.loads((ROOT / "tests" / "reader_problems.toml").read_text())


@pytest.mark.parametrize("problem", PROBLEMS)
def test_the_answer_to_a_public_problem_is_where_the_map_says(site, problem):
    page, anchor = PROBLEMS[problem].split("#")
    section = soup(site / "book" / f"{page}.html").find(id=anchor)
    assert section, f"{problem}: {page} has no section {anchor}"
    assert section.select(".cell_output"), (
        f"{problem}: no executed cell in {page}#{anchor}"
    )


def test_the_ids_of_public_problems_are_not_in_the_book(site):
    for page in PAGES:
        text = soup(site / page).find("article").get_text()
        assert not [
            problem for problem in PROBLEMS if re.search(rf"\b{problem}\b", text)
        ]
