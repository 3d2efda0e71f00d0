"""How smoothly a large bracket is moved: python -m bench.frames [--sizes 64 256]

A real browser opens the bracket of a drawn event with consolation and last chance, all of it shown at 1280 x 900, pans over it
with the wheel, and zooms in and out with Ctrl and the wheel. Printed are the times between two frames (requestAnimationFrame)
while it does, how long the page's main thread was busy for each by the clock, and what the page weighs. There is no graphics
card: the processor paints, so that a machine with other work tells nothing of a frame.
"""

from __future__ import annotations

import argparse
import gzip
import statistics
import subprocess
import sys
from typing import TYPE_CHECKING

from bench import installations
from bench.live import at
from tests.browser import conftest

if TYPE_CHECKING:
    from playwright.sync_api import Page

STEPS = 60
WINDOW = (1280, 900)
# At sixty frames a second one takes 16.7 ms; beyond one and a half of them a frame was left out.
LATE_MS = 25.0
DRAWN = """
from bench.events import START, announced
from players.models import Membership
from tournaments.plan import drawing
owner = Membership.objects.select_related("club", "player__user").filter(role="owner", player__user__isnull=False).first()
event = announced(owner.club, owner.player.user, SIZE, "last-chance")
drawing.publish(tournament_id=event.pk, by=owner.player.user, now=START)
print("FOUND", event.key)
"""
WATCH = """() => {
  window.frames = [];
  let last = performance.now();
  const next = (now) => { window.frames.push(now - last); last = now; window.watching = requestAnimationFrame(next); };
  window.watching = requestAnimationFrame(next);
}"""
WATCHED = "() => { cancelAnimationFrame(window.watching); return window.frames.slice(2); }"


def main() -> None:
    """Move each bracket, and print what it took."""
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[64, 256])
    args = parser.parse_args()
    with (
        installations.with_demo({"DATABASE_URL": "", "REDIS_URL": "", "LOG_LEVEL": "ERROR"}) as env,
        sync_playwright() as driver,
    ):
        keys = {size: drawn(env, size) for size in args.sizes}
        browser = driver.chromium.launch(executable_path=conftest.CHROMIUM, args=conftest.ARGUMENTS)
        with installations.running(installations.EMBEDDED, env) as url:
            page = browser.new_page(viewport={"width": WINDOW[0], "height": WINDOW[1]})
            for size, key in keys.items():
                move(page, size, f"{url}/events/{key}/bracket/?show=all")
        browser.close()


def drawn(env: dict[str, str], size: int) -> str:
    """Draw an event of so many on an installation; return its key."""
    command = [sys.executable, "manage.py", "shell", "-v", "0", "-c", DRAWN.replace("SIZE", str(size))]
    told = subprocess.run(
        command, cwd=installations.ROOT, env=env, capture_output=True, text=True, check=True
    )
    return told.stdout.rpartition("FOUND ")[2].strip()


def move(page: Page, size: int, address: str) -> None:
    """Open one bracket, pan and zoom, and print the figures."""
    answer = page.goto(address, wait_until="networkidle")
    assert answer is not None
    whole = answer.body()
    boxes = page.locator(".sheet-svg .p").count()
    print(
        f"{size}: {boxes} boxes, {len(whole) / 1000:.0f} KB of HTML, {len(gzip.compress(whole, 6)) / 1000:.1f} KB gzip"
    )
    pane = page.locator(".sheet-pane")
    pane.evaluate("pane => pane.scrollIntoView({ block: 'start', behavior: 'instant' })")
    box = pane.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + min(box["height"], 600) / 2)
    show(f"{size}: pan, down and up", watched(page, lambda step: (0, 90 if step < STEPS / 2 else -90)))
    show(f"{size}: pan, right and left", watched(page, lambda step: (90 if step < STEPS / 2 else -90, 0)))
    page.keyboard.down("Control")
    show(f"{size}: zoom, out and in", watched(page, lambda step: (0, 12 if step < STEPS / 2 else -12)))
    page.keyboard.up("Control")


def watched(page: Page, turn) -> tuple[list[float], float]:  # type: ignore[no-untyped-def]
    """Turn the wheel step by step; return the times between frames and the milliseconds that scripts and layout took."""
    screen = page.context.new_cdp_session(page)
    screen.send("Performance.enable")
    before = busy(screen)
    page.evaluate(WATCH)
    for step in range(STEPS):
        page.mouse.wheel(*turn(step))
        page.evaluate("() => new Promise(requestAnimationFrame)")
    frames = page.evaluate(WATCHED)
    return sorted(frames), (busy(screen) - before) * 1000 / len(frames)


def busy(screen) -> float:  # type: ignore[no-untyped-def]
    """Return for how many seconds the page's main thread has worked."""
    told = {one["name"]: one["value"] for one in screen.send("Performance.getMetrics")["metrics"]}
    return float(told["TaskDuration"])


def show(what: str, found: tuple[list[float], float]) -> None:
    """Print one line."""
    frames, work = found
    late = sum(frame > LATE_MS for frame in frames)
    print(
        f"{what:28} {len(frames):4} frames, median {statistics.median(frames):5.1f} ms, p95 {at(frames, 0.95):6.1f} ms,"
        f" slowest {frames[-1]:6.1f} ms, late {late:3}; main thread {work:5.1f} ms a frame",
        flush=True,
    )


if __name__ == "__main__":
    main()
