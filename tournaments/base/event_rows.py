"""Conversion of an event's rows into pure values of the library `draw`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from fractions import Fraction
from functools import cached_property, lru_cache
from operator import attrgetter
from typing import Any

from draw import event as pure
from draw import stages as rules
from draw.event import EntrantId, From, Key, Kind, ReportingRule, State
from draw.options import BadOption
from draw.rules_of_play import RulesOfPlay
from engine.clock import MINUTE, PRESETS, SECOND
from tournaments.base import formats
from tournaments.models import Bye, Draw, Entry, Pairing, Round, RoundStatus, Stage, Tournament
from tournaments.models.entries import LEAVES

REPORTING = {one.value: one for one in ReportingRule}
KINDS = {one.value: one for one in Kind}
STATES = {one.value: one for one in State}
SOURCES = {one.value: one for one in From}


@dataclass
class Rows:
    event: Tournament
    stages: list[Stage]
    draws: dict[int, Draw]  # by primary key of the stage
    entries: list[Entry]  # in order of their numbers
    rounds: list[Round]  # in order of stage and number
    byes: list[Bye]
    pairings: list[Pairing]  # in order of stage and position

    @cached_property
    def entry_by_id(self) -> dict[EntrantId, Entry]:
        return {build_entrant_id(entry): entry for entry in self.entries}

    @cached_property
    def stage_by_name(self) -> dict[str, Stage]:
        return {stage.name: stage for stage in self.stages}

    @cached_property
    def id_by_pk(self) -> dict[int, EntrantId]:
        return {entry.pk: build_entrant_id(entry) for entry in self.entries}

    def who(self, pk: int | None) -> EntrantId | None:
        return None if pk is None else self.id_by_pk[pk]

    def is_drawn(self, stage: Stage) -> bool:
        draw = self.draws.get(stage.pk)
        return draw is not None and draw.published_at is not None


def load_rows(event: Tournament) -> Rows:
    """Load all rows of an event.

    Every act and every page does so: rows that cannot exist before the draw are not queried before it.
    """
    stages = list(Stage.objects.filter(tournament=event).select_related("draw").order_by("number"))
    draws = {stage.pk: stage.draw for stage in stages if hasattr(stage, "draw")}
    at = {stage.pk: place for place, stage in enumerate(stages)}
    entries = list(Entry.objects.filter(tournament=event).order_by("number"))
    is_drawn = any(draw.published_at is not None for draw in draws.values())
    rounds = list(Round.objects.filter(stage__in=at).order_by("number")) if is_drawn else []
    byes = list(Bye.objects.filter(round__in=rounds).order_by("pk")) if rounds else []
    pairings = Pairing.objects.filter(tournament=event).order_by("position", "pk") if rounds else []
    return Rows(
        event=event,
        stages=stages,
        draws=draws,
        entries=entries,
        rounds=sorted(rounds, key=lambda batch: at[batch.stage_id]),
        byes=byes,
        pairings=sorted(pairings, key=lambda row: at[row.stage_id]),
    )


def build_entrant_id(entry: Entry) -> EntrantId:
    """Return the library's ID of an entry: its number, which is the same on every installation."""
    return EntrantId(str(entry.number))


def build_event(rows: Rows) -> pure.Event:
    """Convert an event to a value of the library, with its published rounds and draws."""
    playing = _list_playing(rows.entries)
    return pure.Event(
        stages=tuple(build_stage(rows.event, stage) for stage in rows.stages),
        entrants=tuple(_build_entrant(rows, entry) for entry in playing),
        seed=build_seed(rows),
        rounds=tuple(_list_rounds(rows)),
        absent=frozenset(build_entrant_id(entry) for entry in playing if entry.is_absent),
        apart=tuple(_list_groups_apart(rows, {one.number for one in playing})),
        draws=tuple(
            _build_draw(stage, rows.draws[stage.pk])
            for stage in rows.stages
            if rows.is_drawn(stage) and formats.get_format(stage).keeps_draw
        ),
        scores=tuple((build_entrant_id(entry), Fraction(entry.score)) for entry in playing if entry.score),
    )


def _list_playing(entries: Iterable[Entry]) -> list[Entry]:
    """List the entries in the event by number, then latecomers in the order in which they came.

    A latecomer who had a number before the draw has a lower one than others who came earlier.
    """
    playing = [one for one in entries if one.withdrawn_at is None and not one.waits]
    late = sorted((one for one in playing if one.arrived > 1), key=attrgetter("entered_at"))
    return [*(one for one in playing if one.arrived <= 1), *late]


def build_seed(rows: Rows, attempt: int | None = None) -> str:
    """Return the seed of an event; from the second preview of its first draw on, each has its own."""
    if attempt is None:
        first = rows.draws.get(rows.stages[0].pk) if rows.stages else None
        attempt = 1 if first is None else first.attempt
    return rows.event.seed if attempt == 1 else f"{rows.event.seed}/{attempt}"


def is_sheet(stage: Stage) -> bool:
    """True if the stage is a bracket of lines; its byes are places, not `Bye` rows."""
    return formats.get_format(stage).is_sheet(formats.build_options(stage))


def has_lines(stage: Stage) -> bool:
    """True if the draw of the stage has lines: brackets, and knock-outs drawn again for each round."""
    return formats.get_format(stage).is_elimination


def is_fixed(stage: Stage) -> bool:
    """True if all places of the stage exist from the start."""
    return formats.get_format(stage).is_fixed(formats.build_options(stage))


def build_stage(event: Tournament, stage: Stage) -> pure.Stage:
    """Convert a stage; the event's settings are its defaults."""
    defaults = {"length": event.match_length, "reporting": event.reporting, "play": event.play}
    return pure.Stage(
        name=stage.name,
        format=stage.format,
        options=formats.build_options(stage),
        takes=tuple(
            pure.Take(take["stage"], take.get("first", 1), take.get("last"), take.get("each_group", False))
            for take in stage.takes
        ),
        rules=(
            pure.RoundRules(parse_match_rules(defaults)),
            *(
                pure.RoundRules(
                    parse_match_rules(defaults | one | {"play": merge_play_rules(event.play, one)}),
                    one.get("bracket", ""),
                    one.get("round", 1),
                )
                for one in stage.rules
            ),
        ),
    )


def merge_play_rules(usual: Mapping[str, Any], one: Mapping[str, Any]) -> dict[str, Any]:
    """Return the event's rules of play, overridden by those of one entry of a stage's rules.

    A length in the entry overrides the event's `best_of`, and a time control overrides its clock.
    """
    own = dict(one.get("play", {}))
    if "length" in one:
        own.setdefault("best_of", 0)
    if "minutes_a_point" in one or "delay_seconds" in one:
        own.setdefault("clock", "")
    return {**usual, **own}


def parse_match_rules(data: Mapping[str, Any]) -> pure.MatchRules:
    """Parse match rules.

    :raises BadOption: the rules of play contradict each other, or the times of the clock are no numbers.
    """
    play = RulesOfPlay.from_match_rules(data)
    return pure.MatchRules(
        length=play.length(data["length"]),
        clock=_parse_clock(data, play),
        ruleset=data.get("ruleset", ""),
        reporting=REPORTING[data.get("reporting", ReportingRule.WINNER.value)],
        days=data.get("days"),
        play=play,
    )


def _parse_clock(data: Mapping[str, Any], play: RulesOfPlay) -> pure.Clock | None:
    if play.clock and (preset := PRESETS[play.clock]).a_point:
        return pure.Clock(Fraction(preset.a_point, MINUTE), preset.delay // SECOND)
    minutes, delay = data.get("minutes_a_point"), data.get("delay_seconds")
    if minutes is None and delay is None:
        return None
    if isinstance(delay, list | dict):
        raise BadOption("delay_seconds", f"cannot be {delay!r}")
    try:
        return pure.Clock(Fraction(2 if minutes in (None, "") else minutes), 12 if delay is None else delay)
    except (ArithmeticError, TypeError, ValueError) as problem:
        raise BadOption("minutes_a_point", f"cannot be {minutes!r}") from problem


@lru_cache(maxsize=256)
def serialize_rules(played: pure.MatchRules) -> dict[str, Any]:
    """Serialize match rules without the length, which has a column."""
    data: dict[str, Any] = {"reporting": played.reporting.value}
    if played.clock is not None:
        data["minutes_a_point"] = str(played.clock.minutes_a_point)
        data["delay_seconds"] = played.clock.delay_seconds
    if played.ruleset:
        data["ruleset"] = played.ruleset
    if played.days is not None:
        data["days"] = played.days
    if play := played.play.to_json():
        data["play"] = play
    return data


def _build_entrant(rows: Rows, entry: Entry) -> pure.Entrant:
    return pure.Entrant(
        id=build_entrant_id(entry),
        rating=entry.rating,
        club=entry.club,
        family=entry.family,
        seed=entry.seed,
        pot=entry.pot,
        arrived=entry.arrived,
        head_start=Fraction(entry.head_start),
        left=LEAVES.get(entry.left),
        left_as=entry.left_as,
        left_after_draws=tuple(_list_draws_before_leaving(rows, entry)),
        asked=tuple(pure.RequestedBye(number, Fraction(points)) for number, points in entry.asked),
        joins=entry.joins,
    )


def find_draw_time(rows: Rows, *, now: datetime) -> datetime:
    """Return the time of a draw made now: not before a player left, even if the clock was set back since."""
    return max([now, *(entry.left_at for entry in rows.entries if entry.left_at is not None)])


def _list_draws_before_leaving(rows: Rows, entry: Entry) -> Iterable[str]:
    """Yield the later stages that were drawn before the player left: earlier results do not change any more."""
    for stage in rows.stages:
        draw = rows.draws.get(stage.pk)
        drawn_at = None if draw is None or not stage.takes else draw.published_at
        if drawn_at is not None and entry.left_at is not None and drawn_at < entry.left_at:
            yield stage.name


def _list_groups_apart(rows: Rows, playing: set[int]) -> Iterable[pure.PairingExclusion]:
    """Yield groups of players who are kept apart, without players who left before the draw."""
    for one in rows.event.apart:
        members = frozenset(EntrantId(str(number)) for number in one["members"] if number in playing)
        if members:
            # The reason is private, and this is exported publicly.
            yield pure.PairingExclusion(members, one.get("hard", True))


def _build_draw(stage: Stage, draw: Draw) -> pure.Draw:
    return pure.Draw(
        stage=stage.name,
        lines=list_lines(draw),
        method=draw.method,
        late=tuple((line, EntrantId(str(number))) for line, number in draw.late),
        commitment=draw.commitment,
        witnesses=tuple(draw.witnesses),
        note=draw.note,
    )


def list_lines(draw: Draw) -> tuple[EntrantId | None, ...]:
    return tuple(None if number is None else EntrantId(str(number)) for number in draw.lines)


def _list_rounds(rows: Rows) -> Iterable[pure.Round]:
    by_round: dict[int, list[Pairing]] = {}
    for pairing in rows.pairings:
        if pairing.opened_at is not None:
            by_round.setdefault(pairing.round_id, []).append(pairing)
    byes: dict[int, list[Bye]] = {}
    for bye in rows.byes:
        byes.setdefault(bye.round_id, []).append(bye)
    names = {stage.pk: stage.name for stage in rows.stages}
    for batch in rows.rounds:
        made, passed = by_round.get(batch.pk, []), byes.get(batch.pk, [])
        if batch.status == RoundStatus.PUBLISHED and (made or passed):
            yield pure.Round(
                batch.number,
                tuple(build_pairing(rows, pairing) for pairing in made),
                tuple(
                    pure.Bye(rows.id_by_pk[bye.entry_id], Fraction(bye.points), bye.asked) for bye in passed
                ),
                tuple(EntrantId(str(number)) for number in batch.absent),
                names[batch.stage_id],
            )


def build_pairing(rows: Rows, row: Pairing) -> pure.Pairing:
    a, b = rows.who(row.a_id), rows.who(row.b_id)
    if a is None or b is None:
        raise AssertionError(f"{row.key} was opened for nobody")
    return pure.Pairing(
        Key(row.key),
        a,
        b,
        None if row.is_derived else _build_entered_result(rows, row),
        parse_standing_result(row.stands),
    )


def list_played(event: pure.Event) -> list[tuple[Key, frozenset[EntrantId]]]:
    pairings = (one for batch in event.rounds for one in batch.pairings if one.result is not None)
    return [(one.key, frozenset((one.a, one.b))) for one in pairings]


def parse_standing_result(data: Mapping[str, Any]) -> pure.Result | None:
    """Parse the result by which players advanced, None if it is the recorded one (P39)."""
    if not data:
        return None
    winner, score = data["winner"], data["score"]
    return pure.Result(
        KINDS[data["kind"]],
        None if winner is None else EntrantId(str(winner)),
        (score[0], score[1]) if score else None,
    )


def _build_entered_result(rows: Rows, row: Pairing) -> pure.Result | None:
    if not row.kind:
        return None
    score = None if row.score_a is None or row.score_b is None else (row.score_a, row.score_b)
    return pure.Result(KINDS[row.kind], rows.who(row.winner_id), score)


def find_counted_result(rows: Rows, row: Pairing) -> pure.Result | None:
    """Return the result that counts: None for an undecided match, void if a player left too early."""
    if row.state != State.DECIDED:
        return None
    return pure.Result(Kind.VOID) if row.is_cancelled else _build_entered_result(rows, row)


def list_places(rows: Rows) -> tuple[pure.Place, ...]:
    numbers = {batch.pk: batch.number for batch in rows.rounds}
    names = {stage.pk: stage.name for stage in rows.stages}
    return tuple(_build_place(rows, row, numbers[row.round_id], names[row.stage_id]) for row in rows.pairings)


def _build_place(rows: Rows, row: Pairing, number: int, stage: str) -> pure.Place:
    a, b = rows.who(row.a_id), rows.who(row.b_id)
    result = find_counted_result(rows, row)
    winner = None if result is None else result.winner
    loser = None if winner is None else (b if winner == a else a)
    if row.state == State.BYE:
        winner = a or b
    return pure.Place(
        key=Key(row.key),
        a=build_seat(row.a_from, row.a_key, row.a_number, a),
        b=build_seat(row.b_from, row.b_key, row.b_number, b),
        state=STATES[row.state],
        round=number,
        number=row.number,
        bracket=row.bracket,
        stage=stage,
        winner=winner,
        loser=loser,
        result=result,
        rules=parse_match_rules({"length": row.length} | row.rules),
    )


def build_seat(origin: str, key: str, number: int, entrant: EntrantId | None) -> pure.Seat:
    return pure.Seat(SOURCES[origin], Key(key) if key else None, number, entrant)


def compute_proposal(rows: Rows) -> pure.Proposal:
    """Return the library's proposal; after an early end, players who are level share their places."""
    proposal = rules.propose(build_event(rows))
    if rows.event.ended_early_at is None:
        return proposal
    return replace(proposal, ranking=rules.close_ranks(proposal.ranking))
