"""Swiss events paired by trying every way to pair, their reports, and tables of brackets worked out by playing them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations, product
from typing import Any, NamedTuple

from tests.samples import ties

Pairs = tuple[tuple[int, int], ...]


class Swiss(NamedTuple):
    """One event; one of *missing* players does not come, and one of *off* players takes a round off."""

    players: int
    rounds: int
    missing: int = 0
    off: int = 0


EVENTS = {
    "s01_n4": Swiss(4, 2),
    "s02_n6": Swiss(6, 3, missing=8, off=12),
    "s03_n7": Swiss(7, 4),
    "s04_n8": Swiss(8, 5, missing=12),
    "s05_n9": Swiss(9, 5, off=15),
    "s06_n10": Swiss(10, 5, missing=10, off=15),
    "s07_n11": Swiss(11, 4, missing=10, off=15),
}


class Report(NamedTuple):
    """The files of one event."""

    data: dict[str, Any]
    trf: str
    ties: str


def swiss(name: str) -> Report:
    """Play one event; each round is paired by trying all ways."""
    event, rng = EVENTS[name], random.Random(name)
    rating = dict(enumerate(sorted(rng.sample(range(1200, 2200), event.players), reverse=True), 1))
    cells: dict[int, list[tuple[int, str]]] = {player: [] for player in rating}
    data = [_round(event, number, rating, cells, rng) for number in range(1, event.rounds + 1)]
    counted = ties.table(cells, rating)
    order = sorted(rating, key=lambda player: (-ties.points(cells[player]), player))
    lines = ["\t".join(("Rank", "StartNo", *ties.COLUMNS))]
    lines += [
        "\t".join((str(rank), str(player), *(counted[player][column] for column in ties.COLUMNS)))
        for rank, player in enumerate(order, 1)
    ]
    return Report(
        {"name": name, "players": event.players, "rounds": event.rounds, "round_data": data},
        trf(name, rating, cells),
        "\n".join(lines) + "\n",
    )


def trf(name: str, rating: Mapping[int, int], cells: Mapping[int, ties.Row]) -> str:
    """The report in FIDE's format; backgammon has no colours, so all players have white."""
    lines = [f"012 {name}"]
    for player, row in cells.items():
        head = f"001 {player:4d}      {f'Player {player:02d}':<33} {rating[player]:4d}"
        head = f"{head:<80}{ties.points(row):4.1f} {0:4d}"
        rounds = "".join(
            f"  {f'{opponent:4d} w {letter}' if opponent else f'0000 - {letter}'}" for opponent, letter in row
        )
        lines.append(head + rounds)
    return "\n".join(lines) + "\n"


def _round(
    event: Swiss,
    number: int,
    rating: Mapping[int, int],
    cells: dict[int, list[tuple[int, str]]],
    rng: random.Random,
) -> dict[str, Any]:
    scores = {player: ties.points(cells[player]) for player in rating}
    absent = {
        player: rng.choice("HZ")
        for player in rating
        if number > 1 and event.off and rng.randrange(event.off) == 0
    }
    pairs, bye = best([player for player in rating if player not in absent], scores, cells)
    results = []
    for a, b in pairs:
        first = rng.random() < 1 / (1 + 10 ** ((rating[b] - rating[a]) / 400))
        played = not (event.missing and rng.randrange(event.missing) == 0)
        letters = ("1" if played else "+", "0" if played else "-")
        a_res, b_res = letters if first else letters[::-1]
        cells[a].append((b, a_res))
        cells[b].append((a, b_res))
        results.append({"a": a, "b": b, "a_res": a_res, "b_res": b_res})
    for player in bye:
        cells[player].append((0, "U"))
    for player, letter in absent.items():
        cells[player].append((0, letter))
    return {
        "round": number,
        "scores_before": {str(player): score for player, score in scores.items()},
        "absent": [{"id": player, "kind": letter} for player, letter in absent.items()],
        "pairs": [list(pair) for pair in pairs],
        "bye": bye,
        "results": results,
        "quality": {
            "pairs": len(pairs),
            "sum_score_diff": sum(abs(scores[a] - scores[b]) for a, b in pairs),
            "sum_sq_diff": sum((scores[a] - scores[b]) ** 2 for a, b in pairs),
            "bye_score": [scores[player] for player in bye],
        },
    }


def best(
    present: Sequence[int], scores: Mapping[int, float], cells: Mapping[int, Sequence[tuple[int, str]]]
) -> tuple[Pairs, list[int]]:
    """Choose from all pairings: no rematch, no second bye, lowest bye, smallest gaps, then squares (P62)."""
    met = {
        frozenset((player, opponent))
        for player, row in cells.items()
        for opponent, letter in row
        if letter in "10"
    }
    given = {player: sum(letter in "U+" for _, letter in cells[player]) for player in present}

    def worth(way: tuple[Pairs, list[int]]) -> tuple[float, ...]:
        pairs, bye = way
        gaps = [abs(scores[a] - scores[b]) for a, b in pairs]
        rematches = sum(frozenset(pair) in met for pair in pairs)
        second_byes = sum(given[player] for player in bye)
        last = sum(scores[player] for player in bye)
        return (rematches, second_byes, last, sum(gaps), sum(gap * gap for gap in gaps))

    found = min(ways(list(present)), key=worth)
    if worth(found)[:2] != (0, 0):
        raise AssertionError("too few players for so many rounds")
    return found


def ways(present: list[int]) -> Iterator[tuple[Pairs, list[int]]]:
    if len(present) % 2 == 0:
        yield from ((pairs, []) for pairs in matchings(present))
        return
    for out in reversed(present):
        yield from ((pairs, [out]) for pairs in matchings([one for one in present if one != out]))


def matchings(players: list[int]) -> Iterator[Pairs]:
    if not players:
        yield ()
        return
    first, *others = players
    for other in others:
        for rest in matchings([one for one in others if one != other]):
            yield ((first, other), *rest)


# -- tables


def seeds(entrants: int) -> dict[str, Any]:
    """Seeds so that, if the better always wins, the sum of every pair in every round is one more than who is left."""
    order, left = [1], 1
    while left < entrants:
        left *= 2
        order = [seed for one in order for seed in (one, left + 1 - one)]
    pairs = list(zip(order[::2], order[1::2], strict=True))
    real = [pair for pair in pairs if max(pair) <= entrants]
    byes = sorted(min(pair) for pair in pairs if max(pair) > entrants)
    return {"entrants": entrants, "size": left, "byes": byes, "round1": real, "bracket_order": pairs}


def berger(entrants: int) -> list[list[tuple[int, int]]]:
    """Everybody moves on by half the table; the last stays, and changes seats each round."""
    half, ring = entrants // 2, entrants - 1
    rounds = [[(table, entrants + 1 - table) for table in range(1, half + 1)]]
    while len(rounds) < ring:
        moved = [
            tuple(one if one == entrants else (one + half - 1) % ring + 1 for one in pair)
            for pair in rounds[-1]
        ]
        first, *others = moved
        rounds.append([(first[1], first[0]), *others] if entrants in first else moved)  # type: ignore[list-item]
    return rounds


Sheet = tuple[tuple[tuple[str, str], ...], ...]
MAIN = ((("1", "2"), ("3", "4"), ("5", "6"), ("7", "8")), (("WA1", "WA2"), ("WA3", "WA4")), (("WB1", "WB2"),))


def rematches(side: Sheet) -> float:
    """Play a knock-out of eight and a side bracket in every way it can go, and count who meets again."""
    rounds = [(name, matches) for name, matches in zip("ABC", MAIN, strict=True)]
    rounds += [(name, matches) for name, matches in zip("STUV", side, strict=False)]
    count = sum(len(matches) for _, matches in rounds)
    total = 0
    for way in product((0, 1), repeat=count):
        seats, met, at = {str(number): number for number in range(1, 9)}, set(), 0
        for name, matches in rounds:
            for number, (a, b) in enumerate(matches, 1):
                pair = (seats[a], seats[b])
                total += frozenset(pair) in met
                met.add(frozenset(pair))
                seats[f"W{name}{number}"] = pair[way[at]]
                seats[f"L{name}{number}"] = pair[1 - way[at]]
                at += 1
    return total / 2**count


def crossed() -> Iterator[Sheet]:
    """Yield the ways to let the losers of the second round meet those who have won a match of the consolation."""
    for first in (
        (("LA1", "LA2"), ("LA3", "LA4")),
        (("LA1", "LA3"), ("LA2", "LA4")),
        (("LA1", "LA4"), ("LA2", "LA3")),
    ):
        for a, b in permutations(("LB1", "LB2")):
            yield (first, (("WS1", a), ("WS2", b)), (("WT1", "WT2"),))


def freely() -> Iterator[Sheet]:
    """And also to let two meet who have both just come, or both won."""
    for sheet in crossed():
        yield sheet
        yield (sheet[0], (("LB1", "LB2"), ("WS1", "WS2")), sheet[2])


def consolations(sheets: Iterator[Sheet]) -> list[dict[str, Any]]:
    """The fewest rematches to be expected of eight, of all ways to lay out a consolation."""
    found = list(sheets)
    last = [(*sheet, (("WU1", "LC1"),)) for sheet in found]
    return [
        {"main_size": 8, "structure": name, "expected_rematches_coinflip": min(map(rematches, every))}
        for name, every in (("A.B.|", found), ("A.B.|.C", last))
    ]


def vectors() -> dict[str, Any]:
    doubles = [
        {
            "N": 8,
            "masks": [mask, 0],
            "expected_rematches": rematches(
                (
                    (("LA1", "LA2"), ("LA3", "LA4")),
                    (("WS1", f"LB{1 + mask}"), ("WS2", f"LB{2 - mask}")),
                    (("WT1", "WT2"),),
                    (("WU1", "LC1"),),
                )
            ),
        }
        for mask in (0, 1)
    ]
    return {
        "single_elim": [seeds(entrants) for entrants in range(3, 65)],
        "berger": {str(entrants): berger(entrants) for entrants in range(4, 17, 2)},
        "double_elim_xor": [min(doubles, key=lambda row: row["expected_rematches"])],
    }
