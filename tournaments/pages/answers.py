"""Rows of an event as the API tells them."""

from __future__ import annotations

from dataclasses import asdict
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from django.urls import reverse
from django.utils import translation

from draw.play import RulesOfPlay
from matches.models import Match
from tournaments.base import labels, lines, log_authors, settings
from tournaments.models import Draw, Entry, Pairing, Report, Ruling, Tournament
from tournaments.status import Status

if TYPE_CHECKING:
    from draw.comparison import PlaceChange
    from draw.event import Figure, Ranked
    from tournaments.models import Stage

Json = dict[str, Any]


def event(row: Tournament, *, entered: int) -> Json:
    told = {
        name: getattr(row, name)
        for name in (
            "uid",
            "key",
            "name",
            "status",
            "version",
            "starts_at",
            "started_at",
            "finished_at",
            "paused_at",
            "over_at",
            "pairing_at",
            "place",
            "about",
            "match_length",
            "capacity",
        )
    } | settings.serialize_public(row)
    play = RulesOfPlay.from_json(row.play)
    with translation.override("en"):
        told["format_label"] = labels.said_format(row.format_label, row.played_as)
    return {**told, "club": row.club.slug, "entered": entered, "play": asdict(play)}


def stage(row: Stage) -> Json:
    """Tell of a stage, with its draw once everybody may see it."""
    drawn = getattr(row, "draw", None)
    return {
        "number": row.number,
        "name": row.name,
        "format": row.format,
        "options": row.options,
        "takes": row.takes,
        "rules": row.rules,
        "draw": draw(drawn) if drawn is not None and drawn.published_at else None,
    }


def draw(row: Draw) -> Json:
    return {
        "lines": row.lines,
        "method": row.method,
        "attempt": row.attempt,
        "late": row.late,
        "commitment": row.commitment,
        "witnesses": row.witnesses,
        "note": row.note,
        "published_at": row.published_at,
    }


def entry(row: Entry, status: str) -> Json:
    """Tell of a player in an event."""
    return {
        "uid": row.uid,
        "number": row.number,
        "player": row.player.key,
        "name": lines.shown_name(row.player),
        "entered_at": row.entered_at,
        "waits": row.waits,
        "checked_in": row.checked_in_at is not None,
        "seed": row.seed,
        "rating": row.rating,
        "left": row.left,
        "is_disqualified": row.is_disqualified,
        "place": row.place if status == Status.FINISHED else None,
    }


def pairing(row: Pairing) -> Json:
    """Tell of a pairing; its entries, stage, round and match were fetched with it."""
    return {
        "uid": row.uid,
        "key": row.key,
        "stage": row.stage.number,
        "bracket": row.bracket,
        "round": row.round.number,
        "number": row.number,
        "state": row.state,
        "length": row.length,
        "a": _seat(row.a, row.a_from, row.a_key, row.a_number),
        "b": _seat(row.b, row.b_from, row.b_key, row.b_number),
        "kind": row.kind,
        "winner": None if row.winner is None else row.winner.number,
        "score": None if row.score_a is None else [row.score_a, row.score_b],
        "table": row.table,
        "opened_at": row.opened_at,
        "deadline_at": row.deadline_at,
        "decided_at": row.decided_at,
        "match": None if row.match is None else row.match.key,
    }


def _seat(found: Entry | None, origin: str, key: str, number: int) -> Json:
    return {"entry": None if found is None else found.number, "origin": origin, "of": key, "number": number}


def ranked(row: Ranked) -> Json:
    """Tell of a place in the order."""
    return {
        "entry": int(row.entrant),
        "rank": row.rank,
        "shared": row.shared,
        "places": row.places,
        "open": row.is_open,
        "group": row.group,
        "figures": {name: figure(value) for name, value in row.figures},
    }


def figure(value: Figure) -> Any:
    """Return a figure as JSON has it; a fraction as a text, so that it stays exact."""
    return str(value) if isinstance(value, Fraction) else value


def ruling(row: Ruling) -> Json:
    return {
        "uid": row.uid,
        "id": row.pk,
        "act": row.act,
        "by": log_authors.helper(row.helper) or ("" if row.by is None else str(row.by)),
        "reason": row.reason,
        "data": row.data,
        "at": row.at,
        "can_be_restored": row.before is not None and row.restored_by_id is None,
        "restored_by": row.restored_by_id,
    }


def ripple(row: PlaceChange) -> Json:
    """Tell what becomes of a place."""
    return {
        "key": row.key,
        "change": row.change.value,
        "before": [int(one) for one in row.before],
        "after": [int(one) for one in row.after],
        "lost_result": row.lost_result,
    }


def about(found: object, status: str) -> Json | None:
    """Tell of whatever a service gave back."""
    match found:
        case Pairing():
            return {"pairing": pairing(found)}
        case Entry():
            return {"entry": entry(found, status)}
        case Draw():
            return {"draw": draw(found)}
        case Ruling():
            return {"ruling": ruling(found)}
        case Report():
            told = {"uid": found.uid, "key": found.pairing.key, "status": found.status, "at": found.at}
            return {"report": told}
        case Match():
            url = reverse("matches:match", args=[found.key])
            return {"match": {"uid": found.uid, "key": found.key, "url": url}}
        case list():
            return {"entries": [entry(one, status) for one in found if isinstance(one, Entry)]}
        case _:
            return None
