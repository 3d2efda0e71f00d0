"""How fast a Swiss round is paired, and how well: python -m bench.pairing

A field is grown by real rounds with random results, one match in fifty not played. CPU seconds of one process:
`whole` is the complete proposal with its order and its reasons, `pairing` the round alone, `matching` the larger of
its two matchings, found from near neighbours and whatever the prices name. Beside it that matching over all pairs at
once, and by networkx over near neighbours (which need not find the best) and over all pairs. Where two searched all
pairs, their totals must be equal.

The last table pairs every round of the sixteen shared tournaments, if they are there, beside what the program that
played them chose.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from draw import matchmaking, new_round, swiss
from draw.chance import Chance
from draw.event import Entrant, EntrantId, Field, Key, Kind, Pairing, Result, Round, Stage
from draw.history import History
from draw.matching.search import find_cheapest
from draw.options import Options
from draw.wishes import Costs

if TYPE_CHECKING:
    from collections.abc import Iterable

    from draw.matching.search import Edge

ROUNDS = 9
COMPLETE_UP_TO = 1000
NETWORKX_UP_TO = {"near": 1000, "complete": 200}


def grown(players: int, played: int, method: str) -> Field:
    """Return a field in which so many rounds were played."""
    rng = Chance(f"bench {players}")
    entrants = tuple(
        Entrant(EntrantId(f"p{number}"), rating=1400 + rng.below(600), club=f"club {rng.below(40)}")
        for number in range(players)
    )
    field = Field(
        Stage("main", "swiss", Options.from_values(rounds=ROUNDS, method=method)), entrants, "bench"
    )
    for number in range(1, played + 1):
        proposal = swiss.propose(field, Chance("bench"))
        pairings = tuple(
            Pairing(
                Key(f"r{number}.{table}"),
                a,
                b,
                Result(Kind.NO_SHOW if rng.below(50) == 0 else Kind.PLAYED, rng.choice((a, b))),
            )
            for table, (a, b) in enumerate(proposal.pairs, 1)
        )
        field = replace(field, rounds=(*field.rounds, Round(number, pairings, proposal.byes)))
    return field


def first_matching(field: Field) -> tuple[Costs, int]:
    """Return what the first matching of the next round weighs, and how many it matches."""
    history = History(field)
    new = new_round.NewRound.pair(history, history.scores, Chance("bench"))
    costs = Costs(new.players, new.wishes)
    return costs, len(new.players) + len(new.players) % 2


def edges_of(costs: Costs, view: int) -> list[Edge]:
    """Return the graph in which everybody sees so many ranks ahead."""
    return [(a, b, cost) for (a, b), cost in matchmaking.Across(costs, view).near()]


def total(mates: Iterable[tuple[int, int]], edges: list[Edge]) -> int:
    """Return what a matching costs."""
    cost = {(a, b): value for a, b, value in edges}
    return sum(cost[min(pair), max(pair)] for pair in mates)


def by_networkx(edges: list[Edge]) -> tuple[float, int] | None:
    """Return CPU seconds and the total of networkx on a graph; None where it is not installed."""
    try:
        import networkx
    except ImportError:
        return None
    graph = networkx.Graph()
    dearest = max(cost for _, _, cost in edges) + 1
    for a, b, cost in edges:
        graph.add_edge(a, b, weight=dearest - cost)
    began = time.process_time()
    mates = networkx.max_weight_matching(graph, maxcardinality=True)
    return time.process_time() - began, total(mates, edges)


def row(players: int, played: int, method: str) -> str:
    """Measure one field and return its line."""
    field = grown(players, played, method)
    began = time.process_time()
    swiss.propose(field, Chance("bench"))
    whole = time.process_time() - began
    costs, size = first_matching(field)
    began = time.process_time()
    matchmaking.make_round(costs.players, costs.wishes)
    ours = time.process_time() - began
    began = time.process_time()
    best = matchmaking.Across(costs, matchmaking.VIEW).solve()
    first = time.process_time() - began
    near = edges_of(costs, matchmaking.VIEW)
    cells = [f"{whole:8.2f}{ours:9.2f}{first:9.2f}"]
    asked = total(((a, b) for a, b in enumerate(best) if a < b), every(costs, best))
    others: list[int] = []
    if players <= COMPLETE_UP_TO:
        edges = edges_of(costs, players)
        began = time.process_time()
        found = find_cheapest(size, edges)
        cells.append(f"{time.process_time() - began:11.2f}")
        others.append(total(((a, b) for a, b in enumerate(found.mates) if a < b), edges))
    else:
        cells.append(f"{'-':>11}")
    for name, graph in (("near", near), ("complete", None)):
        if players > NETWORKX_UP_TO[name]:
            cells.append(f"{'-':>15}")
            continue
        answer = by_networkx(graph if graph is not None else edges_of(costs, players))
        cells.append(f"{'not here':>15}" if answer is None else f"{answer[0]:15.2f}")
        if name == "complete" and answer is not None:
            others.append(answer[1])
    said = "-" if not others else "equal" if set(others) == {asked} else "DIFFERENT"
    return f"{players:7}{played:7}  {method:8}{''.join(cells)}   {said}"


def every(costs: Costs, mates: tuple[int, ...]) -> list[Edge]:
    """Return the edges of one matching with their costs, wherever they come from."""
    view = matchmaking.Across(costs, 1)
    return [(a, b, view.cost(a, b)) for a, b in enumerate(mates) if a < b]


def quality() -> None:
    """Pair every round of the shared tournaments and print the totals beside the program's that chose them."""
    from tests.draw import swissevents
    from tests.engine import shared
    from tests.tournaments import oracle

    if not shared.SHARED.is_dir():
        print("The shared tournaments are not here.")
        return
    print(
        f"{'':18}{'rounds':>8}{'sum of gaps':>13}{'cross pairs':>13}{'rematches':>11}{'second byes':>13}{'CPU s':>8}"
    )
    reports = [oracle.report(shared.OTHERS, name) for name in oracle.names(shared.OTHERS)]
    for method in ("slide", "fold", "monrad", "random"):
        began = time.process_time()
        sums = [0.0, 0, 0, 0, 0]
        for report in reports:
            for number in range(1, len(report.rounds) + 1):
                field = swissevents.oracle_field(report, number, method=method)
                proposal = swissevents.propose(field)
                history = History(field)
                gaps = [abs(field.scores[a] - field.scores[b]) for a, b in proposal.pairs]
                sums[0] += float(sum(gaps))
                sums[1] += sum(gap > 0 for gap in gaps)
                sums[2] += sum(b in history.met[a] for a, b in proposal.pairs)
                sums[3] += sum(history.byes[bye.entrant] > 0 for bye in proposal.byes)
                sums[4] += 1
        line = f"{method:18}{sums[4]:8}{sums[0]:13.1f}{sums[1]:13}{sums[2]:11}{sums[3]:13}"
        print(f"{line}{time.process_time() - began:8.2f}")
    chosen = [made["quality"] for report in reports for made in report.rounds]
    gap, cross = (sum(one[key] for one in chosen) for key in ("sum_score_diff", "cross_score_pairs"))
    print(f"{'bbpPairings':18}{len(chosen):8}{gap:13.1f}{cross:13}{0:11}{0:13}")


def main() -> None:
    """Print the speed, then the quality."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, nargs="*", default=[200, 1000, 2000])
    parser.add_argument("--played", type=int, nargs="*", default=[5])
    parser.add_argument("--method", default="slide")
    args = parser.parse_args()
    print(
        f"{'players':>7}{'played':>7}  {'method':8}{'whole':>8}{'pairing':>9}{'matching':>9}{'all pairs':>11}"
        f"{'networkx near':>15}{'networkx all':>15}   totals"
    )
    for players in args.players:
        for played in args.played:
            print(row(players, played, args.method))
            sys.stdout.flush()
    print()
    quality()


if __name__ == "__main__":
    main()
