"""Draw the picture of the book that the README shows: one chapter on a laptop and a phone."""

import io
import shutil
import sys
from pathlib import Path

import matplotlib.image as mpimg
import numpy as np
from playwright.sync_api import Error, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "_build" / "html" / "book" / "article" / "log1pexp.html"
HEIGHT = 800
VIEWS = [(1180, "light"), (390, "dark")]


def main():
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if not browser or not PAGE.is_file():
        sys.exit("picture: needs Chromium or Chrome, and a book built by make book")
    shots = []
    with sync_playwright() as playwright:
        try:
            chromium = playwright.chromium.launch(
                executable_path=browser, args=["--no-sandbox"]
            )
        except Error as error:
            sys.exit(
                f"picture: {browser} does not start: {error.message.splitlines()[0]}"
            )
        for width, scheme in VIEWS:
            page = chromium.new_page(
                viewport={"width": width, "height": HEIGHT}, color_scheme=scheme
            )
            page.goto(PAGE.as_uri())
            page.wait_for_load_state("networkidle")
            page.locator("article img").nth(1).scroll_into_view_if_needed()
            page.wait_for_timeout(500)
            shots.append(
                mpimg.imread(io.BytesIO(page.screenshot()), format="png")[..., :3]
            )
    gap = np.ones((HEIGHT, 24, 3), shots[0].dtype)
    mpimg.imsave(ROOT / "_static" / "book.png", np.hstack([shots[0], gap, shots[1]]))


if __name__ == "__main__":
    main()
