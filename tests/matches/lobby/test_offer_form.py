"""The form for a match: it offers what the API can, keeps what was typed, and finds opponents by search."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

import pytest
from django.http import HttpResponse

from engine.clock import MINUTE, PRESETS, SECOND
from matches.bots import bots
from matches.models import Challenge
from players.accounts import accounts
from players.clubs import clubs
from players.models import User
from runtime.stream import presence
from tests.clients import signed_in
from tests.matches.support import person

pytestmark = pytest.mark.today

USUAL = {"opponent": "anyone", "length": "5", "clock": "club"}


@pytest.fixture
def ann(db: None, now: datetime) -> User:
    return person("Ann", now)


def offer(user: User, **told: Any) -> HttpResponse:
    return signed_in(user).post("/play/offer/", USUAL | told)  # type: ignore[return-value]


def text(answer: Any) -> str:
    return str(answer.content.decode())


def terms(user: User, **told: Any) -> dict[str, Any]:
    """Post a valid offer form and load the agreed terms."""
    answer = offer(user, **told)
    assert answer.status_code == 302, text(answer)
    return dict(Challenge.objects.latest("pk").terms)


def test_money_play_with_its_rules(ann: User) -> None:
    found = terms(ann, length="0", clock="none", jacoby="on", beavers="on", automatic_doubles="2")

    rules = found["rules"]
    assert (rules["length"], rules["jacoby"], rules["beavers"], rules["automatic_doubles"]) == (
        0,
        True,
        True,
        2,
    )


def test_what_belongs_to_money_play_is_nothing_to_a_match(ann: User) -> None:
    assert terms(ann, jacoby="on", automatic_doubles="2")["rules"].get("jacoby", False) is False


def test_lengths_beside_the_buttons(ann: User) -> None:
    assert terms(ann, length="other", other_length="13")["rules"]["length"] == 13
    answer = offer(ann, length="other")
    assert answer.status_code == 422
    assert "How many points?" in text(answer)


def test_variants_no_cube_and_no_crawford(ann: User) -> None:
    rules = terms(ann, variant="nackgammon", no_cube="on", no_crawford="on", dead_cube="refused")["rules"]

    assert rules["cube"] is False
    assert rules["crawford"] is False
    assert rules["dead_cube"] == "refused"
    assert "start" in rules or rules.get("variant") == "nackgammon"


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_every_preset_is_offered_in_words(ann: User, name: str) -> None:
    assert f'name="clock" value="{name}"' in text(signed_in(ann).get("/play/"))
    assert terms(ann, clock=name)["clock"] == name


def test_an_own_clock(ann: User) -> None:
    found = terms(ann, clock="own", timing="fischer", reserve="2.5", delay="5")
    assert found["control"] == {"timing": "fischer", "reserve": 150 * SECOND, "delay": 5 * SECOND}
    # A plain clock has no delay; the field of the delay is ignored.
    found = terms(ann, clock="own", timing="plain", reserve="10", delay="12")
    assert found["control"] == {"timing": "plain", "reserve": 10 * MINUTE, "delay": 0}


@pytest.mark.parametrize(
    ("told", "sentence", "field"),
    [
        ({"clock": "own", "reserve": "", "delay": "9"}, "How many minutes?", "reserve"),
        (
            {"clock": "own", "reserve": "0", "delay": "3"},
            "Allow at least 10 seconds a move.",
            "reserve",
        ),
        (
            {"length": "0", "clock": "club"},
            "Money play takes the clock Correspondence, one of your own, or none.",
            "clock",
        ),
        ({"opponent": "nobody"}, "This player cannot be challenged.", "opponent"),
    ],
)
def test_what_cannot_be_is_said_at_the_field_and_what_was_typed_is_kept(
    ann: User, told: dict[str, str], sentence: str, field: str
) -> None:
    answer = offer(ann, **told, no_chat="on", is_private="on", variant="hypergammon", q="bob")

    assert answer.status_code == 422
    assert not Challenge.objects.exists()
    page = text(answer)
    before = page.partition(sentence)[0]
    assert re.findall(r'name="(\w+)"', before)[-1] == field
    assert re.search(r'value="hypergammon"[^>]*checked', page)
    assert re.search(r'name="no_chat"[^>]*checked', page)
    assert '<details class="more offer__more" open>' in page
    assert 'value="bob"' in page


def test_what_the_services_refuse_is_said_on_the_form(ann: User) -> None:
    for _ in range(3):
        offer(ann)
    answer = offer(ann, length="9")

    assert answer.status_code == 422
    assert "You have 3 open offers already." in text(answer)
    assert re.search(r'name="length" value="9"[^>]*checked', text(answer))


def test_no_match_by_challenge_is_called_rated(ann: User) -> None:
    assert "Rated" not in text(signed_in(ann).get("/play/"))


def test_in_the_name_of_a_club(ann: User, now: datetime) -> None:
    club = clubs.create(owner=ann, name="Bristol", now=now)
    other = clubs.create(owner=person("Eve", now), name="Elsewhere", now=now)
    terms(ann, club=club.slug)

    assert Challenge.objects.get().club == club
    assert offer(ann, club=other.slug).status_code == 422


class TestOpponents:
    """Whom the form finds."""

    @pytest.fixture
    def people(self, ann: User, now: datetime) -> dict[str, User]:
        names = ("Bea", "Cid", "Dan", "Stranger", "Shy")
        found = {name: person(name, now) for name in names}
        club = clubs.create(owner=ann, name="Bristol", now=now)
        for name in ("Bea", "Cid", "Dan"):
            clubs.join(club=club, player=found[name].player, now=now)
        found["Shy"].player.hidden_from_search = True
        found["Shy"].player.save(update_fields=["hidden_from_search"])
        return found

    def names(self, answer: Any) -> list[str]:
        return re.findall(
            r'name="opponent"[^>]*>\s*<span>\s*([^<]+?)\s*(?:<span class="opponents__online|</span>)',
            text(answer),
        )

    def test_members_are_listed_and_who_is_online_first(
        self, ann: User, people: dict[str, User], now: datetime
    ) -> None:
        presence.write_counts({f"user.{people['Dan'].pk}": 1}, now=now)
        page = signed_in(ann).get("/play/")

        assert self.names(page)[-3:] == ["Dan", "Bea", "Cid"]
        assert "Stranger" not in text(page)
        assert "<select" not in text(page).partition('id="opponents"')[2].partition("</fieldset>")[0]

    def test_a_few_letters_find_whoever_may_be_found(self, ann: User, people: dict[str, User]) -> None:
        client = signed_in(ann)

        assert self.names(client.get("/play/opponents/?q=STRANG"))[-1] == "Stranger"
        assert "Shy" not in self.names(client.get("/play/opponents/?q=shy"))
        assert "No player found" in text(client.get("/play/opponents/?q=zzz"))
        assert "Ann" not in self.names(client.get("/play/opponents/?q=ann"))

    def test_who_is_chosen_stays_while_one_searches_on(self, ann: User, people: dict[str, User]) -> None:
        key = people["Bea"].player.key
        answer = signed_in(ann).get(f"/play/opponents/?q=cid&opponent={key}")

        assert self.names(answer)[-2:] == ["Bea", "Cid"]
        assert re.search(rf'value="{key}" checked', text(answer))

    def test_without_script_a_button_searches_and_keeps_the_rest(
        self, ann: User, people: dict[str, User]
    ) -> None:
        answer = offer(ann, find="1", q="strang", length="9", no_cube="on")

        assert answer.status_code == 200
        assert not Challenge.objects.exists()
        assert self.names(answer)[-1] == "Stranger"
        assert re.search(r'name="length" value="9"[^>]*checked', text(answer))
        assert re.search(r'name="no_cube"[^>]*checked', text(answer))

    def test_a_name_that_was_typed_and_not_searched_yet_is_searched(
        self, ann: User, people: dict[str, User]
    ) -> None:
        answer = offer(ann, q="strang", shown="")
        assert self.names(answer)[-1] == "Stranger"
        assert not Challenge.objects.exists()
        assert 'name="shown" value="strang"' in text(answer)

        assert offer(ann, q="strang", shown="strang").status_code == 302
        assert Challenge.objects.exists()

    def test_who_was_found_is_challenged(self, ann: User, people: dict[str, User]) -> None:
        offer(ann, opponent=people["Stranger"].player.key)
        assert Challenge.objects.get().opponent == people["Stranger"].player
        assert offer(ann, opponent=people["Shy"].player.key).status_code == 422

    def test_a_bot_accepts_at_once(self, ann: User) -> None:
        answer = offer(ann, opponent=bots.get_practice_bot().player.key)
        assert answer["Location"].startswith("/matches/")

    def test_without_anybody_there_is_a_word_for_it(self, ann: User) -> None:
        assert "Search for a player, or open a seat." in text(signed_in(ann).get("/play/"))


@pytest.mark.long
@pytest.mark.share
def test_a_players_page_offers_a_challenge_to_those_whom_the_form_takes(ann: User, now: datetime) -> None:
    ben, cleo, dan, eve = (person(name, now) for name in ("Ben", "Cleo", "Dan", "Eve"))
    club = clubs.create(owner=ann, name="Bristol Backgammon", now=now)
    clubs.join(club=club, player=cleo.player, now=now)
    for hidden in (cleo, dan):
        accounts.change(user=hidden, hidden_from_search=True, now=now)
    User.objects.filter(pk=eve.pk).update(is_active=False)

    def is_offered(user: User) -> bool:
        page = text(signed_in(ann).get(user.player.get_absolute_url()))
        return f"/play/?opponent={user.player.key}" in page

    taken = {user: offer(ann, opponent=user.player.key).status_code == 302 for user in (ben, cleo, dan, eve)}
    assert taken == {ben: True, cleo: True, dan: False, eve: False}
    assert {user: is_offered(user) for user in taken} == taken
    assert not is_offered(ann)
