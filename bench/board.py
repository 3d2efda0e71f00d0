"""The weight and the speed of the board.

    python -m bench.board [--rounds 6] [--weight]

A real browser on the running product, its processor slowed down four times. Printed are the bytes that a first board costs
on the wire, how long a press takes until its effect is painted (the browser's own Event Timing), the time between frames
while checkers are carried, played and undone, and the layout shift.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
from collections import Counter
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, CDPSession, Page

from bench import installations
from engine.board import STANDARD
from engine.dice import Dice
from engine.plays import legal_plays
from engine.side import Side
from tests.browser import conftest, tables

SLOWER = 4
# If set, the size of each request is printed.
LISTED = bool(os.environ.get("BENCH_LIST"))
WATCH = """() => {
  window.presses = [];
  window.shift = 0;
  new PerformanceObserver(list => list.getEntries().forEach(each => {
    if (["pointerdown", "pointerup", "keydown"].includes(each.name)) presses.push(each.duration);
  })).observe({type: "event", durationThreshold: 16, buffered: true});
  new PerformanceObserver(list => list.getEntries().forEach(each => { window.shift += each.value; }))
    .observe({type: "layout-shift", buffered: true});
}"""
# Records the time of the first rendered checker, by the same clock as the requests, and the layout shift.
DRAWN = """window.shift = 0;
new PerformanceObserver(list => list.getEntries().forEach(each => { window.shift += each.value; }))
  .observe({type: "layout-shift", buffered: true});
new MutationObserver((_changes, watch) => {
  if (!document.querySelector(".tabletop__men .man")) return;
  window.drawn = Date.now();
  watch.disconnect();
}).observe(document, {childList: true, subtree: true});"""
COUNT_FRAMES = """() => {
  window.frames_taken = [];
  window.isCounting = true;
  let last = null;
  const tick = now => {
    if (last !== null) frames_taken.push(now - last);
    last = now;
    if (isCounting) requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
}"""
TAKE_FRAMES = "() => { isCounting = false; return frames_taken; }"
# Repeatedly shows plays of the other side, each from the start position.
PLAYS = """async ({plays, rounds}) => {
  for (let round = 0; round < rounds; round += 1) {
    for (const [before, after, line] of plays) {
      await table.show(before, {me: "white", interactive: false});
      await table.show(after, {me: "white", interactive: false, line});
    }
  }
}"""


class Scale:
    """Transferred bytes of a page by kind: until the board was drawn, and in total.

    Bodies and headers separately, since the size of headers depends on the protocol (here HTTP/1.1).
    """

    def __init__(self, page: Page) -> None:
        page.add_init_script(DRAWN)
        self.page = page
        self.asked: dict[str, tuple[str, str, float]] = {}
        self.heads: dict[str, int] = {}
        self.loads: list[tuple[str, str, float, int, int]] = []
        session = page.context.new_cdp_session(page)
        session.send("Network.enable")
        session.send("Network.setCacheDisabled", {"cacheDisabled": True})
        session.on("Network.requestWillBeSent", self._ask)
        session.on("Network.responseReceivedExtraInfo", self._head)
        session.on("Network.loadingFinished", self._load)

    def _ask(self, told: dict[str, Any]) -> None:
        kind, url = told.get("type", "other"), told["request"]["url"]
        self.asked[told["requestId"]] = (kind, url, told["wallTime"] * 1000)

    def _head(self, told: dict[str, Any]) -> None:
        self.heads[told["requestId"]] = len(told.get("headersText", ""))

    def _load(self, told: dict[str, Any]) -> None:
        kind, url, at = self.asked.get(told["requestId"], ("other", "", 0.0))
        head = self.heads.get(told["requestId"], 0)
        self.loads.append((kind, url, at, int(told["encodedDataLength"]) - head, head))

    def tell(self, name: str) -> None:
        drawn: float = self.page.evaluate("drawn")
        first: Counter[str] = Counter()
        rest: Counter[str] = Counter()
        for kind, url, at, body, head in self.loads:
            # Fonts are requested at layout, which may be slightly later.
            is_first = at <= drawn or kind == "Font"
            for found in (first, rest) if is_first else (rest,):
                found[kind] += body
                found["headers"] += head
                found["answers"] += 1
            if LISTED:
                print(f"      {'' if is_first else 'later':<8}{kind:<12}{body:>8,}  {urlsplit(url).path}")
        apart = {"headers", "answers"}
        print(f"  {name}")
        for kind, size in rest.most_common():
            if kind not in apart:
                print(f"    {kind:<12}{first[kind]:>30,}{size:>13,}")
        sums = [sum(found.values()) - found["headers"] - found["answers"] for found in (first, rest)]
        print(f"    {'all':<12}{sums[0]:>30,}{sums[1]:>13,}")
        for kind in sorted(apart):
            print(f"    {kind:<12}{first[kind]:>30,}{rest[kind]:>13,}")


def weigh(browser: Browser, site: str) -> None:
    """Print the bytes of a first board for a player and a spectator, and of an embedded one."""
    guest = browser.new_context()
    page = guest.new_page()
    page.goto(f"{site}/play/")
    with page.expect_navigation(url="**/matches/**"):
        page.get_by_role("button", name="Play against the bot").click()
    address = page.url
    page.close()
    page = browser.new_page()
    page.goto(f"{site}/play/")
    watched = page.locator("a[href^='/matches/']").first.get_attribute("href")
    page.close()
    print("bytes on the wire, compressed      first board      at rest")
    told = [
        ("player", guest, address),
        ("spectator", browser.new_context(), f"{site}{watched}"),
        ("in a frame", browser.new_context(), f"{site}{watched}embed/"),
    ]
    for name, context, url in told:
        page = context.new_page()
        scale = Scale(page)
        page.goto(url)
        page.wait_for_function("window.drawn && document.fonts.status === 'loaded'")
        page.wait_for_timeout(3000)
        scale.tell(name)
        print(f"    layout shift{page.evaluate('shift'):>30.4f}")
        context.close()


def slowed(browser: Browser, site: str, **options: Any) -> tuple[Page, CDPSession]:
    """Open a page with CPU throttling, to simulate a phone."""
    page = browser.new_context(**options).new_page()
    tables.serve(page, site)
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.evaluate(WATCH)
    return page, session


def press(page: Page, times: int) -> list[float]:
    """Drag, tap and undo; return the milliseconds from each press to its paint."""
    tables.lay(page, tables.state(dice="31"), prefs={"speed": 2})
    page.wait_for_timeout(400)
    page.evaluate("() => { presses.length = 0; }")
    for _ in range(times):
        tables.drag(page, 24, 21)
        page.wait_for_timeout(120)
        page.keyboard.press("u")
        page.wait_for_timeout(250)
        tables.tap(page, 8)
        page.wait_for_timeout(300)
        page.keyboard.press("u")
        page.wait_for_timeout(250)
    page.wait_for_timeout(300)
    found: list[float] = page.evaluate("() => presses")
    return found


def play(page: Page, rounds: int) -> list[float]:
    """Show plays of the opponent; return the milliseconds between frames."""
    chance = random.Random(5)
    plays = []
    for dice in (Dice(6, 6), Dice(4, 4), Dice(6, 3), Dice(2, 2)):
        found = chance.choice(legal_plays(STANDARD, Side.BLACK, dice))
        line = {"fact": {"fact": "played", "side": "black", "steps": [[*step] for step in found.steps]}}
        before = tables.state(STANDARD, str(dice), turn="black", owing=["black"])
        plays.append([before, tables.state(found.board, None), line])
    tables.lay(page, tables.state(), prefs={"speed": 2})
    page.evaluate(COUNT_FRAMES)
    page.evaluate(PLAYS, {"plays": plays, "rounds": rounds})
    taken: list[float] = page.evaluate(TAKE_FRAMES)
    return taken


def carry(page: Page, rounds: int) -> list[float]:
    """Drag a checker; return the milliseconds between frames."""
    tables.lay(page, tables.state(dice="31"), prefs={"speed": 2})
    start = tables.spot(page, 24)
    page.evaluate(COUNT_FRAMES)
    for _ in range(rounds):
        page.mouse.move(*start)
        page.mouse.down()
        for x, y in ((-150, 120), (-80, 260), (-200, 40)):
            page.mouse.move(start[0] + x, start[1] + y, steps=20)
        page.mouse.up()
        page.wait_for_timeout(300)
    taken: list[float] = page.evaluate(TAKE_FRAMES)
    return taken


def tell(name: str, values: list[float], limit: float) -> None:
    if not values:
        print(f"  {name:<26} all under 16 ms")
        return
    ordered = sorted(values)
    p95 = ordered[int(len(ordered) * 0.95)]
    late = sum(value > limit for value in values) / len(values)
    print(
        f"  {name:<26}{statistics.median(values):>8.1f}{p95:>9.1f}{ordered[-1]:>9.1f}"
        f"{late:>11.1%} over {limit:g} ms, {len(values)} in all"
    )


def main() -> None:
    """Measure a desktop and a phone."""
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--weight", action="store_true", help="the bytes alone")
    args = parser.parse_args()
    rounds = args.rounds
    with (
        installations.with_demo({"DATABASE_URL": "", "REDIS_URL": ""}) as env,
        installations.running(installations.EMBEDDED, env) as site,
        sync_playwright() as driver,
    ):
        site = site.replace("127.0.0.1", "localhost")
        browser = driver.chromium.launch(executable_path=conftest.CHROMIUM, args=conftest.ARGUMENTS)
        weigh(browser, site)
        for name, options in (
            ("desk, 1280 x 800", {"viewport": {"width": 1280, "height": 800}}),
            ("phone, 375 x 812 at 2", {"viewport": {"width": 375, "height": 812}, "device_scale_factor": 2}),
        ):
            if args.weight:
                continue
            page, _session = slowed(browser, site, **options)
            print(f"\n{name}, processor {SLOWER} times slower{'median':>15}{'p95':>9}{'worst':>9}")
            tell("press to paint, ms", press(page, rounds), 50)
            tell("frames while played, ms", play(page, rounds), 20)
            tell("frames while carried, ms", carry(page, rounds), 20)
            print(f"  layout shift              {page.evaluate('shift'):>8.4f}")
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
