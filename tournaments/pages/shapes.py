"""Answers of the API about an event."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.utils import translation
from rest_framework import serializers

from draw.comparison import PlaceChangeKind
from draw.event import serialize_figures
from draw.options import list_settings
from draw.rules_of_play import RulesOfPlay
from runtime.http.answers import ABSENT, Answer, about
from runtime.rows import ABOUT_UID
from tournaments.base import act_fields_api, event_lines, labels, option_fields_api, settings
from tournaments.models import OPEN_REPORTS, Entry, Pairing, Report, Tournament
from tournaments.play import claims
from tournaments.play.backlog import Work
from tournaments.status import Status

TAG: Final = "events"


class ReasonAnswer(Answer):
    """The reason for a fact; for rounds, the reason at the time of pairing."""

    code: str = about("The same in every language.")
    sentence: str = about("In the language that was asked for.")
    entries: dict[str, int] = about("Whom it names: their numbers.")
    places: dict[str, str] = about("Which pairings it names: their keys.")
    figures: dict[str, Any] = about(
        "What decided; a fraction is a text.",
        source=lambda reason: serialize_figures(reason.figures.items()),
    )


class DrawAnswer(Answer):
    """A published draw."""

    lines: list[int | None] = about(
        described=serializers.ListField(
            child=serializers.IntegerField(allow_null=True),
            help_text="Entry numbers; null where nobody stands.",
        )
    )
    method: str
    attempt: int
    late: list[list[int]] = about("A line and the number of whoever took its bye later.")
    commitment: str
    witnesses: list[str]
    note: str
    published_at: datetime
    why: list[ReasonAnswer] = about("What was placed, what the lot decided, and who came late.")


class StageAnswer(Answer):
    """A stage as announced; `docs/pairing.md` describes formats and options."""

    number: int
    name: str
    format: str
    options: dict[str, Any]
    takes: list[Any]
    rules: list[Any]
    draw: DrawAnswer | None = about("Null until it is published.")


class PlayedAnswer(Answer):
    """Rules of play, in full."""

    rules: dict[str, Any] = about(
        source=asdict, merged=lambda: option_fields_api.build_answer_fields(list_settings(RulesOfPlay))
    )


def _describe_format(event: Tournament) -> str:
    with translation.override("en"):
        return labels.describe_format(event.format_label, event.played_as)


class EventAnswer(Answer):
    """An event, as lists show it."""

    uid: UUID = about(ABOUT_UID)
    key: str
    name: str
    status: str
    version: int = about("Counts every change.")
    starts_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    paused_at: datetime | None
    over_at: datetime | None = about(
        "Everything is played since then, and the final order waits for approval."
    )
    pairing_at: datetime | None = about("When a worker works out what follows from the last results.")
    place: str
    description: str = about(name="about", source="about")
    match_length: int
    capacity: int | None
    settings: dict[str, Any] = about(
        source=settings.serialize_public,
        merged=lambda: option_fields_api.build_answer_fields(settings.list_declared()),
    )
    format_label: str = about(
        "How it is played, in the director's own words, or in English.", source=_describe_format
    )
    club: str = about(source="club.slug")
    entered: int
    play: PlayedAnswer = about(
        "The rules of play, where no bracket or round says otherwise.",
        source=lambda event: RulesOfPlay.from_json(event.play),
    )


class WholeEventAnswer(EventAnswer):
    """An event with how it is played."""

    stages: list[StageAnswer]
    commitment: str = about(
        "What fixes the seed of the draw before it is made; blank where nothing is drawn here."
    )
    seed: str = about("The seed itself, once the draw is published.")
    work: Work = about(
        "What a worker is at: `draw`, the matches of a published draw; `results`, what follows from results; "
        "`failed`, the last attempt at either did not succeed and is repeated; blank, nothing."
    )
    live: dict[str, Any] = about("A token and an address to follow the event by.")


class AgreedByeAnswer(Answer):
    """A round that a player sits out by agreement."""

    round: int
    points: str = about("A fraction is a text.")


class EntryAnswer(Answer):
    """A player in an event."""

    uid: UUID = about(ABOUT_UID)
    number: int
    player: str = about(source="player.key")
    name: str = about(source=lambda entry: event_lines.format_player_name(entry.player))
    entered_at: datetime
    waits: bool
    checked_in: bool = about(source=lambda entry: entry.checked_in_at is not None)
    seed: int | None
    rating: float | None
    left: str
    is_disqualified: bool
    place: int | None
    club: str = about("What the draw may keep apart; in a director's list of entries.", optional=True)
    family: str = about("As `club`.", optional=True)
    pot: int | None = about("The pot of the draw; in a director's list of entries.", optional=True)
    away: bool = about(
        "Not paired until they are back; in a director's list of entries.", source="is_absent", optional=True
    )
    byes: list[AgreedByeAnswer] = about(
        "The byes that were agreed; in a director's list of entries.",
        source=lambda entry: [AgreedByeAnswer(round=number, points=points) for number, points in entry.asked],
        optional=True,
    )


def serialize_entry(entry: Entry, status: str, *, is_for_director: bool = False) -> EntryAnswer:
    """Return an entry of an event with *status*; its place shows once the event is finished."""
    hidden = {} if is_for_director else dict.fromkeys(("club", "family", "pot", "away", "byes"), ABSENT)
    return EntryAnswer.read(entry, place=entry.place if status == Status.FINISHED else None, **hidden)


class SeatAnswer(Answer):
    """One side of a pairing: who sits there, or where they will come from."""

    entry: int | None
    origin: str
    of: str = about("The key of the pairing whose winner or loser comes.")
    number: int


def _serialize_seat(entry: Entry | None, origin: str, key: str, number: int) -> SeatAnswer:
    seated = None if entry is None else entry.number
    return SeatAnswer(entry=seated, origin=origin, of=key, number=number)


def _serialize_score(row: Pairing | Report) -> list[int | None] | None:
    return None if row.score_a is None else [row.score_a, row.score_b]


class ResultReportAnswer(Answer):
    """A result that one of the two has reported and that is not confirmed."""

    uid: UUID = about(ABOUT_UID)
    entry: int = about(
        "The number of the player who reported it.",
        source=lambda report: claims.find_number(report.pairing, report.by_id),
    )
    status: str = about(words=OPEN_REPORTS)
    score: list[int] | None = about("The points of a and of b.", source=_serialize_score)
    winner: int = about(
        source=lambda report: claims.find_number(
            report.pairing, claims.build_report_claim(report.pairing, report).winner_id
        )
    )
    games: list[dict[str, Any]] = about(described=act_fields_api.GameShape(many=True))
    at: datetime
    confirms_at: datetime | None = about("When it counts if it is not disputed.")


def _list_arrived(row: Pairing) -> list[int]:
    sides = ((row.a, row.a_here_at), (row.b, row.b_here_at))
    return [entry.number for entry, at in sides if entry is not None and at is not None]


class PairingAnswer(Answer):
    """A place of the event."""

    uid: UUID = about(ABOUT_UID)
    key: str
    stage: int = about(source="stage.number")
    bracket: str
    round: int = about(source="round.number")
    number: int
    state: str
    length: int
    a: SeatAnswer = about(source=lambda row: _serialize_seat(row.a, row.a_from, row.a_key, row.a_number))
    b: SeatAnswer = about(source=lambda row: _serialize_seat(row.b, row.b_from, row.b_key, row.b_number))
    kind: str
    winner: int | None = about(source=lambda row: claims.find_number(row, row.winner_id))
    score: list[int] | None = about(source=_serialize_score)
    table: str
    opened_at: datetime | None
    deadline_at: datetime | None
    decided_at: datetime | None
    match: str | None = about("The board it is played at live.", source="match.key")
    why: list[ReasonAnswer] = about("Why those two meet, or one of them sits out.")
    reports: list[ResultReportAnswer] = about(
        "What is reported and not confirmed; in the list of a director, and for the two players.",
        source=lambda row: row.reports.all(),
        optional=True,
    )
    called_at: datetime | None = about(
        "When both are expected at the board; in a director's list of pairings.", optional=True
    )
    here: list[int] = about(
        "The numbers of those at the board; as `called_at`.", source=_list_arrived, optional=True
    )
    late: list[int] = about(
        "The penalty points of a and of b for lateness; as `called_at`.",
        source=lambda row: [row.a_late, row.b_late],
        optional=True,
    )
    needs_director: str = about(
        "Why it needs the director: `dispute`, `no-show`, `deadline`, or blank; as `called_at`.",
        optional=True,
    )


_FOR_DIRECTORS: Final = ("called_at", "here", "late", "needs_director")


def serialize_pairing(
    row: Pairing, *, why: Any = ABSENT, is_for_director: bool = False, has_reports: bool = False
) -> PairingAnswer:
    """Return a pairing; with its reports only for directors and its two players."""
    hidden = [*(() if is_for_director else _FOR_DIRECTORS), *(() if has_reports else ("reports",))]
    return PairingAnswer.read(row, why=why, **dict.fromkeys(hidden, ABSENT))


class RankAnswer(Answer):
    """A place in the order."""

    entry: int = about(source=lambda row: int(row.entrant))
    rank: int
    shared: int = about("How many share it; of who is still in: how many can be reached.")
    places: str = about("The same in words: 3, or 3–6.")  # noqa: RUF001
    open: bool = about("Still in: the places are those that can still be reached.", source="is_open")
    group: str
    figures: dict[str, Any] = about(source=lambda row: serialize_figures(row.figures))
    why: list[ReasonAnswer] = about("What separates this place from the one above, if both are level.")


class RulingAnswer(Answer):
    """An act of a director, or of the clock on the director's behalf."""

    uid: UUID = about(ABOUT_UID)
    id: int
    act: str
    by: str = about(source=lambda row: event_lines.format_author(row.helper, row.by))
    reason: str
    data: dict[str, Any]
    at: datetime
    can_be_restored: bool = about(source=lambda row: row.before is not None and row.restored_by_id is None)
    restored_by: int | None = about(source="restored_by_id")


class RippleAnswer(Answer):
    """The change of one place."""

    key: str
    change: PlaceChangeKind
    before: list[int] = about(source=lambda row: map(int, row.before))
    after: list[int] = about(source=lambda row: map(int, row.after))
    lost_result: bool


class ActResultAnswer(Answer):
    """The result of an act; with `preview`, the result that it would have."""

    act: str
    version: int
    status: str
    subject: dict[str, Any] | None = about(
        "The entry, pairing, draw, ruling or match it was about.", name="about"
    )
    ripple: list[RippleAnswer] = about(optional=True)
