"""The style sheets of our pages, in the order in which they count. Those of a page are served as one file (ADR 15)."""

from __future__ import annotations

from typing import Final

STYLE_SHEETS: Final[dict[str, tuple[str, ...]]] = {
    "css/site.css": (
        "css/tokens.css",
        "css/tokens-checkers.css",
        "css/tokens-felt.css",
        "css/fonts.css",
        "css/base.css",
        "css/layout.css",
        "css/menus.css",
        "css/nav.css",
        "css/tabs.css",
        "css/find.css",
        "css/buttons.css",
        "css/forms.css",
        "css/controls.css",
        "css/ticks.css",
        "css/tables.css",
        "css/cards.css",
        "css/lists.css",
        "css/badges.css",
        "css/felt.css",
        "css/pieces.css",
        "css/heads.css",
        "css/boards.css",
        "css/feedback.css",
        "css/large-print.css",
        "css/print.css",
    ),
}
