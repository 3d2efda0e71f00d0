"""The slots of pages: each is declared in a `hooks.py` and used in a page, and its parts have templates.

Extensions fill a slot by naming an attribute of that module, so an undeclared slot cannot be filled.
"""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

from django.conf import settings
from django.template.loader import get_template

from runtime.hooks import Slot

ROOT = Path(settings.BASE_DIR)
# The tag of allauth's own templates has no quotes.
TAG = re.compile(r'\{% slot "([^"]+)"')
# The view of the desk lists its parts for the template, since it also counts them or asks one for the next match.
LISTED_BY_VIEW = {"tournaments.hooks.DESK_ROOM", "tournaments.hooks.DESK_NEEDS"}


def declared() -> dict[str, Slot[...]]:
    """Return all slots by the names that templates call them."""
    modules = [f"{path.parent.name}.hooks" for path in ROOT.glob("*/hooks.py")]
    return {
        f"{module}.{name}": value
        for module in modules
        for name, value in vars(import_module(module)).items()
        if isinstance(value, Slot)
    }


def test_the_slots_of_templates_are_those_that_are_declared() -> None:
    templates = (ROOT / "templates").rglob("*.html")
    used = {name for path in templates for name in TAG.findall(path.read_text("utf-8"))}
    assert used | LISTED_BY_VIEW == set(declared())


def test_every_part_has_a_template() -> None:
    paths = [part.template for slot in declared().values() for part in slot]
    assert len(paths) > len(declared())
    for path in paths:
        get_template(path)
