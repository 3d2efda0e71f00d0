"""Matches of players who are merged, who leave, or who export their data."""

from __future__ import annotations

import json
import re
from datetime import datetime, timedelta

import pytest
from django.db import transaction

from engine.fair import Party, compute_commitment
from engine.side import BySide, Side
from matches.journal import journal
from matches.models import Habits, Match
from matches.state import commands, reasons
from matches.state.status import Status
from matches.watch import player_matches
from players.accounts import accounts, exports
from players.clubs import clubs, merging
from players.errors import PlayedEachOther
from players.models import Club, Export, Player
from tests.matches.support import Table, person


@pytest.fixture
def club(db: None, now: datetime) -> Club:
    return clubs.create(owner=person("Olga", now), name="Here", now=now)


def guest(club: Club, name: str, now: datetime) -> Player:
    owner = club.memberships.get(role="owner").player.user
    assert owner is not None
    return clubs.add_guest(club=club, name=name, by=owner, now=now)


class TestMerging:
    @pytest.mark.long
    @pytest.mark.parametrize("side", list(Side))
    def test_the_match_goes_along_and_can_be_played_on(self, club: Club, now: datetime, side: Side) -> None:
        gus, ann, ben = guest(club, "Gus", now), person("Ann", now).player, person("Ben", now).player
        table = Table(now, players=(ann, gus) if side else (gus, ann))
        table.begin()
        for _ in range(4):
            table.act()
        before = table.row
        merging.merge_players(kept=ben, dropped=gus, by=None, now=now)
        row = table.row
        assert ben.pk in {row.white_id, row.black_id}
        assert gus.pk not in {row.white_id, row.black_id}
        assert (row.white_key, row.black_key) == (before.white_key, before.black_key)
        assert list(journal.find_problems(row)) == []

        table.white, table.black = row.white, row.black
        table.play_out()
        assert list(journal.find_problems(table.row)) == []
        old = {line.who for line in journal.list_lines(table.row)} - {""}
        assert old == {gus.key, ann.key}

    def test_who_has_not_sealed_yet_seals_under_the_old_key(self, club: Club, now: datetime) -> None:
        gus, ann, ben = guest(club, "Gus", now), person("Ann", now).player, person("Ben", now).player
        table = Table(now, players=(gus, ann))
        merging.merge_players(kept=ben, dropped=gus, by=None, now=now)
        table.white, head = table.row.white, table.chain(Side.WHITE).head
        # The client got this key with the match.
        name = journal.load(table.row).dicing.users.a
        assert name == gus.key
        sealed = compute_commitment(table.match.key, Party.A, name, head)
        table.give(Side.WHITE, commands.Promise(sealed), shares={})
        table.promise(Side.BLACK)
        for side in Side:
            table.give(side, commands.Open(table.chain(side).head), shares={})
        assert table.row.status == Status.LIVE
        assert list(journal.find_problems(table.row)) == []

    def test_two_who_played_each_other_are_two(self, club: Club, now: datetime) -> None:
        gus, ann = guest(club, "Gus", now), person("Ann", now).player
        Table(now, players=(ann, gus))
        with pytest.raises(PlayedEachOther, match="Ann and Gus have played a match against each other"):
            merging.merge_players(kept=ann, dropped=gus, by=None, now=now)
        gus.refresh_from_db()
        assert gus.merged_into is None
        assert Match.objects.filter(black=gus).exists()

    def test_repeating_it_finds_nothing_to_do(self, club: Club, now: datetime) -> None:
        gus, ann, ben = guest(club, "Gus", now), person("Ann", now).player, person("Ben", now).player
        Table(now, players=(ann, gus))
        merging.merge_players(kept=ben, dropped=gus, by=None, now=now)
        with transaction.atomic():
            player_matches.lock_matches([ben.pk, gus.pk])
            assert player_matches.move_matches(kept=ben, dropped=gus) == {"white": [], "black": []}


class TestLeaving:
    def test_matches_that_are_played_are_lost_and_others_void(self, db: None, now: datetime) -> None:
        playing = Table(now)
        playing.begin()
        waiting = Table(now, players=(playing.white, playing.black))
        done = Table(now, players=(playing.white, playing.black))
        done.begin()
        done.give(done.state.owing[0], commands.Concede())
        was = done.row.head
        user = playing.white.user
        assert user is not None

        accounts.erase(user=user, now=now + timedelta(minutes=1))

        assert (playing.row.status, playing.row.winner) == (Status.FINISHED, "black")
        assert (waiting.row.status, waiting.row.winner) == (Status.VOID, "")
        assert done.row.head == was
        for table in (playing, waiting, done):
            assert list(journal.find_problems(table.row)) == []
        line = journal.list_lines(playing.row)[-1]
        assert line.by == "server"
        said = reasons.translate_reason(line.fact.reason, BySide("Ann", "Ben"))  # type: ignore[union-attr]
        assert said == "Ann has deleted their account."
        assert playing.row.white.public_name == "Former player"

    def test_the_settings_of_the_board_go_with_the_account(self, db: None, now: datetime) -> None:
        ann, ben = person("Ann", now), person("Ben", now)
        for each in (ann, ben):
            Habits.objects.create(player=each.player, auto_play=True)

        accounts.erase(user=ann, now=now)

        assert Habits.objects.get().player == ben.player

    @pytest.mark.long
    def test_no_name_is_in_any_journal(self, db: None, now: datetime) -> None:
        table = Table(now)
        table.play_out()
        told = json.dumps([line.body() for line in journal.list_lines(table.row)])
        assert not re.search(r"\b(Ann|Ben)\b", told)


def test_ones_own_data_holds_the_matches(db: None, now: datetime) -> None:
    table = Table(now)
    table.begin()
    user = table.black.user
    assert user is not None
    exports.request_export(user=user, now=now)
    exports.write_export({"export_id": Export.objects.get().pk}, now=now)
    told = json.loads(bytes(Export.objects.get().content))["matches"]
    assert [(each["match"], each["side"], each["opponent"]) for each in told] == [
        (table.match.key, "black", "Ann")
    ]
    assert "salts" not in str(told)
