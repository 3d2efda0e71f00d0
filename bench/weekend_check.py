"""The independent check of `bench.weekend`: what was acknowledged against what the product says at the end."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final

from tests.simulation import checker
from tests.simulation.checker import EventPlan

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from bench.weekend_people import Hand

Act = tuple[str, "dict[str, Any]", "dict[str, Any]"]
SCORES: Final = frozenset({"result", "correct"})
# Their names are the kinds of result they leave.
LOSSES: Final = frozenset({"walkover", "no-show", "forfeit"})
# After one of these, a result may have been dropped with good reason, and places follow from more than wins.
DISTURBING: Final = frozenset({"correct", "withdraw", "no-show", "disqualify", "void", "break-ties"})


def find_lost(acts: Iterable[Act], pairings: Mapping[str, Sequence[Mapping[str, Any]]]) -> Iterator[str]:
    """Yield each acknowledged result that its event does not show.

    Of several acts on a match the last counts. Events in which results were corrected or players left are passed
    over: there the same two need not have met in the end.
    """
    wanted: dict[tuple[str, str], Mapping[str, Any]] = {}
    disturbed = set()
    for event, body, _answer in acts:
        if body["act"] in SCORES | LOSSES:
            wanted[event, body["key"]] = body
        if body["act"] in DISTURBING:
            disturbed.add(event)
    shown = {(event, row["key"]): row for event, rows in pairings.items() for row in rows}
    for (event, key), body in wanted.items():
        row = shown.get((event, key), {"kind": "", "score": None})
        kind, score = ("played", body["score"]) if body["act"] in SCORES else (body["act"], row["score"])
        if event not in disturbed and (row["kind"], row["score"]) != (kind, score):
            yield f"{event} {key}: {kind} {score} was acknowledged, it says {row['kind']} {row['score']}"


def find_doubled(acts: Iterable[Act], rulings: Mapping[str, Sequence[Mapping[str, Any]]]) -> Iterator[str]:
    """Yield each event whose log tells of more acts of a kind than were acknowledged."""
    kinds = {"result": "ENTERED_RESULT", "correct": "CORRECTED", "walkover": "WALKOVER", "no-show": "NO_SHOW"}
    given: dict[tuple[str, str], int] = {}
    for event, body, _answer in acts:
        if body["act"] in kinds:
            at = event, kinds[body["act"]]
            given[at] = given.get(at, 0) + 1
    for event, rows in rulings.items():
        for kind in kinds.values():
            logged = sum(row["act"] == kind for row in rows)
            if logged != given.get((event, kind), 0):
                yield f"{event}: {given.get((event, kind), 0)} times {kind} was acknowledged, the log has {logged}"


def find_wrong_places(
    event: str,
    form: str,
    options: Mapping[str, Any],
    acts: Iterable[Act],
    pairings: Sequence[Mapping[str, Any]],
    ranks: Sequence[Mapping[str, Any]],
) -> Iterator[str]:
    """Yield what is wrong with the places of a finished event, by rules that share no code with the product."""
    is_quiet = not any(at == event and body["act"] in DISTURBING for at, body, _answer in acts)
    plan = EventPlan(
        [{"format": form, "options": options}], 0, len(ranks), is_paired_by_worker=False, is_quiet=is_quiet
    )
    entries = [SimpleNamespace(number=rank["entry"], place=rank["rank"], waits=False) for rank in ranks]
    by_number = {entry.number: entry for entry in entries}
    rows = [_read_match(row, by_number) for row in pairings]
    for problem in checker.find_problems(plan, entries, rows):  # type: ignore[arg-type]
        yield f"{event} ({form}): {problem}"


def _read_match(row: Mapping[str, Any], entries: Mapping[int, Any]) -> Any:
    a, b = (entries.get(row[side]["entry"]) for side in "ab")
    winner = entries.get(row["winner"])
    score = row["score"] or (None, None)
    return SimpleNamespace(
        id=row["uid"],
        key=row["key"],
        a=a,
        b=b,
        winner=winner,
        a_id=a and a.number,
        b_id=b and b.number,
        winner_id=winner and winner.number,
        kind=row["kind"],
        score_a=score[0],
        score_b=score[1],
        is_cancelled=row["state"] == "void",
        bracket=row["bracket"],
        round=SimpleNamespace(number=row["round"]),
    )


def check(hand: Hand, events: Mapping[str, tuple[str, Mapping[str, Any]]], acts: list[Act]) -> list[str]:
    """Compare all events with what was acknowledged; return what is wrong."""
    pairings = {event: hand.list(f"events/{event}/pairings/") for event in events}
    rulings = {event: hand.list(f"events/{event}/rulings/") for event in events}
    problems = [*find_lost(acts, pairings), *find_doubled(acts, rulings)]
    for event, (form, options) in events.items():
        ranks = hand.list(f"events/{event}/standings/")
        problems += find_wrong_places(event, form, options, acts, pairings[event], ranks)
    return problems
