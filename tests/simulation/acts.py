"""Acts of the people of an event: each builder returns a body, or None if the act is not possible now."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Any, Final

from tournaments.base import expectations
from tournaments.models import Entry, Pairing, PairingState, Report, ReportStatus, Round, RoundStatus, Ruling

if TYPE_CHECKING:
    from tests.simulation.evening import Evening

Body = dict[str, Any]
REASON: Final = "as it was"


def build_result(evening: Evening, rng: Random) -> Body | None:
    """Enter a result as the desk does, of a match that was open when the director last looked."""
    row = _choose(rng, evening.seen)
    if row is None:
        return None
    body: Body = {"key": row.key, "score": _make_score(rng, row.length)}
    if rng.random() < 0.5:
        body["expects"] = expectations.build_row_state(evening.event, row, ("a", "b"))
    return body


def build_correction(evening: Evening, rng: Random) -> Body | None:
    row = _choose(rng, [row for row in evening.list_rows() if row.kind and row.a and row.b])
    if row is None:
        return None
    body: Body = {"key": row.key, "reason": REASON, "stand": rng.random() < 0.2}
    kind = rng.choice(["played", "played", "played", "forfeit", "walkover", "void", ""])
    body["kind"] = kind
    if kind == "played":
        body["score"] = _make_score(rng, row.length)
    elif kind in {"forfeit", "walkover"}:
        body["winner"] = rng.choice([row.a, row.b]).number
    return body


def build_end_by_rule(evening: Evening, rng: Random) -> Body | None:
    row = _choose(rng, evening.seen)
    return row and {"key": row.key, "loser": rng.choice([row.a, row.b]).number}


def build_end_of_both(evening: Evening, rng: Random) -> Body | None:
    row = _choose(rng, evening.seen)
    return row and {"key": row.key, "reason": REASON}


def build_call(evening: Evening, rng: Random) -> Body | None:
    row = _choose(rng, evening.seen)
    return row and {"key": row.key, "table": str(rng.randint(1, 9))}


def build_lateness(evening: Evening, rng: Random) -> Body | None:
    row = _choose(rng, evening.seen)
    return row and {"key": row.key, "entry": rng.choice([row.a, row.b]).number, "points": rng.randint(0, 3)}


def build_departure(evening: Evening, rng: Random) -> Body | None:
    entry = _choose(rng, evening.list_entries())
    return entry and {"entry": entry.number, "after": rng.random() < 0.5}


def build_disqualification(evening: Evening, rng: Random) -> Body | None:
    entry = _choose(rng, evening.list_entries())
    return entry and {"entry": entry.number, "reason": REASON}


def build_substitution(evening: Evening, rng: Random) -> Body | None:
    entry = _choose(rng, evening.list_entries())
    return entry and {"entry": entry.number, "name": evening.name_newcomer(), "reason": REASON}


def build_exchange(evening: Evening, rng: Random) -> Body | None:
    entries = evening.list_entries()
    if len(entries) < 2:
        return None
    one, other = rng.sample(entries, 2)
    return {"entry": one.number, "other": other.number, "reason": REASON}


def build_absence(evening: Evening, rng: Random) -> Body | None:
    entries = evening.list_entries()
    return {"entries": [rng.choice(entries).number]} if entries else None


def build_late_entry(evening: Evening, rng: Random) -> Body | None:
    return {"name": evening.name_newcomer()} if evening.newcomers < 3 else None


def build_ruling(evening: Evening, rng: Random) -> Body | None:
    """Decide a dispute: one of the reports, another result, or they play on."""
    report = _choose(rng, list(_query_reports(evening).filter(status=ReportStatus.DISPUTED)))
    if report is None:
        return None
    row = report.pairing
    body: Body = {"key": row.key, "reason": REASON}
    decision = rng.choice(["accept", "result", "forfeit", "play-on"])
    body["decision"] = decision
    if decision == "result":
        body["score"] = _make_score(rng, row.length)
    elif decision in {"accept", "forfeit"}:
        body["entry"] = rng.choice([row.a, row.b]).number
    return body


def build_undoing(evening: Evening, rng: Random) -> Body | None:
    """Undo an act of the log."""
    rulings = Ruling.objects.filter(tournament=evening.event, before__isnull=False, restored_by=None)
    which = _choose(rng, list(rulings.order_by("-pk").values_list("pk", flat=True)[:6]))
    return which and {"ruling_id": which, "reason": REASON}


def build_taking_back(evening: Evening, rng: Random) -> Body | None:
    """Take back the last result, within the seconds in which that needs no reason."""
    undoing = build_undoing(evening, rng)
    return undoing and {"ruling_id": undoing["ruling_id"]}


def build_round(evening: Evening, rng: Random) -> Body | None:
    batch = (
        Round.objects.filter(stage__tournament=evening.event, status=RoundStatus.DRAFT)
        .select_related("stage")
        .order_by("stage__number", "number")
        .first()
    )
    return batch and {"stage": batch.stage.number, "number": batch.number}


def build_tie_break(evening: Evening, rng: Random) -> Body | None:
    return {"stage": 1, "playoff": rng.random() < 0.5, "reason": REASON}


def build_extension(evening: Evening, rng: Random) -> Body | None:
    return {"stage": 1} if evening.extensions < 1 else None


def build_bye(evening: Evening, rng: Random) -> Body | None:
    entry = _choose(rng, evening.list_entries())
    return entry and {"entry": entry.number, "round": rng.randint(1, 4)}


def build_couple(evening: Evening, rng: Random) -> Body | None:
    entries = evening.list_entries()
    return {"members": [each.number for each in rng.sample(entries, 2)]} if len(entries) > 1 else None


def build_end(evening: Evening, rng: Random) -> Body | None:
    """End the event early, or cancel it, or bring it back."""
    return {"reason": REASON}


def build_pause(evening: Evening, rng: Random) -> Body | None:
    return {}


def build_report(evening: Evening, rng: Random) -> Body | None:
    """Report one's own match."""
    mine = _list_own_matches(evening)
    row = _choose(rng, mine)
    return row and {"key": row.key, "score": _make_score(rng, row.length)}


def build_confirmation(evening: Evening, rng: Random) -> Body | None:
    """Choose an open report of the player's matches, to confirm or to dispute it."""
    keys = {row.key for row in _list_own_matches(evening)}
    reports = _query_reports(evening).filter(status=ReportStatus.OPEN, pairing__key__in=keys)
    report = _choose(rng, list(reports))
    return report and {"key": report.pairing.key, "score": [report.score_a, report.score_b]}


def build_leaving(evening: Evening, rng: Random) -> Body | None:
    return {"after": rng.random() < 0.5}


# Each act with the role that requests it, its weight, and a function for its body.
OCCASIONS: Final[tuple[tuple[str, str, float, Callable[[Evening, Random], Body | None]], ...]] = (
    ("result", "director", 40, build_result),
    ("correct", "director", 5, build_correction),
    ("forfeit", "director", 2, build_end_by_rule),
    ("walkover", "director", 2, build_end_by_rule),
    ("no-show", "director", 2, build_end_by_rule),
    ("double-forfeit", "director", 1, build_end_of_both),
    ("void", "director", 1, build_end_of_both),
    ("call", "director", 4, build_call),
    ("late", "director", 1, build_lateness),
    ("withdraw", "director", 1.5, build_departure),
    ("disqualify", "director", 0.5, build_disqualification),
    ("substitute", "director", 1, build_substitution),
    ("exchange", "director", 1, build_exchange),
    ("away", "director", 1, build_absence),
    ("back", "director", 2, build_absence),
    ("late-entry", "director", 2, build_late_entry),
    ("rule", "director", 4, build_ruling),
    ("restore", "director", 2, build_undoing),
    ("take-back", "director", 2, build_taking_back),
    ("publish-round", "director", 4, build_round),
    ("break-ties", "director", 1, build_tie_break),
    ("add-round", "director", 1, build_extension),
    ("ask-bye", "director", 1, build_bye),
    ("unask-bye", "director", 0.5, build_bye),
    ("keep-apart", "director", 0.5, build_couple),
    ("release", "director", 0.5, build_couple),
    ("end-early", "director", 0.3, build_end),
    ("cancel", "director", 0.3, build_end),
    ("reopen", "director", 4, build_end),
    ("archive", "director", 2, build_pause),
    ("pause", "director", 1, build_pause),
    ("resume", "director", 4, build_pause),
    ("report", "player", 14, build_report),
    ("confirm", "player", 10, build_confirmation),
    ("dispute", "player", 3, build_confirmation),
    ("leave", "player", 0.5, build_leaving),
)
# The acts of an evening in which nothing goes wrong but the network and the machines.
QUIET: Final = frozenset(
    {
        "result",
        "forfeit",
        "walkover",
        "call",
        "publish-round",
        "pause",
        "resume",
        "report",
        "confirm",
        "dispute",
        "rule",
    }
)


def _list_own_matches(evening: Evening) -> list[Pairing]:
    """List the open matches of the player whose turn it is to act."""
    me = evening.player
    return [
        row
        for row in evening.list_rows()
        if row.state == PairingState.READY
        and row.opened_at
        and row.a
        and row.b
        and me in {row.a.player_id, row.b.player_id}
    ]


def _query_reports(evening: Evening) -> Any:
    return (
        Report.objects.filter(pairing__tournament=evening.event)
        .select_related("pairing__a", "pairing__b")
        .order_by("pk")
    )


def _make_score(rng: Random, length: int) -> list[int]:
    points = rng.randint(0, length - 1)
    return [length, points] if rng.random() < 0.5 else [points, length]


def _choose(rng: Random, rows: list[Any]) -> Any:
    return rng.choice(rows) if rows else None


def list_entries(evening: Evening) -> list[Entry]:
    there = Entry.objects.filter(tournament=evening.event, withdrawn_at__isnull=True, number__gt=0)
    return list(there.order_by("number"))
