"""Find: what people look for is found however it is typed, and nothing that is hidden is."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from django.core.cache import cache
from django.test import Client

from matches.lobby import challenges
from matches.models import Match
from matches.play import terms_validation
from players.accounts import accounts
from players.clubs import clubs
from players.models import Club, Role, User
from runtime.http.rate_limits import AnonThrottle
from tournaments.models import Pairing, Tournament
from tournaments.plan import drawing, setup
from tournaments.plan.templates import TEMPLATES
from tournaments.play import directing, entering, results

if TYPE_CHECKING:
    from pytest_django import DjangoAssertNumQueries

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _nobody_asked_before() -> None:
    cache.clear()


@pytest.fixture
def sign_up(now: datetime) -> Callable[[str], User]:
    """Return an account: sign_up("Ada Okafor")."""

    def _sign_up(name: str) -> User:
        number = len(name) + sum(map(ord, name))
        return accounts.register(
            email=f"p{number}@example.org", password="three old pennies", name=name, now=now
        )

    return _sign_up


@pytest.fixture
def ada(sign_up: Callable[[str], User]) -> User:
    return sign_up("Ada Okafor")


@pytest.fixture
def zoe(sign_up: Callable[[str], User]) -> User:
    return sign_up("Zoë Ångström")


@pytest.fixture
def club(ada: User, now: datetime) -> Club:
    return clubs.create(owner=ada, name="Käfig Backgammon", city="Zürich", now=now)


@pytest.fixture
def evening(club: Club, ada: User, now: datetime) -> Tournament:
    """A night that is announced."""
    details = setup.Details(name="Größter Abend", starts_at=now, place="Café Odéon")
    plan = TEMPLATES["club-night"].plan(5, 0)
    return setup.announce(club=club, by=ada, key="evening123", details=details, now=now, plan=plan)


@pytest.fixture
def played(evening: Tournament, ada: User, now: datetime) -> Pairing:
    """A match of that night between two guests, won 5-3."""
    for name in ("Hiroto Minazuki", "Ilse Brandvold"):
        directing.admit_guest(tournament_id=evening.pk, name=name, by=ada, now=now)
    entering.check_in_entries(tournament_id=evening.pk, entries=[1, 2], by=ada, now=now)
    drawing.publish(tournament_id=evening.pk, by=ada, now=now)
    match = Pairing.objects.get(tournament=evening, key="main/1.1")
    results.enter_result(tournament_id=evening.pk, key=match.key, score=(5, 3), by=ada, now=now)
    return Pairing.objects.get(pk=match.pk)


@pytest.mark.parametrize("typed", ["Zoë", "zoe", "ANGSTR", "ångström zoë", "  zoe  ", "strom"])
def test_a_player_is_found_however_the_name_is_typed(client: Client, zoe: User, typed: str) -> None:
    page = client.get("/find/", {"q": typed})

    assert zoe.player.get_absolute_url() in page.text
    assert zoe.player.get_absolute_url() not in client.get("/find/", {"q": "zoe x"}).text


def test_events_and_clubs_are_found_by_name_and_place(client: Client, evening: Tournament) -> None:
    for typed in ("grosster", "ABEND", "odeon", "abend kafig"):
        assert evening.get_absolute_url() in client.get("/find/", {"q": typed}).text, typed
    for typed in ("kafig", "zurich", "backgammon zurich"):
        assert evening.club.get_absolute_url() in client.get("/find/", {"q": typed}).text, typed


def test_a_renamed_club_event_and_player_are_found_by_the_new_name_alone(
    client: Client, zoe: User, evening: Tournament, ada: User, now: datetime
) -> None:
    accounts.change(user=zoe, now=now, name="Zelda Fitz")
    details = setup.Details(name="Kleiner Abend", starts_at=now, place="")
    setup.edit(tournament_id=evening.pk, by=ada, details=details, now=now)

    assert zoe.player.get_absolute_url() in client.get("/find/", {"q": "fitz"}).text
    assert zoe.player.get_absolute_url() not in client.get("/find/", {"q": "angstrom"}).text
    assert evening.get_absolute_url() in client.get("/find/", {"q": "kleiner"}).text
    assert evening.get_absolute_url() not in client.get("/find/", {"q": "odeon"}).text


def test_a_match_is_found_by_its_players_and_its_event(client: Client, played: Pairing) -> None:
    for typed in ("minazuki", "brandvold minazuki", "hiroto abend"):
        page = client.get("/find/", {"q": typed}).text
        assert f"/events/evening123/games/{played.key}" in page, typed
        assert "5\N{EN DASH}3" in page or "3\N{EN DASH}5" in page
    assert "/games/" not in client.get("/find/", {"q": "minazuki okafor"}).text


def test_an_alias_is_found_and_the_name_behind_it_is_not(client: Client, zoe: User, now: datetime) -> None:
    accounts.change(user=zoe, now=now, alias="Nightowl", shown_as="alias")

    assert zoe.player.get_absolute_url() in client.get("/find/", {"q": "nightowl"}).text
    assert zoe.player.get_absolute_url() not in client.get("/find/", {"q": "zoe"}).text
    assert zoe.player.get_absolute_url() not in client.get("/find/", {"q": "angstrom"}).text
    # Nor does its order tell: sorted by what is shown.
    assert "ngstr" not in client.get("/find/", {"q": "nightowl"}).text


def test_who_hides_is_found_by_directors_of_their_club_alone(
    client: Client, zoe: User, ada: User, club: Club, sign_up: Callable[[str], User], now: datetime
) -> None:
    bo = sign_up("Bo Lindgren")
    for user in (zoe, bo):
        clubs.join(club=club, player=user.player, now=now)
    accounts.change(user=zoe, now=now, hidden_from_search=True)
    url = zoe.player.get_absolute_url()

    assert url not in client.get("/find/", {"q": "zoe"}).text
    client.force_login(bo)
    assert url not in client.get("/find/", {"q": "zoe"}).text
    clubs.set_role(club=club, player=bo.player, role=Role.DIRECTOR, by=ada, now=now)
    assert url in client.get("/find/", {"q": "zoe"}).text


def test_no_match_tells_where_somebody_plays_who_hides(
    client: Client, zoe: User, ada: User, now: datetime
) -> None:
    match = play(zoe, ada, now)
    assert f"/matches/{match.key}/" in client.get("/find/", {"q": "okafor"}).text
    accounts.change(user=zoe, now=now, hidden_from_search=True)

    for typed in ("okafor", "angstrom", "okafor angstrom"):
        assert f"/matches/{match.key}/" not in client.get("/find/", {"q": typed}).text, typed
    client.force_login(zoe)
    assert f"/matches/{match.key}/" in client.get("/find/", {"q": "okafor"}).text


def test_a_private_match_is_found_by_its_players_alone(
    client: Client, zoe: User, ada: User, sign_up: Callable[[str], User], now: datetime
) -> None:
    match = play(zoe, ada, now, is_private=True)
    for user in (None, sign_up("Bo Lindgren")):
        if user:
            client.force_login(user)
        assert f"/matches/{match.key}/" not in client.get("/find/", {"q": "okafor"}).text
    client.force_login(ada)
    assert f"/matches/{match.key}/" in client.get("/find/", {"q": "angstrom"}).text


def test_who_has_left_is_not_found(client: Client, zoe: User, ada: User, now: datetime) -> None:
    match = play(zoe, ada, now)
    key = zoe.player.key
    accounts.erase(user=zoe, now=now)

    for typed in ("zoe", "angstrom", "former", "former player"):
        assert key not in client.get("/find/", {"q": typed}).text, typed
    assert f"/matches/{match.key}/" not in client.get("/find/", {"q": "okafor"}).text


def test_a_draft_is_found_by_its_directors_alone(
    client: Client, club: Club, ada: User, sign_up: Callable[[str], User], now: datetime
) -> None:
    details = setup.Details(name="Secret plan", starts_at=now + timedelta(days=9))
    draft = setup.draft(club=club, by=ada, key="secretsecr", details=details, now=now)
    for user in (None, sign_up("Bo Lindgren")):
        if user:
            client.force_login(user)
        assert draft.get_absolute_url() not in client.get("/find/", {"q": "secret"}).text
    client.force_login(ada)
    assert draft.get_absolute_url() in client.get("/find/", {"q": "secret"}).text


def test_who_asks_too_often_waits(client: Client, zoe: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(AnonThrottle, "rate", "3/min", raising=False)

    assert [client.get("/find/", {"q": "zoe"}).status_code for _ in range(4)] == [200, 200, 200, 429]
    # The page itself costs nothing and stays.
    assert client.get("/find/").status_code == 200


def test_nothing_typed_finds_nothing(client: Client, zoe: User) -> None:
    for typed in ("", "   ", "%", "_", "\N{COMBINING ACUTE ACCENT}"):
        assert zoe.player.get_absolute_url() not in client.get("/find/", {"q": typed}).text


def test_the_panel_and_the_list_are_parts(client: Client, zoe: User) -> None:
    for part in ("found", "find-panel"):
        piece = client.get("/find/", {"q": "zoe"}, headers={"HX-Request": "true", "HX-Target": part}).text
        assert piece.strip().startswith("<div")
        assert f'id="{part}"' in piece
        assert zoe.player.get_absolute_url() in piece


def test_finding_takes_so_many_queries_whatever_is_found(
    client: Client, played: Pairing, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    client.get("/find/", {"q": "minazuki"})
    with django_assert_max_num_queries(12):
        client.get("/find/", {"q": "minazuki"})


def play(a: User, b: User, now: datetime, *, is_private: bool = False) -> Match:
    """A match between two players on the site."""
    offer = challenges.offer(
        challenger=a.player,
        opponent=b.player,
        terms=terms_validation.read_terms(length=3),
        is_private=is_private,
        now=now,
    )
    challenges.accept(challenge_id=offer.pk, player=b.player, now=now)
    return Match.objects.order_by("-pk")[0]
