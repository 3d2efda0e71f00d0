"""Exports of a match: record, verifiable dice document, journal with hashes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.utils import timezone

from engine import fair
from engine.actions import Opened, Rolled, TakenBack, VoidedGame
from engine.dice import Dice
from engine.errors import Impossible
from engine.fair import ByParty, Party
from engine.fair_log import Epoch, FairLog, Roll
from engine.record import Record
from engine.side import BySide
from matches.journal import journal
from matches.journal.journal import Step
from matches.models import JournalEntry, Match
from matches.state.facts import DiceBegun, Fact, Line, Promised, ServerFact, Thrown, Unsealed

FORMAT: Final = "barpoint-journal"
VERSION: Final = 1


def build_record(row: Match) -> Record:
    names = BySide(row.white.public_name, row.black.public_name)
    zone = ZoneInfo(row.club.time_zone) if row.club else timezone.get_default_timezone()
    day = timezone.localtime(row.created_at, zone)
    tags = (("Site", "Barpoint"), ("Match ID", row.key), ("EventDate", f"{day:%Y.%m.%d}"))
    rules = journal.build_start_state(row).terms.rules
    facts = (line.fact for line in journal.list_lines(row))
    actions = tuple(fact for fact in facts if not isinstance(fact, ServerFact))
    return Record(names, rules, actions, tags)


def build_dice_log(row: Match) -> FairLog:
    """Return the dice document, which anybody can verify."""
    steps = tuple(journal.iterate_steps(row))
    sets_played = _list_chain_sets(step.line for step in steps)
    sets = [each for each in sets_played if each.is_open]
    rolls = [
        _build_roll(row.key, sets, step.line.fact, step.line.thrown)
        for step in steps
        if step.line.thrown is not None
    ]
    users = ByParty(row.white_key, row.black_key, sets_played[0].begun.server)
    return FairLog(row.key, users, tuple(_list_epochs(sets)), tuple(_mark_taken_back(steps, rolls)))


# -- the sets of chains ---------------------------------------------------------------------------


@dataclass(slots=True)
class _ChainSet:
    """A set of chains collected from its lines."""

    begun: DiceBegun
    commitments: dict[Party, bytes | None] = field(default_factory=dict)
    words: dict[Party, str | None] = field(default_factory=dict)
    heads: dict[Party, bytes] = field(default_factory=dict)

    @property
    def is_open(self) -> bool:
        """True if it was opened: the server reveals its head after the players revealed or lost theirs."""
        return Party.SERVER in self.heads

    @property
    def epoch(self) -> Epoch:
        return Epoch(
            self.begun.first,
            self.begun.length,
            # A chain lost before its head was revealed does not count.
            ByParty(*(self.commitments[party] if party in self.heads else None for party in Party)),
            ByParty(*(self.heads.get(party) for party in Party)),
            ByParty(*(self.words[party] for party in Party)),
            self.begun.reason,
        )


def _list_chain_sets(lines: Iterable[Line]) -> list[_ChainSet]:
    sets: list[_ChainSet] = []
    for line in lines:
        match line.fact:
            case DiceBegun() as begun:
                sets.append(_ChainSet(begun))
            case Promised(party=party, commitment=commitment, words=words):
                sets[-1].commitments[party] = commitment
                sets[-1].words[party] = words
            case Unsealed(party=party, head=head):
                sets[-1].heads[party] = head
            case _:
                pass
    return sets


def _list_epochs(sets: Sequence[_ChainSet]) -> Iterator[Epoch]:
    """Yield the epochs, without sets that were replaced before their first roll."""
    for place, each in enumerate(sets):
        following = sets[place + 1].begun if place + 1 < len(sets) else None
        if following is None or following.first > each.begun.first:
            yield each.epoch


def _build_roll(match: str, sets: Sequence[_ChainSet], fact: Fact, thrown: Thrown) -> Roll:
    number = thrown.number
    words = next((each.words for each in reversed(sets) if each.begun.first <= number), {})
    match fact:
        case Opened(white=white, black=black):
            return Roll(number, None, thrown.mode, thrown.links, (white, black))
        case Rolled(side=side, dice=dice):
            order = _compute_order(match, thrown, words, dice)
            return Roll(number, Party.from_side(side), thrown.mode, thrown.links, order)
        case _:
            raise AssertionError(f"{fact} throws no dice")


def _compute_order(match: str, thrown: Thrown, words: dict[Party, str | None], dice: Dice) -> tuple[int, int]:
    """Return the dice in the order thrown, which the journal does not store; as written if shares differ."""
    shares = (
        fair.compute_share(match, party, thrown.number, link=link, words=words.get(party))
        for party, link in thrown.links.items()
    )
    try:
        order = fair.roll(match, thrown.number, ByParty(*shares))
    except Impossible:
        return dice.high, dice.low
    return order if Dice.from_numbers(*order) == dice else (dice.high, dice.low)


# -- rolls taken back or void ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _ValidRoll:
    """A valid roll and its game, linked to the valid rolls before it."""

    number: int
    game: int
    before: _ValidRoll | None


def _mark_taken_back(steps: Sequence[Step], rolls: Sequence[Roll]) -> Iterator[Roll]:
    """Yield the rolls; those that were taken back or belong to a void game are marked."""
    standing = _list_valid_numbers(steps)
    for place, roll in enumerate(rolls):
        following = rolls[place + 1] if place + 1 < len(rolls) else None
        # After a tie a director set a position, so it was not rolled again.
        is_idle = roll.is_tie and following is not None and following.roller is not None
        yield replace(roll, taken_back=True) if is_idle or roll.number not in standing else roll


def _list_valid_numbers(steps: Iterable[Step]) -> frozenset[int]:
    # A takeback may restore what another took back, so every state is stored; they share their pasts.
    moments: list[_ValidRoll | None] = [None]
    for step in steps:
        if not isinstance(step.line.fact, ServerFact):
            moments.append(_find_last_valid(moments, step))
    found: set[int] = set()
    last = moments[-1]
    while last is not None:
        found.add(last.number)
        last = last.before
    return frozenset(found)


def _find_last_valid(moments: Sequence[_ValidRoll | None], step: Step) -> _ValidRoll | None:
    last, game = moments[-1], len(step.before.match.results)
    match step.line.fact:
        case TakenBack(to=to):
            return moments[to]
        case VoidedGame():
            while last is not None and last.game == game:
                last = last.before
            return last
        case _:
            thrown = step.line.thrown
            return last if thrown is None else _ValidRoll(thrown.number, game, last)


# -- the journal ----------------------------------------------------------------------------------


def build_document(row: Match) -> dict[str, Any]:
    """Return the whole journal with the stored hash of each line.

    A hash is the SHA-256 of ``barpoint/journal/v1|``, the previous hash, ``|`` and the content as JSON: keys
    sorted, no blanks, non-ASCII characters unescaped. The first one is over match, white, black and terms,
    after an empty text; each further one over a line without its hash.
    """
    hashes = JournalEntry.objects.filter(match=row).order_by("seq").values_list("hash", flat=True)
    lines = zip(journal.list_lines(row), hashes, strict=True)
    return {
        "format": FORMAT,
        "version": VERSION,
        "uids": {"match": str(row.uid), "white": str(row.white.uid), "black": str(row.black.uid)},
        "match": row.key,
        "white": row.white_key,
        "black": row.black_key,
        "terms": row.terms,
        "genesis": journal.compute_genesis(row),
        "lines": [{**line.body(), "hash": chained} for line, chained in lines],
    }
