"""Tie-breaks by hand: each number of `docs/pairing-rounds.md` counted from the letters of a report.

A row is what a report (TRF) says of one player's rounds: opponent (0 where there was none) and a letter.
``1`` and ``0`` were played, ``+`` and ``-`` were not because a person did not come, ``U`` is a bye, ``H``
half a point asked for, ``Z`` an absence.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations, product

Row = "Sequence[tuple[int, str]]"
WORTH = {"1": 1.0, "+": 1.0, "U": 1.0, "H": 0.5, "0": 0.0, "-": 0.0, "Z": 0.0}
COLUMNS = ("PTS", "DE", "BH", "BH/C1", "BH/M1", "SB", "PS", "WIN", "WON", "REP", "ARO")


def table(cells: Mapping[int, Row], rating: Mapping[int, int]) -> dict[int, dict[str, str]]:
    """Return every column of every player."""
    played_off = direct_encounters(cells)
    return {
        player: {name: written(value) for name, value in _columns(player, cells, rating).items()}
        | {"DE": str(played_off[player])}
        for player in cells
    }


def written(value: float) -> str:
    return f"{value:g}"


def points(row: Row) -> float:
    return sum(WORTH[letter] for _, letter in row)


def counted(row: Row) -> float:
    """P86: what a player counts for opponents; half a point a round after they went home."""
    last = max((at for at, (_, letter) in enumerate(row) if letter not in "-HZ"), default=-1)
    whole = 0.0
    for at, (_, letter) in enumerate(row):
        whole += 0.5 if at > last and letter in "HZ" else WORTH[letter]
    return whole


def _columns(player: int, cells: Mapping[int, Row], rating: Mapping[int, int]) -> dict[str, float]:
    row = cells[player]
    own = points(row)
    met: list[
        tuple[float, float, bool]
    ] = []  # the opponent's score, that score times the result, True for a round off by choice
    for opponent, letter in row:
        if opponent and letter in "10":
            score = counted(cells[opponent])
        elif opponent:
            score = min(own, counted(cells[opponent]))
        else:  # P87
            score = min(own, len(row) / 2)
        met.append((score, score * WORTH[letter], letter in "-HZ"))
    # P85
    by_choice = sorted(score for score, _, chosen in met if chosen)
    scores = sorted(score for score, _, _ in met)
    least = by_choice[0] if by_choice else scores[0]
    rest = list(scores)
    rest.remove(least)
    ratings = [rating[opponent] for opponent, letter in row if opponent and letter in "10"]
    return {
        "PTS": own,
        "BH": sum(scores),
        "BH/C1": sum(rest),
        "BH/M1": sum(rest) - max(rest, default=0.0),
        "SB": sum(product_ for _, product_, _ in met),
        "PS": sum(points(row[: upto + 1]) for upto in range(len(row))),
        "WIN": sum(letter in "1+U" for _, letter in row),
        "WON": sum(letter == "1" for _, letter in row),
        "REP": sum(letter in "10+U" for _, letter in row),
        "ARO": int(Fraction(sum(ratings), len(ratings)) + Fraction(1, 2)) if ratings else 0,
    }


def direct_encounters(cells: Mapping[int, Row]) -> dict[int, int]:
    """The place of each player among those with as many points, or 0 if all of them are equal."""
    found: dict[int, int] = {}
    for score in {points(row) for row in cells.values()}:
        tied = [player for player, row in cells.items() if points(row) == score]
        places = _places(tied, cells)
        apart = len(set(places.values())) > 1
        found |= {player: place if apart else 0 for player, place in places.items()}
    return found


def _places(tied: list[int], cells: Mapping[int, Row]) -> dict[int, int]:
    """P83, P84: try every way the matches that were not played among them could have ended."""
    if len(tied) < 2:
        return dict.fromkeys(tied, 1)
    won = dict.fromkeys(tied, 0)
    open_pairs = []
    for a, b in combinations(tied, 2):
        letter = next((letter for opponent, letter in cells[a] if opponent == b and letter in "10"), "")
        if letter:
            won[a if letter == "1" else b] += 1
        else:
            open_pairs.append((a, b))
    outcomes = []
    for way in product((0, 1), repeat=len(open_pairs)):
        scores = dict(won)
        for winner, pair in zip(way, open_pairs, strict=True):
            scores[pair[winner]] += 1
        outcomes.append(scores)
    if not open_pairs:
        groups = [
            [one for one in tied if won[one] == score] for score in sorted(set(won.values()), reverse=True)
        ]
    else:
        groups = _sure(tied, outcomes)
    if len(groups) == 1:
        return dict.fromkeys(tied, 1)
    places: dict[int, int] = {}
    for group in groups:
        ahead = len(places)
        places |= {one: ahead + place for one, place in _places(group, cells).items()}
    return places


def _sure(tied: list[int], outcomes: list[dict[int, int]]) -> list[list[int]]:
    """Sort the tied players who are first, second, ... in every outcome; the others share the last group."""
    left, groups = list(tied), []
    while len(left) > 1:
        first = [
            one
            for one in left
            if all(scores[one] > scores[other] for scores in outcomes for other in left if other != one)
        ]
        if not first:
            break
        groups.append(first)
        left.remove(first[0])
    return [*groups, left] if left else groups
