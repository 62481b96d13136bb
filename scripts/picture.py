"""Makes Docs/report.png, the picture in README.md: the top of a run's report.html in headless Chromium.

    make bench && python3 scripts/picture.py Reports/runs/<time>
"""

import base64
import pathlib
import sys

PROJECT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT / "Tests" / "browser"))

from chromium import Page  # noqa: E402

WIDTH, HEIGHT = 1200, 760


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    report = pathlib.Path(sys.argv[1]).resolve() / "report.html"
    if not report.is_file():
        sys.exit(f"Report not found: {report}. Run 'make bench' first, and name its folder.")
    page = Page(width=WIDTH, height=HEIGHT)
    try:
        page.open(report.as_uri())
        picture = PROJECT / "Docs" / "report.png"
        picture.write_bytes(base64.b64decode(page.call("Page.captureScreenshot", format="png")["data"]))
        print(f"{picture}: {picture.stat().st_size} bytes")
    finally:
        page.close()


main()
