"""The built site: no warning, dead link or foreign request; pages that work in a browser."""

import os
import re
import shutil
import subprocess
import sys
import threading
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

import pytest
from bs4 import BeautifulSoup
from chapters import NOTEBOOKS, ROOT, name
from playwright.sync_api import Error as BrowserError
from playwright.sync_api import sync_playwright

sys.path.insert(0, str(ROOT / "tools"))
from serve import server

JUPYTER_BOOK = shutil.which("jupyter-book", path=Path(sys.executable).parent)
PAGES = ["book/index.html", *(f"book/{name(p)}.html" for p in NOTEBOOKS)]
# Bytes of one page and everything that it loads, nothing cached.
MAX_PAGE, MAX_FIGURES = 3_200_000, 500_000


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


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    return build(tmp_path_factory.mktemp("site"))


@pytest.fixture(scope="module")
def fork(tmp_path_factory):
    return build(tmp_path_factory.mktemp("fork"), "someone/their-fork")


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


def test_a_malformed_address_is_refused(tmp_path):
    with pytest.raises(AssertionError, match="owner/name, not as 'nonsense'"):
        build(tmp_path, "nonsense")


@pytest.fixture(scope="module")
def address(site):
    httpd = server(site)
    threading.Thread(target=httpd.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{httpd.server_port}/"
    httpd.shutdown()


@pytest.fixture(scope="module")
def browser():
    found = [shutil.which(n) for n in ("chromium", "chromium-browser", "google-chrome")]
    launches = [{"executable_path": path} for path in found if path]
    launches += [{"channel": "chrome"}, {"channel": "msedge"}]
    with sync_playwright() as playwright:
        for launch in launches:
            try:
                started = playwright.chromium.launch(
                    args=[
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-background-networking",
                    ],
                    **launch,
                )
            except BrowserError:
                continue
            yield started
            started.close()
            return
        if os.environ.get("CI"):
            pytest.fail("CI needs a browser: install Debian's package chromium")
        pytest.skip(
            "no Chromium, Chrome or Edge here: the pages were not opened in a browser"
        )


class Visit:
    """A page opened in the browser with nothing cached, and what happened meanwhile."""

    def __init__(self, browser, url, **options):
        self.context = browser.new_context(**options)
        self.page = self.context.new_page()
        self.requests, self.failures, self.sizes = [], [], {}
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("requestfailed", lambda request: self.failures.append(request.url))
        self.page.on("response", self.record)
        self.page.on("pageerror", lambda error: self.failures.append(str(error)))
        self.page.on(
            "console",
            lambda message: (
                self.failures.append(message.text) if message.type == "error" else None
            ),
        )
        self.page.goto(url, wait_until="networkidle")
        # Pictures below the fold may load lazily.
        self.page.evaluate("window.scrollTo(0, document.body.scrollHeight)")
        self.page.wait_for_load_state("networkidle")
        self.page.wait_for_function(
            "!window.MathJax?.startup || MathJax.startup.promise"
        )

    def record(self, response):
        if response.status >= 400:
            self.failures.append(f"{response.status} {response.url}")
        elif response.status == 200:
            self.sizes[response.url] = len(response.body())

    def count(self, script):
        return self.page.evaluate(script)


@pytest.mark.parametrize("page", [*PAGES, "search.html", "genindex.html"])
def test_page_in_the_browser(browser, address, page):
    visit = Visit(browser, urljoin(address, page))
    foreign = [url for url in visit.requests if not url.startswith((address, "data:"))]
    assert foreign == []
    assert visit.failures == []
    formulas = visit.count("document.querySelectorAll('.math').length")
    typeset = visit.count("document.querySelectorAll('.math mjx-container').length")
    errors = visit.count(
        "document.querySelectorAll('mjx-merror, [data-mjx-error]').length"
    )
    assert (typeset, errors) == (formulas, 0)
    pictures = "[...document.querySelectorAll('article img')]"
    assert visit.count(f"{pictures}.every(i => i.complete && i.naturalWidth > 0)")
    boxes = "[...document.querySelectorAll('.search-button-field')]"
    assert visit.count(f"{boxes}.filter(e => e.offsetParent).length") == 1
    images = sum(n for url, n in visit.sizes.items() if "/_images/" in url)
    assert sum(visit.sizes.values()) <= MAX_PAGE, visit.sizes
    assert images <= MAX_FIGURES, visit.sizes
    visit.context.close()


@pytest.mark.parametrize("page", PAGES)
def test_page_fits_a_phone(browser, address, page):
    visit = Visit(
        browser,
        urljoin(address, page),
        viewport={"width": 390, "height": 844},
    )
    assert visit.count("document.documentElement.scrollWidth") <= 390
    visit.context.close()


def test_the_search_finds_a_page(browser, address):
    visit = Visit(browser, urljoin(address, "search.html?q=upstream"))
    visit.page.wait_for_selector("#search-results li", timeout=10_000)
    visit.context.close()


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
def test_each_guard_sees_its_fault(site, tmp_path, planted, find):
    page = tmp_path / "index.html"
    page.write_text(f"<html><body>{planted}</body></html>", encoding="utf-8")
    assert len(find(tmp_path)) == 1


@pytest.mark.parametrize(
    ("planted", "seen"),
    [
        ("<script>console.error('planted')</script>", "planted"),
        ("<script>undefinedFunction()</script>", "undefinedFunction"),
        ("<img src='missing.png'>", "404"),
    ],
)
def test_the_browser_sees_each_fault(browser, site, address, planted, seen):
    page = Path(site) / "planted.html"
    page.write_text(f"<html><body>{planted}</body></html>", encoding="utf-8")
    visit = Visit(browser, urljoin(address, page.name))
    page.unlink()
    assert any(seen in failure for failure in visit.failures)
    visit.context.close()
