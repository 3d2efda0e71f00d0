"""The pictures of README.

    python -m bench.pictures [FOLDER]

A demo club is made and served, and a browser takes the bracket, the desk on a phone, the board and a wall: at fixed widths,
in the light theme (a wall is always dark). The people are always the same, the dice are not.
"""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page

from bench import installations
from tests.browser import conftest

IMAGES = installations.ROOT / "docs" / "images"
# For WebP: small files whose text stays sharp.
QUALITY = 40
DESK_LINK = "a[href^='/events/'][href$='/desk/']"


def open_page(browser: Browser, site: str, width: int, height: int, **options: Any) -> Page:
    """Open a page of a separate visitor, without animations."""
    size: Any = {"width": width, "height": height}
    context = browser.new_context(
        base_url=site, viewport=size, color_scheme="light", reduced_motion="reduce", locale="en-GB", **options
    )
    context.set_default_timeout(conftest.PATIENCE_MS)
    return context.new_page()


def save_picture(page: Page, folder: Path, name: str) -> None:
    """Write a screenshot to the folder, and print its size."""
    page.wait_for_function("document.fonts.status === 'loaded'")
    picture = Image.open(io.BytesIO(page.screenshot(caret="initial"))).convert("RGB")
    path = folder / f"{name}.webp"
    picture.save(path, quality=QUALITY, method=6)
    print(f"{path.stat().st_size:>8,}  {path}")


def read_login(environment: dict[str, str]) -> tuple[str, str, str]:
    """Return the club's path, and the director's e-mail address and password.

    `manage.py demo` prints them.
    """
    printed = subprocess.run(
        [sys.executable, "manage.py", "demo"],
        cwd=installations.ROOT,
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    words = printed.split()
    page, director = words.index("page"), words.index("director")
    return words[page + 1], words[director + 1], words[director + 2]


def take_pictures(browser: Browser, site: str, login: tuple[str, str, str], folder: Path) -> None:
    club, email, password = login
    phone = open_page(browser, site, 375, 720, has_touch=True, is_mobile=True)
    phone.goto("/accounts/login/")
    phone.get_by_label("E-mail address").fill(email)
    phone.get_by_label("Password", exact=True).fill(password)
    phone.get_by_role("main").get_by_role("button", name="Sign in", exact=True).click()
    phone.wait_for_url(lambda url: "/login/" not in url)
    phone.goto("/")
    desk = phone.locator(DESK_LINK).first.get_attribute("href") or ""
    phone.goto(desk)
    save_picture(phone, folder, "desk")

    wall = open_page(browser, site, 1280, 720)
    wall.goto("/tv")
    letters = wall.locator(".wall__code").inner_text()
    phone.goto(f"{club}screens/")
    phone.get_by_label("Letters").fill(letters)
    phone.get_by_label("Name").fill("Bar")
    phone.get_by_role("button", name="Put it on the wall").click()
    phone.get_by_label("Show only one page").select_option(label="Bracket")
    phone.get_by_role("button", name="Show it").click()
    wall.locator(".tree__box").first.wait_for()
    save_picture(wall, folder, "wall")

    guest = open_page(browser, site, 1280, 800)
    guest.goto(desk.replace("/desk/", "/bracket/"))
    save_picture(guest, folder, "bracket")
    guest.goto("/play/")
    guest.goto(guest.locator("a[href^='/matches/']").first.get_attribute("href") or "")
    guest.locator(".tabletop__men .man").first.wait_for()
    save_picture(guest, folder, "board")


def main() -> None:
    """Make the club, serve it, and take the pictures."""
    from playwright.sync_api import sync_playwright

    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else IMAGES
    folder.mkdir(parents=True, exist_ok=True)
    with (
        installations.with_demo() as environment,
        installations.running(installations.EMBEDDED, environment) as site,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=conftest.CHROMIUM, args=conftest.ARGUMENTS)
        take_pictures(browser, site, read_login(environment), folder)
        browser.close()


if __name__ == "__main__":
    main()
