"""Journal rows to values and back: load, append, verify."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Final

from engine.errors import EngineError
from engine.game import Termination
from engine.side import BySide, Side
from matches.models import JournalEntry, Match
from matches.models.matches import Due
from matches.state import facts, match_state
from matches.state.errors import Refused
from matches.state.facts import Fact, Line, Thrown, to_canonical_json
from matches.state.match_state import MatchState
from matches.state.status import ENDED, Status
from matches.state.terms import Terms
from runtime.idempotency import KeyReused


@dataclass(frozen=True, slots=True)
class RequestIdentity:
    """The actor, idempotency key and digest of a request."""

    actor: str = ""
    key: str = ""
    digest: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """A journal line with the state before and after it."""

    line: Line
    before: MatchState
    after: MatchState


def lock(match_id: int) -> Match:
    """Lock the match's row until the transaction ends.

    :raises Match.DoesNotExist: no such match.
    """
    return Match.objects.select_for_update(of=("self",)).get(pk=match_id)


def build_start_state(row: Match) -> MatchState:
    return MatchState.start(row.key, row.white_key, row.black_key, Terms.from_json(row.terms))


def compute_genesis(row: Match) -> str:
    return facts.compute_genesis(row.key, row.white_key, row.black_key, row.terms)


def load(row: Match) -> MatchState:
    """Return the current state without its past, from the cache; replayed if the cache is outdated."""
    if not is_cache_current(row):
        return replay(row)
    terms = Terms.from_json(row.terms)
    return MatchState.from_json(row.key, row.white_key, row.black_key, terms, row.cache)


def is_cache_current(row: Match) -> bool:
    return bool(row.cache.get("version") == match_state.VERSION)


def list_lines(row: Match, *, after: int = 0, upto: int | None = None) -> list[Line]:
    """Return the lines after line *after*, up to line *upto*, in order."""
    rows = JournalEntry.objects.filter(match=row, seq__gt=after)
    if upto is not None:
        rows = rows.filter(seq__lte=upto)
    return [_build_line(each) for each in rows.order_by("seq")]


def list_kinds(row: Match, *, after: int) -> set[str]:
    later = JournalEntry.objects.filter(match=row, seq__gt=after)
    return set(later.order_by().values_list("fact__fact", flat=True).distinct())


def _build_line(row: JournalEntry) -> Line:
    return Line(
        seq=row.seq,
        at=row.at,
        by=row.by,
        fact=facts.from_json(row.fact),
        who=row.who,
        lag=row.lag,
        thrown=None if row.thrown is None else Thrown.from_json(row.thrown),
    )


def iterate_steps(row: Match, *, upto: int | None = None) -> Iterator[Step]:
    before = build_start_state(row)
    for line in list_lines(row, upto=upto):
        after = match_state.apply(before, line)
        yield Step(line, before, after)
        before = after


def replay(row: Match, *, upto: int | None = None) -> MatchState:
    found = build_start_state(row)
    for line in list_lines(row, upto=upto):
        found = match_state.apply(found, line)
    return found


def find_earlier_command(row: Match, request: RequestIdentity) -> tuple[Step, ...]:
    """Return the steps of an earlier command of the same actor with the same key; none for the first one.

    :raises KeyReused: the key belongs to another request.
    """
    if not request.key:
        return ()
    earlier = JournalEntry.objects.filter(match=row, actor=request.actor, key=request.key).first()
    if earlier is None:
        return ()
    if earlier.request != request.digest:
        raise KeyReused
    return tuple(iterate_steps(row, upto=earlier.seq + earlier.lines - 1))[earlier.seq - 1 :]


@dataclass(slots=True)
class Draft:
    row: Match
    state: MatchState
    at: int
    steps: list[Step] = field(default_factory=list)

    @classmethod
    def load(cls, row: Match, *, now: datetime, with_past: bool = False) -> Draft:
        """Start a draft; *with_past* replays the journal, because the cache has no past to take back."""
        found = replay(row) if with_past else load(row)
        # Never before the last line, even if the clock was set back.
        return cls(row, found, max(found.at, to_milliseconds(now)))

    def write(
        self, fact: Fact, *, by: str | Side, who: str = "", lag: int = 0, thrown: Thrown | None = None
    ) -> None:
        """Append a line to the draft: *by* the player on a side, or another author.

        :raises Refused: the rules do not allow it; nothing was added.
        """
        if isinstance(by, Side):
            who = self.who(by)
            by = by.word
        line = Line(self.state.head + 1, self.at, by, fact, who, lag, thrown)
        try:
            after = match_state.apply(self.state, line)
        except EngineError as error:
            raise Refused.by_rules(error) from error
        self.steps.append(Step(line, self.state, after))
        self.state = after

    def who(self, side: Side) -> str:
        return self.row.black_key if side else self.row.white_key

    @property
    def salt(self) -> str:
        return str(self.row.salts[-1])


def append_steps(row: Match, written: Sequence[Step], *, request: RequestIdentity) -> bool:
    """Write the lines and the cache; return False if the head has changed since the row was read.

    Line numbers are unique per match and the cache is updated by compare-and-set, so only one of two
    concurrent writers succeeds.
    """
    entries, before = [], row.head_hash
    for step in written:
        body = step.line.body()
        before = facts.compute_hash(before, body)
        entries.append(JournalEntry(match=row, hash=before, **body))
    entries[0].actor, entries[0].key, entries[0].request = request.actor, request.key, request.digest
    entries[0].lines = len(entries)
    changes = build_columns(row, written[-1].after) | {"head_hash": before}
    fresh = Match.objects.filter(pk=row.pk, head=row.head, head_hash=row.head_hash)
    if not fresh.update(**changes, deposits=row.deposits, salts=row.salts):
        return False
    JournalEntry.objects.bulk_create(entries)
    for name, value in changes.items():
        setattr(row, name, value)
    return True


def build_columns(row: Match, found: MatchState) -> dict[str, Any]:
    status, score, outcome = found.status, found.match.score, found.match.outcome
    deadline = None if found.deadline is None else to_datetime(found.deadline)
    winner = outcome.winner if outcome else None
    owing = [side.word for side in found.owing]
    return {
        "cache": found.to_json(),
        "head": found.head,
        "status": status.value,
        "white_score": score.white,
        "black_score": score.black,
        "winner": "" if winner is None else winner.word,
        "due": Due.BOTH.value if len(owing) > 1 else owing[0] if owing else "",
        "deadline_at": row.waits_until if status is Status.WAITING else deadline,
        "moved_at": to_datetime(found.at),
        "finished_at": to_datetime(found.at) if status in ENDED else None,
    }


def to_datetime(milliseconds: int) -> datetime:
    return datetime.fromtimestamp(milliseconds / 1000, tz=UTC)


def to_milliseconds(when: datetime) -> int:
    return round(when.timestamp() * 1000)


def find_problems(row: Match) -> Iterator[str]:
    """Yield a sentence for every mismatch between a match's rows and its journal."""
    name = f"match {row.key}"
    try:
        before, found = compute_genesis(row), build_start_state(row)
    except UNREADABLE as error:
        yield f"{name}: its terms cannot be: {error}"
        return
    side_steps: list[int] = []
    for entry in JournalEntry.objects.filter(match=row).order_by("seq"):
        try:
            line = _build_line(entry)
            body = line.body()
            before = facts.compute_hash(before, body)
            # Spelled exactly as this code writes it, not merely equivalent.
            is_canonical = to_canonical_json([entry.fact, entry.thrown]) == to_canonical_json(
                [body["fact"], body["thrown"]]
            )
            if entry.hash != before or not is_canonical:
                yield f"{name}: line {entry.seq} was altered, or one before it"
                return
            found = match_state.apply(found, line)
        except UNREADABLE as error:
            yield f"{name}: line {entry.seq} cannot be: {error}"
            return
        side_steps = [*side_steps, line.at] if isinstance(line.fact, match_state.SIDE_STEPS) else []
    # Version 0.1.0 counted the time to act from these lines too; the next line of another kind ends the difference.
    if row.cache.get("idle") in side_steps:
        found = replace(found, idle=row.cache["idle"])
    yield from _list_differences(row, name, _restore_old_score(row, found), before)


def _restore_old_score(row: Match, found: MatchState) -> MatchState:
    """Return the state with the score of version 0.1.0, if the row has it.

    That version did not count a game of money play that was lost with the match.
    """
    match = found.match
    if match.rules.is_match or not match.results or match.results[-1].how not in LOST_WITH_MATCH:
        return found
    start = match.results[-1].start
    is_uncounted = BySide(row.white_score, row.black_score) == start
    return replace(found, match=replace(match, score=start)) if is_uncounted else found


# Errors that reading a row can raise if this code did not write it.
UNREADABLE: Final = (EngineError, KeyError, TypeError, ValueError, AttributeError, IndexError)
# Endings of a match that end the current game as well.
LOST_WITH_MATCH: Final = (Termination.CONCESSION, Termination.FLAG)


def _list_differences(row: Match, name: str, found: MatchState, chained: str) -> Iterator[str]:
    if row.head_hash != chained:
        yield f"{name}: its hash is not that of its last line"
    for column, value in build_columns(row, found).items():
        stored = getattr(row, column)
        if stored == value:
            continue
        if column != "cache":
            yield f"{name}: {column} is {stored!r}, the journal says {value!r}"
        elif is_cache_current(row):
            apart = ", ".join(
                sorted(part for part in {*stored, *value} if stored.get(part) != value.get(part))
            )
            yield f"{name}: the cache is not what the journal says: {apart}"


def find_side(row: Match, player_id: int) -> Side | None:
    if row.white_id == player_id:
        return Side.WHITE
    return Side.BLACK if row.black_id == player_id else None
