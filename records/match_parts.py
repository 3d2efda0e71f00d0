"""A match in two files: the second begins at the score at which the first stopped (ADR 76). Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final, NamedTuple

from matches.state import rule_words
from players.names import fold

# The two players; `Reading.sides` says which of them is White.
A, B = "a", "b"
OTHER: Final = {A: B, B: A}
UNKNOWN: Final = ""
# A known person who is neither of the two.
ELSE: Final = "?"
LOVE: Final = (0, 0)
# The referee's fault for a first part that was interrupted within a game; the second part plays that game again.
CUT: Final = "unfinished-game"
MID_MATCH: Final = "starts-mid-match"
# Findings that the referee always has on a part.
OF_HALVES: Final = frozenset({MID_MATCH, "match-unfinished", CUT})


class Reading(NamedTuple):
    """A match in a record, read as one between the players a and b; `score` is None if it did not end."""

    # The players of White and Black: A and B, or both ELSE or UNKNOWN.
    sides: tuple[str, str]
    score: tuple[int, int] | None
    begun: tuple[int, int] = LOVE
    # The last score, if it did not end.
    stopped: tuple[int, int] | None = None


class Seam(NamedTuple):
    """The point where one record stops and another of the same match can continue: names and score."""

    players: tuple[str, str]
    length: int | None
    score: tuple[int, int]


class CombinedVerdict(NamedTuple):
    """The combined verdict on two parts, in the order of the first one's names."""

    players: tuple[str, str]
    score: tuple[int, int]
    winner: int | None
    games: int
    findings: int
    # The first part proves that the second has a double in the Crawford game.
    is_refuted: bool = False

    @property
    def word(self) -> str:
        """The verdict on the whole match; of rejected records only first parts that were cut are combined."""
        return "rejected" if self.is_refuted else "noted" if self.findings else "accepted"


def can_be_part(verdict: Mapping[str, Any]) -> bool:
    """True if a record is accepted, or its only fault is that it stops within its last game."""
    return all(
        finding["severity"] != "fault" or (finding["code"], finding["game"]) == (CUT, len(verdict["games"]))
        for finding in verdict["findings"]
    )


def get_begin_score(verdict: Mapping[str, Any]) -> tuple[int, int]:
    """Return the score at which a record begins, White's points first."""
    if start := verdict.get("start"):
        white, black = start
        return white, black
    if not any(finding["code"] == MID_MATCH for finding in verdict["findings"]):
        return LOVE
    # A verdict that was stored before it had a start.
    white, black = verdict["score"]
    won = [0, 0]
    for game in verdict["games"]:
        if game["winner"] is not None:
            won[game["winner"]] += game["points"]
    return white - won[0], black - won[1]


def build_reading(
    sides: tuple[str, str], began: tuple[int, int], score: tuple[int, int], *, winner: int | None, length: int
) -> Reading:
    """Convert a match of a record from White and Black to a and b; *winner* is 0 for White, 1 for Black.

    A score that reaches the length ends it. The referee takes some sheets of one game as unlimited play (Q-21),
    but the event knows that it is a match. A match that was awarded against its score, or before its end, proves
    no score, and has no second part.
    """
    is_swapped = sides[0] != A
    begun, points = _swap_score(began, is_swapped=is_swapped), _swap_score(score, is_swapped=is_swapped)
    if winner is not None and score[winner] < length:
        return Reading(sides, None, begun)
    return (
        Reading(sides, rule_words.cap_score(points, length), begun)
        if max(points) >= length
        else Reading(sides, None, begun, points)
    )


def list_start_scores(a_late: int, b_late: int) -> frozenset[tuple[int, int]]:
    """Return the possible scores at the beginning of a match: 0-0, or the penalty points for lateness."""
    return frozenset({LOVE, (b_late, a_late)})


def find_parts(
    end: Reading, known: Iterable[Reading], starting: Collection[tuple[int, int]]
) -> tuple[Reading, ...]:
    """Return the one or two records that cover a match up to this end; empty if one is missing."""
    if end.begun in starting:
        return (end,)
    first = next((one for one in known if one.stopped == end.begun and one.begun in starting), None)
    return () if first is None else (first, end)


def is_continuation(first: Mapping[str, Any], second: Mapping[str, Any], *, is_swapped: bool) -> bool:
    """True if the second record begins where the first stopped."""
    start = get_begin_score(second)
    return (
        first["winner"] is None
        and first["length"] == second["length"]
        and start != LOVE
        and tuple(first["score"]) == _swap_score(start, is_swapped=is_swapped)
    )


def find_crawford_correction(first: Mapping[str, Any], second: Mapping[str, Any]) -> bool | None:
    """Find whether the Crawford game was played in the first of two parts.

    True if it was, False if not; None if the referee assumed the same for the second part, or if neither side or
    both sides are one point short where the parts meet.

    The second part alone shows only by a double that the Crawford game is over.
    """
    one_short = (second["length"] or 0) - 1
    if max(first["score"]) != one_short or min(first["score"]) == one_short or not second["games"]:
        return None
    is_played = max(get_begin_score(first)) == one_short or any(
        game["crawford"] and game["winner"] is not None for game in first["games"]
    )
    return is_played if second["games"][0]["crawford"] is is_played else None


def find_end_seam(verdict: Mapping[str, Any]) -> Seam | None:
    """Return the seam at a record's end; None if the match ended."""
    return None if verdict["winner"] is not None else _build_seam(verdict, tuple(verdict["score"]))


def find_begin_seam(verdict: Mapping[str, Any]) -> Seam | None:
    """Return the seam at a record's beginning; None at 0-0."""
    start = get_begin_score(verdict)
    return None if start == LOVE else _build_seam(verdict, start)


def _build_seam(verdict: Mapping[str, Any], score: tuple[int, ...]) -> Seam:
    """Build a seam with the players in sorted order."""
    one, other = (fold(name) for name in verdict["players"])
    white, black = score
    if one > other:
        one, other, white, black = other, one, black, white
    return Seam((one, other), verdict["length"], (white, black))


def find_swap(first: Mapping[str, Any], second: Mapping[str, Any]) -> bool | None:
    """True if the players swap colours in the second record, by name; False if not; None for other names."""
    one = [fold(name) for name in first["players"]]
    other = [fold(name) for name in second["players"]]
    return {True: False, False: True if one == other[::-1] else None}[one == other]


def combine_verdicts(
    first: Mapping[str, Any], second: Mapping[str, Any], *, is_swapped: bool, is_refuted: bool = False
) -> CombinedVerdict:
    winner, (white, black) = second["winner"], first["players"]
    return CombinedVerdict(
        players=(white or "?", black or "?"),
        score=rule_words.cap_score(
            _swap_score(tuple(second["score"]), is_swapped=is_swapped), second["length"]
        ),
        winner=None if winner is None else int(winner) ^ is_swapped,
        games=sum(game["winner"] is not None for each in (first, second) for game in each["games"]),
        findings=sum(
            finding["code"] not in OF_HALVES for each in (first, second) for finding in each["findings"]
        )
        + is_refuted,
        is_refuted=is_refuted,
    )


def _swap_score(score: tuple[int, ...], *, is_swapped: bool) -> tuple[int, int]:
    white, black = score
    return (black, white) if is_swapped else (white, black)
