"""The section of help that explains a refusal: by the rule that it cites, by its class, or by the table here."""

from __future__ import annotations

import re
from typing import Final

from django.urls import reverse

from engine.finding_codes import CODES
from runtime.refusals import ANCHORS

RULE: Final = re.compile(r"R[0-6][0-9]")

# Codes that cite no rule and are not a `Refusal`: those of the engine and of matches.
SECTIONS: Final[dict[str, tuple[str, ...]]] = {
    "rules#R11": (
        "not-your-turn", "out-of-turn", "play-without-dice", "roll-in-wrong-phase", "roll-out-of-turn",
    ),
    "rules#R12": ("illegal-play",),
    "rules#R40": ("no-game", "play-after-end"),
    "rules#R48": ("dead-cube",),
    "rules#R52": ("bad-terms",),
    "rules#R53": ("no-cube",),
    "play#screen": ("match", "refused", "stale", "unread-play"),
    "play#tutor": ("no-practice",),
    "play#race": ("no-race", "not-playing-out", "playing-out"),
    "cube-and-matches#resigning": (
        "bad-resignation", "highest-value", "no-resignation", "offer-lapsed", "resignation-refused",
        "resignation-too-high", "resignation-too-low",
    ),
    "etiquette#clock": (
        "back-in-time", "clock-lent", "clock-not-lent", "clock-paused", "clock-runs", "clock-stands",
        "flag-fallen", "no-clock", "time-left", "time-over",
    ),
    "etiquette#away": ("absence-too-long", "absence-used-up", "no-claim", "not-away", "not-awaited"),
    "etiquette#talking": ("chat-off", "mute-yourself", "not-your-room", "own-line", "too-much-talk"),
    "night#online": (
        "no-bot", "no-rematch", "not-a-member", "not-a-player", "not-for-you", "not-open", "not-yours",
        "own-offer", "same-player", "too-many-matches", "too-many-offers", "too-many-visitors",
    ),
    "dice#roll": (
        "already-ready", "dice-not-ready", "dice-not-sealed", "dice-promised", "equal-commitments",
        "equal-heads", "gap", "lost-secret", "no-chain", "not-begun", "roll-pending", "share-needed",
        "share-not-due", "two-promises", "wrong-head", "wrong-share",
    ),
    "directors#rulings": (
        "bad-credit", "bad-penalty", "bad-points", "bad-position", "bad-takeback", "no-such-line",
        "not-allowed", "not-paused", "nothing-to-take-back", "own-match", "paused", "reason-needed",
        "reason-too-long",
    ),
    "records#notes": (
        "absurd-points", "capped-points", "crawford-mismatch", "cut-play", "declared-illegal", "empty-name",
        "jacoby-inferred", "length-as-points", "match-unfinished", "name-mismatch", "out-of-time",
        "position-mismatch", "repeated-play", "resign-odd-value", "resigner-unclear", "result-omitted",
        "ruling", "score-not-kept", "set-position", "settlement", "starts-mid-match", "unplayed-game",
    ),
    "records#unreadable": ("corrupt-row", "more-findings", "unread-line", "wrong-checksum"),
}  # fmt: skip


SECTION_OF: Final = {code: place for place, codes in SECTIONS.items() for code in codes}


def find_address(code: str, rule: str = "") -> str:
    """Find the URL of the section that explains a refusal; "" if there is none."""
    found = RULE.search(rule) or RULE.search(CODES[code].rule if code in CODES else "")
    place = f"rules#{found[0]}" if found else ANCHORS.get(code) or SECTION_OF.get(code, "")
    page, _hash, section = place.partition("#")
    return f"{reverse(f'help:{page}')}#{section}" if page else ""
