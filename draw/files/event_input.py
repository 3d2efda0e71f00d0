"""The input file of `python -m draw`, read as an event; docs/pairing.md lists every name (P40)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from draw import limits, stages
from draw.event import (
    NOTHING,
    UNDECIDED,
    WIN,
    Bye,
    Clock,
    Draw,
    Entrant,
    EntrantId,
    Event,
    Key,
    Kind,
    LeaveTime,
    MatchRules,
    Pairing,
    PairingExclusion,
    Place,
    ReportingRule,
    RequestedBye,
    Result,
    Round,
    RoundRules,
    Stage,
    Take,
)
from draw.json_objects import BadFile, JsonObject, get_list, parse_fraction, parse_option
from draw.options import BadOption, Options
from draw.rules_of_play import RulesOfPlay

# Other common names of formats.
ALIASES: Mapping[str, str] = {
    "single": "single-elimination",
    "knockout": "single-elimination",
    "knock-out": "single-elimination",
    "double": "double-elimination",
    "progressive": "progressive-consolation",
    "roundrobin": "round-robin",
}
KINDS: Mapping[str, Kind] = {kind.value: kind for kind in Kind}
BOTH = ("both", "double")
TWO = 2


class WrittenIds:
    """The ids as written in the file, strings or numbers; internally they are strings."""

    def __init__(self) -> None:
        self.written: dict[EntrantId, object] = {}

    def add(self, value: object, path: str) -> EntrantId:
        if isinstance(value, bool) or not isinstance(value, str | int):
            raise BadFile(f"{path}: an id is a text or a whole number, not {value!r}")
        name = EntrantId(str(value))
        if name in self.written:
            raise BadFile(f"{path}: {value!r} has entered twice")
        self.written[name] = value
        return name

    def find(self, value: object, path: str) -> EntrantId:
        name = EntrantId(str(value))
        if name not in self.written:
            raise BadFile(f"{path}: {value!r} has not entered")
        return name


def read_event(data: object) -> tuple[Event, WrittenIds]:
    """Read an event, and the ids of its entrants as written in the file.

    :raises BadFile, BadOption, TooManyEntrants: the file cannot be used.
    """
    file = JsonObject.parse(data, "")
    names = WrittenIds()
    entrants = tuple(
        _read_entrant(value, f"entrants[{at}]", names) for at, value in enumerate(file.items("entrants"))
    )
    written = file.things("stages") or [file]
    draw = file.get("draw")
    draws = file.things("draws") if draw is None else [JsonObject.parse(draw, "draw.")]
    event = Event(
        stages=tuple(_read_stage(one, several=bool(file.items("stages"))) for one in written),
        entrants=entrants,
        seed=file.text("seed"),
        absent=frozenset(names.find(value, "absent") for value in file.items("absent")),
        apart=tuple(_read_apart(one, names) for one in file.things("apart")),
        draws=tuple(_read_draw(one, names) for one in draws),
        scores=tuple(
            (names.find(name, "scores"), parse_fraction(points, f"scores.{name}"))
            for name, points in file.object("scores").values.items()
        ),
    )
    # Before any computation, which could take long.
    limits.require_size(event)
    for batch in file.things("rounds"):
        event = _add_round(event, batch, names)
    return event, names


def _read_entrant(value: object, path: str, names: WrittenIds) -> Entrant:
    plain: object = {"id": value}
    one = JsonObject.parse(plain if isinstance(value, str | int) else value, f"{path}.")
    rating = one.fraction("rating")
    return Entrant(
        id=names.add(one.get("id"), f"{path}.id"),
        rating=None if rating is None else float(rating),
        club=one.text("club"),
        family=one.text("family"),
        seed=one.integer("seed"),
        pot=one.integer("pot"),
        arrived=one.integer("arrived") or 1,
        head_start=one.fraction("head_start") or NOTHING,
        left=_read_leave(one),
        left_as=one.integer("left_as") or 0,
        left_after_draws=tuple(str(name) for name in one.items("left_after_draws")),
        asked=tuple(
            RequestedBye(bye.integer("round") or 0, bye.fraction("points") or NOTHING)
            for bye in one.things("asked")
        ),
        joins=one.text("joins"),
    )


def _read_leave(one: JsonObject) -> LeaveTime | None:
    left = one.get("left")
    if left in (None, False):
        return None
    if left in (True, "now"):
        return LeaveTime.NOW
    if left == "after":
        return LeaveTime.AFTER
    raise one.refuse("left", 'true, "now" or "after"')


def _read_stage(one: JsonObject, *, several: bool) -> Stage:
    written = one.text("format").strip().lower().replace("_", "-").replace(" ", "-")
    name = ALIASES.get(written, written)
    return Stage(
        name=one.text("name", name) if several else "",
        format=name,
        options=Options(
            tuple(
                (key, parse_option(value, f"options.{key}"))
                for key, value in sorted(one.object("options").values.items())
            )
        ),
        takes=tuple(
            Take(
                take.text("stage"), take.integer("first") or 1, take.integer("last"), take.flag("each_group")
            )
            for take in one.things("takes")
        ),
        rules=tuple(_read_rules(rules) for rules in one.things("rules")),
    )


def _read_rules(one: JsonObject) -> RoundRules:
    minutes, delay = one.fraction("minutes_a_point"), one.integer("delay_seconds")
    clock = None
    if minutes is not None or delay is not None:
        clock = Clock(Fraction(2) if minutes is None else minutes, 12 if delay is None else delay)
    reporting = one.text("reporting", ReportingRule.WINNER.value)
    if reporting not in {way.value for way in ReportingRule}:
        raise one.refuse("reporting", ", ".join(way.value for way in ReportingRule))
    try:
        play = RulesOfPlay.from_json(one.object("play").values)
    except BadOption as problem:
        raise one.refuse(problem.name, problem.problem) from problem
    rules = MatchRules(
        length=play.length(one.integer("length") or MatchRules().length),
        clock=clock,
        ruleset=one.text("ruleset"),
        reporting=ReportingRule(reporting),
        days=one.integer("days"),
        play=play,
    )
    return RoundRules(rules, one.text("bracket"), one.integer("round") or 1)


def _read_apart(one: JsonObject, names: WrittenIds) -> PairingExclusion:
    members = frozenset(names.find(value, f"{one.path}members") for value in one.items("members"))
    return PairingExclusion(members, one.get("hard") is not False, one.text("why"))


def _read_draw(one: JsonObject, names: WrittenIds) -> Draw:
    path = f"{one.path}lines"
    return Draw(
        stage=one.text("stage"),
        lines=tuple(None if value is None else names.find(value, path) for value in one.items("lines")),
        method=one.text("method", "by hand"),
        late=tuple(
            (late.integer("line") or 0, names.find(late.get("entrant"), late.path))
            for late in one.things("late")
        ),
        commitment=one.text("commitment"),
        witnesses=tuple(str(witness) for witness in one.items("witnesses")),
        note=one.text("note"),
    )


def _add_round(event: Event, one: JsonObject, names: WrittenIds) -> Event:
    stage = next((stage for stage in event.stages if stage.name == one.text("stage")), None)
    if stage is None:
        raise one.refuse("stage", "the name of a stage")
    # Each stage counts its own rounds.
    number = one.integer("number") or 1 + sum(made.stage == stage.name for made in event.rounds)
    batch = Round(
        number,
        byes=tuple(_read_bye(value, f"{one.path}byes", names) for value in one.items("byes")),
        absent=tuple(names.find(value, f"{one.path}absent") for value in one.items("absent")),
        stage=stage.name,
    )
    fixed = stages.get_format(stage).fixed
    pairs = [
        _Pair.read(value, f"{one.path}pairs[{index}]", names)
        for index, value in enumerate(one.items("pairs"))
    ]
    event = replace(event, rounds=(*event.rounds, batch))
    return _add_by_players(event, pairs) if fixed else _add_in_order(event, pairs)


def _add_in_order(event: Event, pairs: list[_Pair]) -> Event:
    """Give the pairs of a round the keys of its tables."""
    batch = event.rounds[-1]
    prefix = f"{batch.stage}/" if batch.stage else ""
    made = tuple(
        pair.pairing(Key(pair.key or f"{prefix}r{batch.number}.{table}"), fixed=False)
        for table, pair in enumerate(pairs, start=1)
    )
    return replace(event, rounds=(*event.rounds[:-1], replace(batch, pairings=made)))


def _add_by_players(event: Event, pairs: list[_Pair]) -> Event:
    """Find the place of each pair by its players; results in this batch may seat the next pair."""
    batch = event.rounds[-1]
    waiting = list(pairs)
    while waiting:
        by_two: dict[frozenset[EntrantId], list[Place]] = {}
        for place in stages.propose(event).places:
            if place.stage == batch.stage and place.state in UNDECIDED:
                by_two.setdefault(frozenset(place.entrants), []).append(place)
        taken = {one.key for made in event.rounds for one in made.pairings}
        found: list[Pairing] = []
        rest: list[_Pair] = []
        for pair in waiting:
            free = [
                place.key for place in by_two.get(frozenset((pair.a, pair.b)), []) if place.key not in taken
            ]
            key = pair.key or (free[0] if free else None)
            if key is None:
                rest.append(pair)
                continue
            taken.add(Key(key))
            found.append(pair.pairing(Key(key), fixed=True))
        if not found:
            raise BadFile(f"{rest[0].path}: these two do not meet")
        batch = replace(batch, pairings=(*batch.pairings, *found))
        event = replace(event, rounds=(*event.rounds[:-1], batch))
        waiting = rest
    return event


def _read_bye(value: object, path: str, names: WrittenIds) -> Bye:
    if isinstance(value, str | int):
        return Bye(names.find(value, path))
    one = JsonObject.parse(value, f"{path}.")
    points = one.fraction("points")
    return Bye(names.find(one.get("entrant"), path), WIN if points is None else points, one.flag("asked"))


def _read_score(one: JsonObject) -> tuple[int, int] | None:
    score = [int(parse_fraction(points, f"{one.path}score")) for points in one.items("score")]
    return (score[0], score[1]) if len(score) == TWO else None


class _Pair:
    def __init__(self, one: JsonObject, path: str, names: WrittenIds) -> None:
        self.one, self.path, self.names = one, path, names
        self.a, self.b = (names.find(one.get(side), f"{path}.{side}") for side in ("a", "b"))
        self.key = one.text("key")
        winner = one.get("winner")
        self.winner = None if winner is None else names.find(winner, f"{path}.winner")
        if self.a == self.b or self.winner not in (None, self.a, self.b):
            raise BadFile(f"{path}: two different entrants, and one of them as winner or null, are expected")

    @classmethod
    def read(cls, value: object, path: str, names: WrittenIds) -> _Pair:
        """Read a pair from an object, or from a list of two."""
        two = get_list(value)
        if two is not None and len(two) == TWO:
            value = {"a": two[0], "b": two[1]}
        return cls(JsonObject.parse(value, f"{path}."), path, names)

    def pairing(self, key: Key, *, fixed: bool) -> Pairing:
        """Build the pairing. Without `winner` and `forfeit`, it is open in a *fixed* format, else drawn."""
        return Pairing(key, self.a, self.b, self.result(fixed=fixed), self.stands())

    def result(self, *, fixed: bool) -> Result | None:
        kind, winner = self.kind()
        is_open = self.one.flag("open")
        if winner is None and kind in (Kind.PLAYED, Kind.DRAWN):
            if is_open or (fixed and kind is Kind.PLAYED):
                return None
            kind = Kind.DRAWN
        return Result(kind, winner, _read_score(self.one))

    def stands(self) -> Result | None:
        """Return the result by which players moved before a correction (P39)."""
        if self.one.get("stands") is None:
            return None
        one = self.one.object("stands")
        word, winner = one.text("forfeit", Kind.PLAYED.value), one.get("winner")
        if word not in KINDS:
            raise one.refuse("forfeit", "a kind of P10")
        who = None if winner is None else self.names.find(winner, f"{one.path}winner")
        return Result(KINDS[word], who, _read_score(one))

    def kind(self) -> tuple[Kind, EntrantId | None]:
        """Return the kind of result and the winner, from `winner` and `forfeit`."""
        word = self.one.get("forfeit")
        if word in (None, False):
            return Kind.PLAYED, self.winner
        if word is True:
            return (Kind.FORFEIT if self.winner else Kind.DOUBLE_FORFEIT), self.winner
        if word in BOTH or word == Kind.DOUBLE_FORFEIT.value:
            return Kind.DOUBLE_FORFEIT, None
        if word in KINDS:
            return KINDS[str(word)], self.winner
        at_fault = {"a": self.a, "b": self.b}.get(str(word)) or self.names.find(word, f"{self.path}.forfeit")
        return Kind.FORFEIT, self.b if at_fault == self.a else self.a
