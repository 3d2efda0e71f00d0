"""The demonstration: believable, repeatable, and only through the services."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from functools import partial
from io import StringIO

import pytest
from django.contrib.auth import authenticate
from django.core.management import CommandError, call_command
from django.test import Client

from draw.formats import FORMATS
from matches.lobby import offers
from matches.models import Match
from matches.play import match_lists
from matches.state.status import ENDED
from money import receivers as demo_money
from money.ledger import accounts
from money.models import EventMoney, LineKind, MoneyLine
from opinion.analyses import analyses
from players.clubs import clubs
from players.models import Membership, Notice, Player, Role, User
from rankings import verifiers as ratings
from rankings.models import RatingList
from runtime.install import verifiers
from tests import prepared
from tests.matches import files
from tournaments import demo, demo_cast
from tournaments.models import Entry, Pairing, PairingState, Stage, Tournament
from tournaments.status import Status
from venue.models import Assignment

NOW = datetime(2026, 11, 19, 20, 40, tzinfo=UTC)


@pytest.fixture(autouse=True)
def rows_are_as_proposed() -> None:
    """Not after every step: the verifiers look at all of it in the end."""


@pytest.fixture
def built(db: None) -> demo.Demo:
    return prepared.begin("demo", NOW, lambda: demo.build_demo(now=NOW, nights=4, opens=1, formats=1))


def standings() -> list[tuple[str, int | None]]:
    rows = Entry.objects.filter(tournament__status=Status.FINISHED).order_by(
        "tournament__starts_at", "place", "player__name"
    )
    return list(rows.values_list("player__name", "place"))


@pytest.mark.long
def test_a_club_with_a_season(built: demo.Demo) -> None:
    by_status = {status: Tournament.objects.filter(status=status).count() for status in Status}

    assert by_status == {"DRAFT": 1, "PUBLISHED": 2, "RUNNING": 1, "FINISHED": 6, "CANCELLED": 1}
    assert Membership.objects.filter(club=built.club).count() == 40
    assert Membership.objects.filter(role=Role.DIRECTOR).count() == 2
    assert Player.objects.filter(user__isnull=True, bot__isnull=True).count() == 7
    assert Player.objects.exclude(alias="").get().public_name == "Double Six Pip"
    assert Player.objects.filter(hidden_from_search=True, bot__isnull=True).count() == 1
    assert built.club.invitations.count() == 2
    assert not Tournament.objects.filter(status=Status.FINISHED, starts_at__gt=NOW).exists()
    assert not Tournament.objects.filter(status=Status.PUBLISHED, starts_at__lt=NOW).exists()


@pytest.mark.long
def test_there_are_matches_to_look_at(built: demo.Demo) -> None:
    matches = Match.objects.filter(pairing__isnull=True).order_by("pk")
    shown = [Player.objects.get(name=name) for name in demo_cast.PLAYERS_SHOWN]

    assert [match.status for match in matches] == ["live", "finished", "finished", "live", "live"]
    assert {matches[0].white, matches[0].black} == set(shown)
    assert [match.has_bot for match in matches] == [False] * 4 + [True]
    assert not matches.filter(moved_at__gt=NOW).exists()
    assert match_lists.list_turns(shown[0]).saved or match_lists.list_turns(shown[1]).saved
    assert offers.list_open_seats(shown[0], now=NOW).count() == 1
    assert list(verifiers.find_problems()) == []
    for match in matches.filter(status__in=ENDED):
        files.tell_the_match(match)


@pytest.mark.long
@pytest.mark.long
def test_what_is_over_is_analysed_by_itself(built: demo.Demo) -> None:
    over = set(Match.objects.filter(status__in=ENDED).values_list("pk", flat=True))
    assert over
    assert set(analyses.list_unanalysed(NOW).values_list("pk", flat=True)) == over


@pytest.mark.long
def test_tonight_is_under_way(built: demo.Demo) -> None:
    event = Tournament.objects.get(status=Status.RUNNING)
    rows = Pairing.objects.filter(tournament=event)
    assert rows.filter(state=PairingState.DECIDED).count() > 6
    assert rows.filter(state=PairingState.READY, opened_at__isnull=False).exists()
    assert rows.filter(kind="no-show").count() == 1
    boards = Match.objects.filter(pk__in=rows.filter(state=PairingState.READY).values("match"))
    assert [match.status for match in boards] == ["live"] * len(demo_cast.TONIGHT)
    assert not boards.filter(moved_at__gt=NOW).exists()


@pytest.mark.long
def test_tonight_has_a_room_a_score_sheet_and_money(built: demo.Demo) -> None:
    event = Tournament.objects.get(status=Status.RUNNING)
    calls = Assignment.objects.filter(pairing__tournament=event, ended_at=None).order_by("table__position")

    assert len(calls) == 2
    assert [[chair.here_at is not None for chair in call.chairs.order_by("pk")] for call in calls] == [
        [True, True],
        [True, False],
    ]
    assert calls[0].pairing.running["score"] == [1, 2]
    paid = MoneyLine.objects.filter(money__event=event, kind=LineKind.FEE).count()
    assert 0 < paid < Entry.objects.filter(tournament=event).count()
    account = accounts.load_account(EventMoney.objects.get(event=event))
    assert account.in_hand == paid * (demo_money.TERMS.fee + demo_money.TERMS.registration) + sum(
        demo_money.POOL_STAKE for _ in account.contributors(1)
    )
    assert EventMoney.objects.filter(event__status=Status.PUBLISHED).exists()
    assert list(verifiers.find_problems()) == []


@pytest.mark.long
def test_there_is_a_ranking(built: demo.Demo) -> None:
    rating_list = RatingList.objects.get(club=built.club)
    played = Pairing.objects.filter(kind="played", winner__isnull=False, is_derived=False)
    assert rating_list.entries.count() == 2 * played.count() > 100
    # Some nights are enough for a person to be established.
    assert rating_list.ratings.filter(last__experience__gte=50).exists()
    assert list(verifiers.find_problems()) == []


@pytest.mark.slow
@pytest.mark.django_db
def test_there_is_a_year_of_ratings() -> None:
    built = demo.build_demo(now=NOW, opens=0, formats=0)
    rating_list = RatingList.objects.get(club=built.club)
    entries = rating_list.entries.filter(voided_at__isnull=True)
    # A player was rated in each of the twelve months before today, and regulars in most of them.
    assert {at.strftime("%Y-%m") for at in entries.values_list("at", flat=True)} >= {
        f"{2025 + month // 12}-{month % 12 + 1:02}" for month in range(11, 22)
    }
    busy = Counter(entries.values_list("player", flat=True)).most_common(1)[0][0]
    assert len({at.month for at in entries.filter(player=busy).values_list("at", flat=True)}) >= 8
    assert rating_list.ratings.filter(last__experience__gte=100).count() >= 10
    assert list(ratings.find_problems(rating_list)) == []
    assert list(verifiers.find_problems()) == []


@pytest.mark.slow
@pytest.mark.django_db
def test_there_is_a_finished_event_of_every_format() -> None:
    demo.build_demo(now=NOW, nights=1, opens=0)
    played = Stage.objects.filter(tournament__status=Status.FINISHED)
    assert set(played.values_list("format", flat=True)) == set(FORMATS)
    assert list(verifiers.find_problems()) == []


@pytest.mark.long
def test_directors_are_not_flooded_with_old_news(built: demo.Demo) -> None:
    unread = Notice.objects.filter(user__email=built.accounts[0].email, read_at__isnull=True)

    assert 1 <= unread.count() <= 3


@pytest.mark.long
def test_a_second_run_finds_the_first(built: demo.Demo) -> None:
    again = demo.build_demo(now=NOW, nights=4, opens=1, formats=1)

    assert not again.is_new
    assert again.accounts == built.accounts
    assert Tournament.objects.count() == 11


@pytest.mark.long
def test_the_accounts_can_sign_in(built: demo.Demo) -> None:
    for account in built.accounts:
        assert authenticate(None, email=account.email, password=account.password) is not None


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_the_same_seed_makes_the_same_season() -> None:
    demo.build_demo(now=NOW, nights=3, opens=1, formats=0)
    first = standings()
    call_command("flush", interactive=False, verbosity=0)
    demo.build_demo(now=NOW, nights=3, opens=1, formats=0)

    assert standings() == first
    assert len(first) > 30


def test_it_keeps_away_from_somebody_elses_club(greta: User, now: datetime) -> None:
    clubs.create(owner=greta, name="Real Club", now=now)

    with pytest.raises(CommandError, match="--force"):
        call_command("demo", stdout=StringIO())

    assert not Tournament.objects.exists()


@pytest.mark.long
@pytest.mark.django_db
def test_the_command_prints_the_ways_in(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "build_demo", partial(demo.build_demo, nights=2, opens=0, formats=0))
    first, second = StringIO(), StringIO()

    call_command("demo", stdout=first)
    call_command("demo", stdout=second)

    assert "is ready" in first.getvalue()
    assert "is there already" in second.getvalue()
    assert first.getvalue().count("@harbour-lights.example") == 3
    assert second.getvalue().splitlines()[-3:] == first.getvalue().splitlines()[-3:]
    assert client.get("/").status_code == 200


@pytest.mark.parametrize(
    ("number", "place"), [(1, 1), (2, 2), (3, 3), (4, 3), (5, 5), (8, 5), (9, 9), (16, 9), (17, 17)]
)
def test_knock_out_places(number: int, place: int) -> None:
    assert demo_cast.compute_knockout_place(number) == place
