"""Two people at a board, driven through the services as two honest clients would drive them."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db import connection

from engine.clock import PRESETS
from engine.fair import Chain, Party, compute_commitment
from engine.game import Phase
from engine.plays import legal_plays
from engine.rules import Rules
from engine.side import Side
from matches.journal import journal, lifecycle
from matches.journal.journal import RequestIdentity
from matches.models import Match
from matches.play import play
from matches.play.play import CommandResult
from matches.state import commands, terms
from matches.state.commands import Command
from matches.state.match_state import MatchState
from matches.state.terms import Terms
from players.accounts import accounts
from players.models import Player, User

PASSWORD = "three old pennies"


def person(name: str, now: datetime) -> User:
    return accounts.register(email=f"{name.lower()}@example.org", password=PASSWORD, name=name, now=now)


def club_terms(points: int = 3, *, clock: str | None = "club", **agreed: Any) -> Terms:
    rules = Rules(length=points) if points else Rules.unlimited()
    control = PRESETS[clock].control(points) if clock else None
    return terms.build_terms(rules, control, clock or "", **agreed)


def apply_frame(shown: dict[str, Any], told: dict[str, Any]) -> dict[str, Any]:
    """Apply a frame to a snapshot, as every client does."""
    results = told.get("all_results", [*shown["results"], *told.get("results", [])])
    return {**told["state"], "results": results, "dice_set": told.get("dice_set", shown["dice_set"])}


class Table:
    """One match and its two clients: they keep chains (or not), and time passes as they act."""

    def __init__(
        self,
        now: datetime,
        *,
        agreed: Terms | None = None,
        chained: Iterable[Side] = (Side.WHITE, Side.BLACK),
        players: tuple[Player, Player] | None = None,
        seed: int = 1,
        **details: Any,
    ) -> None:
        self.now = now
        self.rng = random.Random(seed)
        self.white, self.black = players or (person("Ann", now).player, person("Ben", now).player)
        self.match = lifecycle.create(
            white=self.white, black=self.black, terms=agreed or club_terms(), now=now, **details
        )
        self.chained = frozenset(chained)
        self.chains: dict[tuple[Side, int], Chain] = {}
        self.given = 0
        self._seen: tuple[int, MatchState] | None = None

    @property
    def row(self) -> Match:
        return Match.objects.select_related("white", "black").get(pk=self.match.pk)

    @property
    def head(self) -> int:
        # Before each command and each look: compiled, it took longer than all the rest.
        with connection.cursor() as cursor:
            cursor.execute("SELECT head FROM matches_match WHERE id = %s", [self.match.pk])
            (head,) = cursor.fetchone()
        return int(head)

    @property
    def state(self) -> MatchState:
        """The current state of the match, cached until a fact is added."""
        head = self.head
        if self._seen is None or self._seen[0] != head:
            self._seen = head, journal.load(Match.objects.get(pk=self.match.pk))
        return self._seen[1]

    def player(self, side: Side) -> Player:
        return self.black if side else self.white

    def wait(self, **passed: float) -> None:
        self.now += timedelta(**passed)

    def chain(self, side: Side) -> Chain:
        """The chain of *side* for the present set, grown on first use."""
        dicing = self.state.dicing
        at = (side, dicing.first)
        if at not in self.chains:
            self.chains[at] = Chain.grow(self.rng.randbytes(32), dicing.length)
        return self.chains[at]

    def shares(self, side: Side, count: int = 2) -> dict[int, bytes]:
        """Return the next shares of *side*, as many as its chain has."""
        dicing = self.state.dicing
        if not dicing.has_chain(Party.from_side(side)):
            return {}
        numbers = range(dicing.next, min(dicing.next + count, dicing.first + dicing.length))
        return {number: self.chain(side).share(dicing.step(number)) for number in numbers}

    def give(
        self,
        side: Side,
        command: Command,
        *,
        shares: Mapping[int, bytes] | None = None,
        after: int | None = None,
        key: str | None = None,
        **more: Any,
    ) -> CommandResult:
        """Give a command on the current board, by default with shares of the next two rolls."""
        self.given += 1
        return play.submit(
            match_id=self.match.pk,
            player=self.player(side),
            command=command,
            after=self.head if after is None else after,
            now=self.now,
            shares=self.shares(side) if shares is None else shares,
            request=RequestIdentity(
                f"p{self.player(side).pk}", key or f"command-{self.given}", repr(command)[:16]
            ),
            **more,
        )

    def promise(self, side: Side) -> None:
        """Seal the dice of *side* for the present set."""
        if side not in self.chained:
            self.give(side, commands.Promise(), shares={})
            return
        party = Party.from_side(side)
        head = self.chain(side).head
        sealed = compute_commitment(self.match.key, party, self.player(side).key, head)
        self.give(side, commands.Promise(sealed), shares={})

    def sit_down(self) -> None:
        """Promise and unseal, both."""
        for side in Side:
            self.promise(side)
        for side in Side:
            if side in self.chained:
                self.give(side, commands.Open(self.chain(side).head), shares={})

    def open(self) -> None:
        """Make the opening roll, however often it is tied."""
        while self.state.match.game.phase is Phase.OPENING:
            for side in self.state.owing:
                if side in self.state.owing:
                    self.give(side, commands.Roll())

    def begin(self) -> None:
        """Play on to the first play of the first game."""
        self.sit_down()
        self.open()

    def next_command(self, side: Side) -> Command:
        """Return something that *side* may do now, at random."""
        state = self.state
        game = state.match.game
        if state.asked is not None:
            return commands.Share()
        match game.phase:
            case Phase.TO_ROLL if game.why_no_double is None and self.rng.random() < 0.1:
                return commands.Double()
            case Phase.OPENING | Phase.TO_ROLL:
                return commands.Roll()
            case Phase.TO_PLAY:
                assert game.turn is not None
                assert game.dice is not None
                return commands.Move(self.rng.choice(legal_plays(game.board, game.turn, game.dice)).steps)
            case Phase.DOUBLED:
                return commands.Take() if self.rng.random() < 0.7 else commands.Drop()
            case _ if play.find_refusal(state, side, commands.DeclineResignation()) is None:
                return self.rng.choice((commands.AcceptResignation(), commands.DeclineResignation()))
            case _:
                return commands.AcceptResignation()

    def act(self, **more: Any) -> CommandResult | None:
        """Submit one action that a player owes."""
        state = self.state
        side = self.rng.choice(state.owing)
        if side in state.sealing:
            if Party.from_side(side) not in state.dicing.promised:
                self.promise(side)
            else:
                self.give(side, commands.Open(self.chain(side).head), shares={})
            return None
        return self.give(side, self.next_command(side), **more)

    def play_out(self, *, most: int = 5_000, pace: float = 1.0) -> MatchState:
        """Play until the match is over."""
        for _ in range(most):
            state = self.state
            if state.match.is_over:
                return state
            self.wait(seconds=pace)
            self.act()
        raise AssertionError("the match does not end")
