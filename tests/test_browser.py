"""Every page in headless Chromium: own origin only, no error, math and figures drawn, light."""

import os
import shutil
import sys
import threading
from pathlib import Path
from urllib.parse import urljoin

import pytest
from build import PAGES, build
from chapters import ROOT
from playwright.sync_api import Error as BrowserError
from playwright.sync_api import sync_playwright

sys.path.insert(0, str(ROOT / "tools"))
from serve import server

# Bytes of one page and everything that it loads, nothing cached.
MAX_PAGE, MAX_FIGURES = 3_200_000, 500_000


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    return build(tmp_path_factory.mktemp("site"))


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
