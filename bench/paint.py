"""What a first visit costs: python -m bench.paint [--also FOLDER]

A real browser with an empty cache opens the front page, a club, a running event, its bracket and a board, on a
phone whose processor is slowed down four times. Printed are requests, bytes of bodies on the wire by kind and of
heads apart (which depend on the protocol, here HTTP/1.1, and not on the page), when something is
first painted and when the largest part is, and how much the page moves while it comes (layout shift). With --also
the pages of another checkout, on a demo club of its own, are measured beside them, in turns.
"""

from __future__ import annotations

import argparse
import contextlib
import statistics
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench import installations
from tests.browser import conftest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

SLOWER = 4
PHONE: dict[str, Any] = {"viewport": {"width": 375, "height": 812}, "device_scale_factor": 2}
WHICH = """
from django.db.models import Count
from tournaments.models import Tournament
running = Tournament.objects.filter(status="RUNNING", stages__isnull=False)
event = running.annotate(n=Count("entries")).order_by("-n").first()
print("FOUND", event.key, event.club.slug)
"""
WATCH = """window.shift = 0; window.largest = 0;
new PerformanceObserver(list => list.getEntries().forEach(each => { window.shift += each.value; }))
  .observe({type: "layout-shift", buffered: true});
new PerformanceObserver(list => list.getEntries().forEach(each => { window.largest = each.startTime; }))
  .observe({type: "largest-contentful-paint", buffered: true});"""
PAINTED = """() => new Promise(done => {
  const seen = performance.getEntriesByName("first-contentful-paint")[0];
  if (seen) { done(seen.startTime); return; }
  new PerformanceObserver(list => list.getEntriesByName("first-contentful-paint").forEach(each => done(each.startTime)))
    .observe({type: "paint", buffered: true});
})"""
SHOWN = ("document", "stylesheet", "script", "font", "image", "other", "heads")


def main() -> None:
    """Open each page some times, and print medians."""
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--also", type=Path, metavar="FOLDER")
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    folders = [*([args.also] if args.also else []), installations.ROOT]
    with contextlib.ExitStack() as stack:
        sites = [stack.enter_context(site(folder)) for folder in folders]
        driver = stack.enter_context(sync_playwright())
        browser = driver.chromium.launch(executable_path=conftest.CHROMIUM, args=conftest.ARGUMENTS)
        print(
            f"{'':28}{'requests':>9}{'bytes':>9}{'painted':>9}{'largest':>9}{'shift':>8}  " + " ".join(SHOWN)
        )
        for name in sites[0][1]:
            visits: list[list[dict[str, Any]]] = [[] for _ in sites]
            for _ in range(args.rounds):
                for found, (url, pages) in zip(visits, sites, strict=True):
                    found.append(visit(browser, url + pages[name]))
            for folder, found in zip(folders, visits, strict=True):
                show(f"{name}, {folder.name}" if args.also else name, found)
        browser.close()


@contextlib.contextmanager
def site(folder: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """Start a checkout on a demo club of its own; give its address and the pages to look at."""
    embedded = {"DATABASE_URL": "", "REDIS_URL": "", "PYTHONPATH": str(folder)}
    with (
        installations.with_demo(embedded, folder) as env,
        installations.running(installations.EMBEDDED, env, folder) as url,
    ):
        event, club = which(folder, env)
        pages = {
            "front page": "/",
            "club": f"/clubs/{club}/",
            "event": f"/events/{event}/",
            "bracket": f"/events/{event}/bracket/",
            "lobby": "/play/",
        }
        yield url.replace("127.0.0.1", "localhost"), pages


def which(folder: Path, env: dict[str, str]) -> list[str]:
    """Return the largest running event and its club."""
    command = [sys.executable, "manage.py", "shell", "-v", "0", "-c", WHICH]
    told = subprocess.run(command, cwd=folder, env=env, check=True, capture_output=True, text=True).stdout
    return next(line for line in told.splitlines() if line.startswith("FOUND ")).split()[1:]


def visit(browser: Browser, address: str) -> dict[str, Any]:
    """Open a page as one who has never been here."""
    context = browser.new_context(**PHONE)
    page = context.new_page()
    page.add_init_script(WATCH)
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    kinds: dict[str, str] = {}
    heads: dict[str, int] = {}
    sizes: Counter[str] = Counter()
    asked: Counter[str] = Counter()

    def load(told: dict[str, Any]) -> None:
        kind = kinds.get(told["requestId"], "other")
        kind = kind if kind in SHOWN else "other"
        head = heads.get(told["requestId"], 0)
        asked[kind] += 1
        sizes[kind] += int(told["encodedDataLength"]) - head
        sizes["heads"] += head

    session.on(
        "Network.requestWillBeSent",
        lambda told: kinds.update({told["requestId"]: told.get("type", "").lower()}),
    )
    session.on(
        "Network.responseReceivedExtraInfo",
        lambda told: heads.update({told["requestId"]: len(told.get("headersText", ""))}),
    )
    session.on("Network.loadingFinished", load)
    page.goto(address, wait_until="load")
    painted = page.evaluate(PAINTED)
    page.wait_for_timeout(1_000)  # what is fetched after the page is there, and what it moves
    found = {
        "requests": asked.total(),
        "bytes": sizes.total() - sizes["heads"],
        "painted": painted,
        "largest": page.evaluate("largest"),
        "shift": page.evaluate("shift"),
        "kinds": dict(sizes),
    }
    context.close()
    return found


def show(name: str, found: list[dict[str, Any]]) -> None:
    """Print a line of figures."""
    middle = {
        what: statistics.median(one[what] for one in found)
        for what in ("requests", "bytes", "painted", "largest", "shift")
    }
    kinds = " ".join(f"{found[-1]['kinds'].get(kind, 0):,}" for kind in SHOWN)
    print(
        f"{name:28}{middle['requests']:>9.0f}{middle['bytes']:>9,.0f}{middle['painted']:>9.0f}"
        f"{middle['largest']:>9.0f}{middle['shift']:>8.3f}  {kinds}"
    )


if __name__ == "__main__":
    main()
