"""Rulings of directors and of the clock, described, and which of them can be undone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.utils.translation import gettext as _

from tournaments.base import labels, local_times, rules_in_words
from tournaments.base.event_lines import format_author
from tournaments.base.event_view import EventView, MatchView
from tournaments.models import Decision, PairingState, Report, Ruling, Tournament
from tournaments.play import appointments, openings

MOST: Final = 200


@dataclass(frozen=True, slots=True)
class RulingLine:
    pk: int
    act: str
    detail: str
    by: str
    at: datetime
    when: str
    reason: str
    may_restore: bool
    is_restored: bool


@dataclass(frozen=True, slots=True)
class RulingLog:
    lines: tuple[RulingLine, ...]
    # The ruling before which the next page begins, None on the last page.
    older: int | None


def list_rulings(
    event: Tournament, view: EventView, *, key: str = "", before: int | None = None
) -> RulingLog:
    """List the rulings of an event, or of the match *key*; with *before*, those older than that ruling."""
    rows = Ruling.objects.filter(tournament=event).select_related("by__player", "helper").order_by("-pk")
    if key:
        rows = rows.filter(data__key=key)
    if before is not None:
        rows = rows.filter(pk__lt=before)
    found = list(rows[: MOST + 1])
    shown = found[:MOST]
    return RulingLog(
        tuple(describe_ruling(event, row, view) for row in shown), shown[-1].pk if len(found) > MOST else None
    )


def describe_ruling(event: Tournament, row: Ruling, view: EventView) -> RulingLine:
    zone = event.club.time_zone
    return RulingLine(
        pk=row.pk,
        act=row.get_act_display(),
        detail=" · ".join(_list_details(row.data, view)),
        by=get_author(row),
        at=row.at,
        when=local_times.format_moment(row.at, zone),
        reason=row.reason_text,
        may_restore=row.before is not None and row.restored_by_id is None,
        is_restored=row.restored_by_id is not None,
    )


def get_author(row: Ruling) -> str:
    return format_author(row.helper, row.by) or (_("the clock") if row.by_id is None else "")


def _list_details(data: dict[str, Any], view: EventView) -> list[str]:
    found: list[str] = []
    play = view.by_key.get(str(data.get("key", "")))
    if play is not None:
        between = data.get("between")
        players = (
            map(view.by_number.get, between)
            if isinstance(between, list)
            else (view.who(play.a_id), view.who(play.b_id))
        )
        names = " – ".join(who.name for who in players if who)  # noqa: RUF001
        found.append(f"{view.label(play)}: {names}" if names else view.label(play))
    for name in ("entry", "other"):
        who = view.by_number.get(data[name]) if isinstance(data.get(name), int) else None
        if who is not None:
            found.append(who.name)
    members = (view.by_number.get(number) for number in data.get("members", ()))
    found.extend(who.name for who in members if who is not None)
    for pair in data.get("exchanges", ()):
        two = (view.by_number.get(number) for number in pair)
        found.append(" ⇄ ".join(who.name for who in two if who is not None))
    if isinstance(data.get("round"), int):
        found.append(labels.format_round(data["round"]))
    found.extend(_list_result(data, view))
    if isinstance(data.get("players"), list):
        found.append(str(len(data["players"])))
    return [*found, *_list_further_details(data), *appointments.describe_ruling_facts(data, view)]


def _list_result(data: dict[str, Any], view: EventView) -> Iterator[str]:
    score = data.get("score")
    if isinstance(score, list) and len(score) == 2:
        # Word joiners keep a score on one line.
        yield f"{score[0]}\u2060–\u2060{score[1]}"  # noqa: RUF001
        return
    won = view.by_number.get(data.get("winner") or 0)
    if won is not None and "score" in data and data.get("kind", "played") == "played":
        yield labels.format_winner(won.name)


def _list_further_details(data: dict[str, Any]) -> list[str]:
    decision = data.get("decision", Decision.RESULT)
    parts = (
        (decision != Decision.RESULT, str(Decision(decision).label)),
        (data.get("position"), str(data.get("position"))),
        (data.get("stands"), _("later results are kept")),
        (data.get("place") == openings.WAIT, _("Waiting list")),
        (data.get("table"), labels.format_table(str(data.get("table", "")))),
    )
    return [words for is_so, words in parts if is_so]


@dataclass(frozen=True, slots=True)
class MatchFacts:
    length: str
    # Since when it can be played; "" once it is decided.
    opened: str
    decided: str
    called: str
    deadline: str
    late: tuple[str, ...]
    # True if there was a report, even if it was dropped.
    is_reported: bool


def load_match_facts(event: Tournament, view: EventView, play: MatchView) -> MatchFacts:
    zone = event.club.time_zone

    def moment(at: datetime | None) -> str:
        return local_times.format_moment(at, zone) if at else ""

    late = []
    for pk, points in ((play.a_id, play.a_late), (play.b_id, play.b_late)):
        who = view.who(pk)
        if who is not None and points:
            late.append(_("%(name)s: %(points)s") % {"name": who.name, "points": points})
    return MatchFacts(
        length=rules_in_words.describe_match(play.length, play.rules),
        opened="" if play.state == PairingState.DECIDED else moment(play.opened_at),
        decided=moment(play.decided_at),
        called=moment(play.called_at),
        deadline=moment(play.deadline_at),
        late=tuple(late),
        is_reported=Report.objects.filter(pairing__tournament=event, pairing__key=play.key).exists(),
    )
