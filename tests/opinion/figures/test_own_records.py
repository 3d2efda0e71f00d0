"""Records of a player's matches count as those matches: in the figures by month, and as cards of the deck."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

import pytest
from django.contrib.auth.models import AnonymousUser

from engine.formats import xgid
from matches import hooks as match_hooks
from opinion.analyses import analysing
from opinion.deck import deck
from opinion.deck.deck_api import AnsweredAnswer
from opinion.figures import player_statistics
from opinion.judging.formulas import ERROR
from opinion.models import Analysis, Card, Progress
from players.models import Player, User
from records.models import Outcome, RecordMatch
from tests.opinion.analyses.test_analysing import engine
from tests.opinion.engine_here import between_people, put_in
from tests.opinion.fakes import PipOracle
from tests.records.submissions.test_record_outcomes import hand_in, record, sits
from tests.tournaments.pages.test_pages_player import Two
from tournaments.models import Pairing

if TYPE_CHECKING:
    from pytest_django.fixtures import SettingsWrapper

pytestmark = [pytest.mark.django_db, pytest.mark.long, pytest.mark.today]


class Handed(NamedTuple):
    """An accepted record of a match, with both of its players."""

    row: RecordMatch
    analysis: Analysis
    white: User
    black: User

    def player(self, side: int) -> Player:
        found = (self.white, self.black)[side].player
        assert found is not None
        return found


@pytest.fixture
def handed(two: Two, now: datetime, settings: SettingsWrapper, monkeypatch: pytest.MonkeyPatch) -> Handed:
    """In the record White lost; it was handed in by both."""
    put_in(PipOracle(), settings, monkeypatch)
    white, black = sits(two)
    data = record(white, black)
    assert hand_in(two, black, data).outcome == Outcome.REPORTED
    # The same match in another file.
    hand_in(two, white, data + b"\n")
    Pairing.objects.filter(pk=two.match().pk).update(state="decided", decided_at=now)
    first = RecordMatch.objects.order_by("pk").first()
    assert first is not None
    if two.match().winner_id is None:
        Pairing.objects.filter(pk=two.match().pk).update(
            winner=two.match().b_id, score_a=2, score_b=5, kind="played"
        )
    for _ in range(60):
        if not analysing.sweep(now=now, opening=lambda: engine(PipOracle())):
            break
    return Handed(first, Analysis.objects.get(record=first.key), white, black)


def test_a_record_counts_once_for_each_of_the_two_however_often_it_was_handed_in(handed: Handed) -> None:
    assert RecordMatch.objects.count() == 2
    for side, user in enumerate((handed.white, handed.black)):
        player = handed.player(side)
        [told] = match_hooks.RECORDS.get().of_players([player.pk], user)
        assert (told.key, int(told.side)) == (handed.row.key, side)
        [pool] = player_statistics.build_pools(user, player)
        rows = handed.analysis.remarks.filter(side=side)
        assert (pool.matches, pool.judge.level) == (1, 3)
        assert pool.totals.counted == rows.filter(counted=True).count() > 0
        assert pool.totals.error == pytest.approx(sum(rows.values_list("error", flat=True)))
        assert sum(month.totals.counted for month in pool.months) == pool.totals.counted
        assert (pool.pr is None) is (pool.totals.counted < 50)


def test_it_is_told_to_those_who_may_see_the_verdict(handed: Handed, two: Two) -> None:
    player = handed.player(0)
    assert player_statistics.build_pools(AnonymousUser(), player) == ()
    assert player_statistics.build_pools(two.desk.director, player) != ()
    assert player_statistics.has_visible_match(handed.white, player.key)
    assert not player_statistics.has_visible_match(AnonymousUser(), player.key)


def test_of_one_ply_there_is_no_pr_and_no_card(handed: Handed) -> None:
    Analysis.objects.update(level=1, progress=Progress.WAITING)
    [pool] = player_statistics.build_pools(handed.white, handed.player(0))
    assert (pool.pr, pool.why_no_pr) == (None, "level")
    assert not deck.list_cards(handed.white).exists()


@pytest.mark.parametrize("undone", [{"outcome": Outcome.DIFFERS}, {"outcome": Outcome.OTHER}])
def test_a_record_that_does_not_speak_for_the_match_is_nobodys(
    handed: Handed, undone: dict[str, str]
) -> None:
    for each in handed.row.file.submissions.model.objects.all():
        type(each).objects.filter(pk=each.pk).update(**undone)
    assert player_statistics.build_pools(handed.white, handed.player(0)) == ()


def test_where_the_result_was_corrected_it_counts_no_more(handed: Handed, two: Two) -> None:
    row = two.match()
    assert player_statistics.build_pools(handed.white, handed.player(0)) != ()
    Pairing.objects.filter(pk=row.pk).update(winner=row.a_id if row.winner_id == row.b_id else row.b_id)
    assert player_statistics.build_pools(handed.white, handed.player(0)) == ()


def test_its_errors_are_cards(handed: Handed, now: datetime) -> None:
    rows = deck.list_cards(handed.white)
    assert rows.exists()
    assert set(rows.values_list("analysis__record", flat=True)) == {handed.row.key}
    assert set(rows.values_list("side", flat=True)) == {0}
    card = rows.filter(kind="play").order_by("-error").first()
    deck.store_answer(user=handed.white, card=card.pk, choice=card.best, now=now)
    found = deck.find_answer(handed.white, card.pk)
    assert (found.match, found.record, found.loss) == ("", handed.row.key, 0.0)
    assert AnsweredAnswer.read(found).record == handed.row.key
    assert [each["choice"] for each in deck.export_answers(handed.player(0))] == [card.best]
    deck.delete_answers(player=handed.player(0))
    assert not Card.objects.exists()


def test_what_stands_in_a_match_between_people_is_in_no_sum_and_no_card(handed: Handed, two: Two) -> None:
    rows = handed.analysis.remarks.filter(side=0, kind="play", ply__gte=12, error__gte=ERROR)
    worst = rows.order_by("-error").first()
    [before] = player_statistics.build_pools(handed.white, handed.player(0))
    cards = deck.list_cards(handed.white).count()
    # As old as the record: an older record cannot be of the match.
    between_people(xgid.decode(worst.position).board, two.desk.now)
    [told] = player_statistics.build_pools(handed.white, handed.player(0))
    assert told.totals.error < before.totals.error
    assert told.matches == 1
    assert deck.list_cards(handed.white).count() < cards
    assert not deck.list_cards(handed.white).filter(pk=worst.pk).exists()
