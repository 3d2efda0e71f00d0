"""A match in two files, or in several records, or on a board here and in a record, counts once, every decision once."""

from __future__ import annotations

from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import formats
from engine.verdict import judge
from matches import hooks as match_hooks
from matches.watch import exports
from opinion.analyses import analysing
from opinion.deck import deck
from opinion.figures import player_statistics
from opinion.judging.decisions import list_decisions
from opinion.judging.figures import Line, build_line, compute_figures
from opinion.judging.passes import judge as weigh
from opinion.models import Analysis
from players.models import Player, User
from records.models import RecordMatch
from tests.matches.support import Table, club_terms
from tests.opinion.analyses.test_analysing import engine
from tests.opinion.engine_here import put_in
from tests.opinion.fakes import PipOracle
from tests.records.conftest import CLEAN
from tests.records.submissions.test_record_outcomes import hand_in, record, sits
from tests.records.test_match_parts import split
from tests.tournaments.pages.test_pages_player import Two
from tournaments.models import Pairing

if TYPE_CHECKING:
    from pytest_django.fixtures import SettingsWrapper

pytestmark = pytest.mark.today

ERRORS = st.floats(0, 1, allow_nan=False).map(lambda error: round(error, 4))
LINES = st.lists(
    st.builds(
        Line,
        error=ERRORS,
        cost=ERRORS,
        counted=st.booleans(),
        fault=st.sampled_from(("", "opening", "race")),
        luck=st.none() | ERRORS,
        luck_cost=st.none() | ERRORS,
        is_play=st.booleans(),
    ),
    max_size=60,
)


@pytest.mark.long
@given(LINES, st.data())
def test_the_pr_of_any_parts_is_that_of_the_whole(lines: list[Line], data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(lines)), max_size=4)))
    parts = [lines[one:other] for one, other in zip([0, *cuts], [*cuts, len(lines)], strict=True)]
    whole = compute_figures(lines).totals
    first, *more = [compute_figures(part).totals for part in parts]
    told = sum(more, first)
    assert (told.counted, told.errors, told.blunders) == (whole.counted, whole.errors, whole.blunders)
    assert told.pr == pytest.approx(whole.pr, abs=0.0101)
    assert told.luck == pytest.approx(whole.luck)
    if whole.interval is not None:
        assert told.interval == pytest.approx(whole.interval, abs=0.0101)


@cache
def lines(data: bytes) -> list[tuple[int, Line]]:
    [found] = judge(data)
    asked = list_decisions(found.record)
    told = [build_line(each) for each in weigh(PipOracle(), asked, 1, with_luck=True)]
    return [(int(each.side), line) for each, line in zip(asked, told, strict=True)]


@pytest.mark.long
@pytest.mark.parametrize("after", [1, 2, 3, 4])
def test_each_decision_of_a_match_is_in_one_half(after: int) -> None:
    first, second = split(CLEAN, after)
    assert lines(first) + lines(second) == lines(CLEAN)


# -- on a player's page ---------------------------------------------------------------------------


@pytest.fixture
def oracle(settings: SettingsWrapper, monkeypatch: pytest.MonkeyPatch) -> PipOracle:
    found = PipOracle()
    put_in(found, settings, monkeypatch)
    return found


def analysed(two: Two, oracle: PipOracle, now: datetime) -> None:
    row = two.match()
    if row.winner_id is None:
        Pairing.objects.filter(pk=row.pk).update(
            state="decided", decided_at=now, winner=row.b_id, score_a=2, score_b=5, kind="played"
        )
    for _ in range(80):
        if not analysing.sweep(now=now, opening=lambda: engine(oracle)):
            break


def load_sums(user: User) -> tuple[int, int, float, float]:
    player: Player | None = user.player
    assert player is not None
    [pool] = player_statistics.build_pools(user, player)
    assert [month.matches for month in pool.months] == [pool.matches]
    return pool.matches, pool.totals.counted, round(pool.totals.error, 4), round(pool.totals.luck, 4)


def of_whole(side: int) -> tuple[int, int, float, float]:
    """The figures from the analysis of the record in one file."""
    rows = Analysis.objects.get(record=_key(CLEAN)).remarks.filter(side=side)
    counted = rows.filter(counted=True).count()
    errors = sum(rows.values_list("error", flat=True))
    return 1, counted, round(errors, 4), round(sum(each.luck or 0.0 for each in rows), 4)


def _key(data: bytes) -> str:
    [found] = judge(data)
    return RecordMatch.objects.filter(verdict__games=found.to_json()["games"]).values_list("key", flat=True)[
        0
    ]


@pytest.mark.long
@pytest.mark.django_db
@pytest.mark.parametrize("is_first_first", [True, False])
def test_two_halves_count_as_one_match(
    two: Two, oracle: PipOracle, now: datetime, *, is_first_first: bool
) -> None:
    white, black = sits(two)
    halves = split(record(white, black), 2)
    for by, data in zip((white, black), halves if is_first_first else halves[::-1], strict=True):
        hand_in(two, by, data)
    analysed(two, oracle, now)
    before = [load_sums(user) for user in (white, black)]
    cards = [deck.list_cards(user).count() for user in (white, black)]
    assert all(cards)
    # The whole of it in one file, too: still each decision once, and the same.
    hand_in(two, white, record(white, black))
    analysed(two, oracle, now)
    assert Analysis.objects.filter(level=3).count() == 3
    for side, user in enumerate((white, black)):
        assert load_sums(user) == before[side] == of_whole(side)
        assert deck.list_cards(user).count() == cards[side]


@pytest.mark.long
@pytest.mark.django_db
def test_the_second_half_alone_is_no_match(two: Two, oracle: PipOracle, now: datetime) -> None:
    white, black = sits(two)
    hand_in(two, white, split(record(white, black), 2)[1])
    analysed(two, oracle, now)
    assert RecordMatch.objects.count() == 1
    player = white.player
    assert player is not None
    assert player_statistics.build_pools(white, player) == ()


@pytest.mark.long
@pytest.mark.django_db
def test_a_record_of_a_match_that_was_played_here_counts_no_second_time(
    two: Two, oracle: PipOracle, now: datetime
) -> None:
    white, black = sits(two)
    players = (white.player, black.player)
    assert players[0] is not None
    assert players[1] is not None
    table = Table(now, agreed=club_terms(5), players=(players[0], players[1]))
    table.begin()
    table.play_out()
    won = two.match().a_id if table.row.winner == "white" else two.match().b_id
    analysing.sweep(now=table.now, opening=lambda: engine(oracle))
    while analysing.sweep(now=table.now, opening=lambda: engine(oracle)):
        pass
    before = [load_sums(user) for user in (white, black)]
    cards = [deck.list_cards(user).count() for user in (white, black)]
    hand_in(two, white, formats.write(exports.build_record(table.row), "mat"))
    Pairing.objects.filter(pk=two.match().pk).update(
        state="decided", decided_at=now, winner=won, score_a=table.row.white_score, score_b=table.row.black_score,
        kind="played",
    )  # fmt: skip
    analysed(two, oracle, now)
    assert len(match_hooks.RECORDS.get().of_players([players[0].pk], white)) == 1
    assert Analysis.objects.filter(level=3).count() == 2
    assert [load_sums(user) for user in (white, black)] == before
    assert [deck.list_cards(user).count() for user in (white, black)] == cards
