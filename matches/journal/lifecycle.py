"""The write path of a match: every change is drafted line by line and recorded in one transaction."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import transaction

from engine.errors import EngineError
from engine.fair import Party
from engine.side import Side
from matches.hooks import match_begun, match_due, match_finished, match_reopened
from matches.journal import dice, journal, live, news
from matches.journal.journal import RequestIdentity, Step
from matches.models import Bot, Match
from matches.state import match_state
from matches.state.errors import BadTerms, Refused, Stale
from matches.state.facts import DiceBegun, Line, Promised
from matches.state.status import ENDED, Status, may_follow

if TYPE_CHECKING:
    from datetime import datetime

    from django.dispatch import Signal

    from matches.state.facts import Fact, Thrown
    from matches.state.match_state import MatchState
    from matches.state.terms import Terms
    from players.models import Club, Player

NOBODY = RequestIdentity()


@dataclass(slots=True)
class Draft:
    """A match and the lines to be appended."""

    row: Match
    state: MatchState
    at: int
    steps: list[Step] = field(default_factory=list)

    @classmethod
    def load(cls, row: Match, *, now: datetime, with_past: bool = False) -> Draft:
        """Start a draft; *with_past* replays the journal, because the cache has no past to take back."""
        found = journal.replay(row) if with_past else journal.load(row)
        # Never before the last line, even if the clock was set back.
        return cls(row, found, max(found.at, journal.to_milliseconds(now)))

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


def record(draft: Draft, *, request: RequestIdentity = NOBODY) -> list[dict[str, Any]]:
    """Write the draft: entries, cache, deadline. Return the frames, which watchers get after the commit.

    :raises Stale: another request wrote first.
    """
    before, after = Status(draft.row.status), draft.state.status
    if not may_follow(before, after):
        raise AssertionError(f"a match that is {before} cannot be {after}")
    due, result = draft.row.due, _find_result(draft.row)
    if not journal.append_steps(draft.row, draft.steps, request=request):
        raise Stale(Match.objects.values_list("head", flat=True).get(pk=draft.row.pk))
    frames = [live.build_frame(step) for step in draft.steps]
    live.announce(draft.row.key, frames)
    if draft.row.due != due:
        _send_on_commit(match_due, draft.row, due=draft.row.due)
    if before is Status.WAITING and after is Status.LIVE:
        _send_on_commit(match_begun, draft.row)
    if result != _find_result(draft.row):
        # A director may award a finished match to the other side.
        if before in ENDED:
            _send_on_commit(match_reopened, draft.row)
        if after in ENDED:
            _send_on_commit(match_finished, draft.row)
    if (before is Status.LIVE) != (after is Status.LIVE) and not (draft.row.is_private or draft.row.has_bot):
        news.notify_lobby(now=journal.to_datetime(draft.at))
    return frames


def _find_result(row: Match) -> tuple[object, ...] | None:
    return (row.status, row.winner, row.white_score, row.black_score) if row.status in ENDED else None


def _send_on_commit(signal: Signal, row: Match, **more: object) -> None:
    transaction.on_commit(lambda: signal.send(Match, match_id=row.pk, row=row, **more))


def begin_dice(draft: Draft, *, reason: str = "") -> None:
    draft.row.salts = [*draft.row.salts, dice.create_salt()]
    draft.row.deposits = {}  # links of the previous chains
    length = dice.compute_chain_length(draft.state.terms.rules.length)
    # The same name for the whole match even if the site moves: commitments include it.
    name = draft.state.dicing.users.server or settings.PUBLIC_HOST
    fact = DiceBegun(draft.state.dicing.next, length, name, reason)
    draft.write(fact, by="server")
    commitment = dice.compute_commitment(draft.state.dicing, draft.salt)
    draft.write(Promised(Party.SERVER, commitment), by="server")


@transaction.atomic
def create(
    *,
    white: Player,
    black: Player,
    terms: Terms,
    now: datetime,
    club: Club | None = None,
    is_private: bool = False,
    waits_until: datetime | None = None,
) -> Match:
    """Create a match; its journal begins with the server's commitment to the dice.

    :raises BadTerms: both players are the same.
    """
    if white.pk == black.pk:
        raise BadTerms(code="same-player")
    has_bot = Bot.objects.filter(player__in=(white, black)).exists()
    terms = terms.practice() if has_bot else terms
    row = Match(
        white=white,
        black=black,
        white_key=white.key,
        black_key=black.key,
        club=club,
        terms=terms.to_json(),
        length=terms.rules.length,
        is_timed=terms.control is not None,
        is_limited=terms.is_limited,
        is_private=is_private,
        has_bot=has_bot,
        created_at=now,
        waits_until=waits_until,
        moved_at=now,
        cache={},
    )
    row.head_hash = journal.compute_genesis(row)
    found = journal.build_start_state(row)
    draft = Draft(row, found, journal.to_milliseconds(now))
    for name, value in journal.build_columns(row, found).items():
        setattr(row, name, value)
    row.moved_at = now
    row.save(force_insert=True)
    begin_dice(draft)
    record(draft)
    return row
