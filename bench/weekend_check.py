"""The independent check of `bench.weekend`: what was acknowledged against what the product says at the end."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from types import MappingProxyType, SimpleNamespace
from typing import Any, Final, NamedTuple

from bench.weekend_hand import Hand
from tests.simulation import checker
from tests.simulation.checker import EventPlan

Act = tuple[str, "dict[str, Any]", "dict[str, Any]"]
SCORES: Final = frozenset({"result", "correct", "confirm", "rule", "record", "help"})
# Formats whose final order is that of the main draw.
ONE_ORDER: Final = frozenset(
    {"single-elimination", "double-elimination", "swiss", "lives", "round-robin", "league"}
)
# Their names are the kinds of result they leave.
LOSSES: Final = frozenset({"walkover", "no-show", "forfeit"})
# After one of these, a result may have been dropped with good reason, and places follow from more than wins.
DISTURBING: Final = frozenset({"correct", "withdraw", "no-show", "disqualify", "void", "break-ties"})


class MoneyTerms(NamedTuple):
    """What the checker has to know of the terms: whole units, percents of all fees, and percents by place.

    All of a side pool is for the best of those who paid into it.
    """

    added: int
    rake_percent: int
    prizes: tuple[int, ...]


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


def find_doubled(
    acts: Iterable[Act],
    rulings: Mapping[str, Sequence[Mapping[str, Any]]],
    unsure: Mapping[str, int] = MappingProxyType({}),
) -> Iterator[str]:
    """Yield each event whose log has more or fewer acts of a kind than were acknowledged.

    *unsure*: for each event, the number of results that were sent again without a key; these may be in the
    log without an acknowledgement.
    """
    kinds = {
        "result": "ENTERED_RESULT", "help": "ENTERED_RESULT", "record": "ENTERED_RESULT", "correct": "CORRECTED", "rule": "RULED",
        "walkover": "WALKOVER", "no-show": "NO_SHOW",
    }  # fmt: skip
    given: dict[tuple[str, str], int] = {}
    for event, body, answer in acts:
        # A record that agrees with what was reported enters nothing.
        if body["act"] in kinds and answer.get("outcome", "entered") == "entered":
            at = event, kinds[body["act"]]
            given[at] = given.get(at, 0) + 1
    for event, rows in rulings.items():
        for kind in sorted({*kinds.values()}):
            logged = sum(row["act"] == kind for row in rows)
            spare = unsure.get(event, 0) if kind == "ENTERED_RESULT" else 0
            if not 0 <= logged - given.get((event, kind), 0) <= spare:
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


def find_wrong_ratings(
    entries: Sequence[Mapping[str, Any]], rows: Iterable[Mapping[str, Any]]
) -> Iterator[str]:
    """Yield the errors in the ledger of a list by the formula of FIBS, and the matches that it lacks.

    *rows* are the played matches of events without corrections and without withdrawals.
    """
    standings: dict[str, tuple[float, int]] = {}
    for one, other in zip(entries[::2], entries[1::2], strict=True):
        if one["match"] != other["match"] or one["won"] == other["won"]:
            yield f"two entries do not belong together: {one['match']}, {other['match']}"
            return
        before = [standings.get(entry["player"], (1500.0, 0)) for entry in (one, other)]
        length = one["length"]
        for entry, (own, experience), (rival, _) in zip((one, other), before, before[::-1], strict=True):
            chance = 1 / (10 ** ((rival - own) * math.sqrt(length) / 2000) + 1)
            k = max(1.0, 5 - experience / 100)
            after = own + k * 4 * math.sqrt(length) * (entry["won"] - chance)
            if not math.isclose(entry["after"], after, abs_tol=1e-6):
                yield f"{entry['match']}: {entry['player']} has {entry['after']}, by the formula {after}"
            standings[entry["player"]] = (after, experience + length)
    rated = Counter(entry["match"] for entry in entries)
    for row in rows:
        is_counted = row["kind"] == "played" and row["winner"] and row["state"] != "void"
        if rated[row["uid"]] != (2 if is_counted else 0):
            yield f"{row['uid']} ({row['kind']}) is {rated[row['uid']]} times in the list"


def find_wrong_money(
    money: Mapping[str, Any],
    lines: Sequence[Mapping[str, Any]],
    acked: Sequence[Mapping[str, Any]],
    terms: MoneyTerms,
    entries: Sequence[Mapping[str, Any]],
    *,
    has_one_order: bool = True,
) -> Iterator[str]:
    """Yield what is wrong with the money of an event: lines that were not acknowledged, lost or changed, sums, prizes.

    *has_one_order*: its final order is that of the main draw, since there is no consolation.
    """
    yield from _find_wrong_lines(lines, acked)
    totals = Counter[str]()
    for line in lines:
        totals[line["kind"]] += line["amount"]
    sums = money["sums"]
    rake = totals["fee"] * terms.rake_percent // 100
    from_registration = min(abs(totals["expense"]), totals["registration"])
    for name, value in (
        ("fees", totals["fee"]),
        ("registration", totals["registration"]),
        ("added", terms.added),
        ("stakes", totals["stake"]),
        ("rake", rake),
        ("expenses", abs(totals["expense"]) - from_registration),
    ):
        if sums[name] != value:
            yield f"{name} are {sums[name]}, the lines add up to {value}"
    there = sums["fees"] + sums["added"] + sums["stakes"]
    gone = sums["payouts"] + sums["rake"] + sums["expenses"] + sums["carried"]
    if there != gone:
        yield f"{there} came in, {gone} are accounted for"
    yield from _find_wrong_payouts(money, lines)
    pot = totals["fee"] - rake + terms.added
    shares = (*terms.prizes, 100 - sum(terms.prizes))
    prizes = divide(pot - min(pot, abs(totals["expense"]) - from_registration), shares)[:-1]
    stakes = Counter[int]()
    for line in lines:
        if line["kind"] == "stake":
            stakes[line["entrant"]] += line["amount"]
    wanted = Counter(share_out(entries, prizes))
    due = Counter({row["entrant"]: row["amount"] for row in money["due"]})
    if has_one_order:
        wanted.update(share_out([row for row in entries if stakes[row["number"]]], [stakes.total()]))
    else:
        # The pool goes by the main draw alone. It can be in nothing but the difference.
        won = due - wanted
        if won.total() == stakes.total() and won.keys() <= (+stakes).keys():
            wanted += won
    if +due != +wanted:
        yield f"{dict(+due)} is due, by their places it is {dict(+wanted)}"


def divide(amount: int, shares: Sequence[int]) -> list[int]:
    """Divide whole units by percents; units that are left over go to the largest remainders, the first of equal ones."""
    found = [amount * share // 100 for share in shares]
    by_rest = sorted(range(len(shares)), key=lambda place: -(amount * shares[place] % 100))
    for place in by_rest[: amount - sum(found)]:
        found[place] += 1
    return found


def share_out(entries: Sequence[Mapping[str, Any]], prizes: Sequence[int]) -> dict[int, int]:
    """Return the winnings by entrant: who share a place share its prizes, with odd units by the alphabet."""
    won: dict[int, int] = {}
    placed = sorted((row for row in entries if row["place"]), key=lambda row: (row["place"], row["name"]))
    for _place, group in groupby(placed, key=lambda row: row["place"]):
        people = [row["number"] for row in group]
        each, odd = divmod(sum(prizes[len(won) : len(won) + len(people)]), len(people))
        won |= {entry: each + (number < odd) for number, entry in enumerate(people)}
    return won


def _find_wrong_lines(
    lines: Sequence[Mapping[str, Any]], acked: Sequence[Mapping[str, Any]]
) -> Iterator[str]:
    """Yield each line that was not acknowledged, and each acknowledged line that is lost, twice or another."""
    wanted = {line["number"]: line for line in acked}
    shown = {line["number"]: line for line in lines}
    if len(wanted) != len(acked):
        yield "a line was acknowledged twice"
    for number in sorted(wanted.keys() | shown.keys()):
        if wanted.get(number) != shown.get(number):
            yield f"line {number} is {shown.get(number)}, {wanted.get(number)} was acknowledged"


def _find_wrong_payouts(money: Mapping[str, Any], lines: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield what was paid out and is not due, or is due and was not paid."""
    due = {row["entrant"]: row["amount"] for row in money["due"] if row["amount"]}
    if sum(due.values()) != money["sums"]["payouts"]:
        yield f"{sum(due.values())} are due, the payouts are {money['sums']['payouts']}"
    paid = Counter[int]()
    for line in lines:
        if line["kind"] == "payout":
            paid[line["entrant"]] += abs(line["amount"])
    if any(paid[entrant] != amount for entrant, amount in due.items()) or set(+paid) - set(due):
        yield f"{dict(paid)} was paid out, {due} is due"


def check(
    hand: Hand,
    events: Mapping[str, tuple[str, Mapping[str, Any]]],
    acts: list[Act],
    unsure: Mapping[str, int],
) -> list[str]:
    """Compare all events of a club with what was acknowledged; return what is wrong."""
    pairings = {event: hand.list(f"events/{event}/pairings/") for event in events}
    rulings = {event: hand.list(f"events/{event}/rulings/") for event in events}
    problems = [*find_lost(acts, pairings), *find_doubled(acts, rulings, unsure)]
    for event, (form, options) in events.items():
        ranks = hand.list(f"events/{event}/standings/")
        problems += find_wrong_places(event, form, options, acts, pairings[event], ranks)
    return problems


def check_ratings(hand: Hand, club: str, events: Iterable[str], acts: list[Act]) -> list[str]:
    """Compute the rating lists of a club again."""
    disturbed = {event for event, body, _answer in acts if body["act"] in DISTURBING}
    rows = [
        row for event in events if event not in disturbed for row in hand.list(f"events/{event}/pairings/")
    ]
    return [
        f"list {found['key']} of {club}: {problem}"
        for found in hand.list(f"rating-lists/?club={club}")
        for problem in find_wrong_ratings(hand.list(f"rating-lists/{found['key']}/entries/"), rows)
    ]


def check_money(
    hand: Hand, events: Mapping[str, str], acked: Mapping[str, Sequence[Mapping[str, Any]]], terms: MoneyTerms
) -> list[str]:
    """Add up the money of these events again, which are given with their formats."""
    problems = []
    for event, form in events.items():
        money = json.loads(hand.read("API money", f"/api/v1/events/{event}/money/", anew=True))
        lines = hand.list(f"events/{event}/money/lines/")
        entries = hand.list(f"events/{event}/entries/")
        problems += [
            f"money of {event}: {problem}"
            for problem in find_wrong_money(
                money, lines, acked.get(event, ()), terms, entries, has_one_order=form in ONE_ORDER
            )
        ]
    return problems
