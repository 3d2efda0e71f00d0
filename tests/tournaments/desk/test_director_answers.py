"""What the lists of entries and pairings answer to directors, to the two players, and to others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from draw.formats import FORMATS
from players.clubs import clubs
from players.models import User
from tests.matches.http import Caller
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.models import Pairing, ReportStatus, Tournament
from tournaments.plan import drawing
from tournaments.play import entering

pytestmark = pytest.mark.today

FOR_DIRECTORS = {"called_at", "here", "late", "needs_director"}


@pytest.fixture
def two(desk: Desk, sign_up: Callable[[str], User]) -> list[User]:
    """Two members of the club of the desk."""
    found = [sign_up("Ann Alder"), sign_up("Bo Birch")]
    for user in found:
        clubs.join(club=desk.club, player=user.player, now=desk.now)
    return found


def begin(desk: Desk, two: list[User], form: str = "single-elimination", **options: Any) -> Tournament:
    event = desk.announce(a_plan(form, **options))
    for user in two:
        entering.enter_own_player(tournament_id=event.pk, user=user, now=desk.now)
    desk.do(drawing.publish)
    return desk.fresh()


def in_seats(desk: Desk, two: list[User]) -> tuple[Pairing, list[Caller]]:
    """Return the open match, and its players in the order of the seats."""
    match = desk.open()[0]
    return match, [Caller(user) for user in (two if match.a.number == 1 else two[::-1])]


def act(caller: Caller, event: Tournament, word: str, *, status: int = 200, **fields: Any) -> Any:
    return caller.post(f"events/{event.key}/acts/", {"act": word, **fields}, status=status)


def read(caller: Caller, event: Tournament, key: str) -> Any:
    found = [each for each in caller.list(f"events/{event.key}/pairings/") if each["key"] == key]
    return found[0]


@pytest.mark.long
@pytest.mark.share
@pytest.mark.parametrize("form", FORMATS)
def test_a_director_reads_the_reports_and_accepts_one(desk: Desk, two: list[User], form: str) -> None:
    event = begin(desk, two, form)
    match, (one, other) = in_seats(desk, two)
    act(one, event, "report", key=match.key, score=[5, 3])
    act(other, event, "report", key=match.key, score=[2, 5])
    director = Caller(desk.director)
    seen = read(director, event, match.key)
    assert seen["needs_director"] == "dispute"
    said = {each["entry"]: each for each in seen["reports"]}
    a, b = seen["a"]["entry"], seen["b"]["entry"]
    assert {number: (each["score"], each["winner"], each["status"]) for number, each in said.items()} == {
        a: ([5, 3], a, ReportStatus.DISPUTED),
        b: ([2, 5], b, ReportStatus.DISPUTED),
    }
    act(director, event, "rule", key=match.key, decision="accept", entry=b, reason="both remember it")
    after = read(director, event, match.key)
    assert (after["score"], after["reports"]) == ([2, 5], [])


def test_reports_are_read_by_the_two_players_and_not_by_others(
    desk: Desk, two: list[User], sign_up: Callable[[str], User]
) -> None:
    event = begin(desk, two)
    match, (one, _other) = in_seats(desk, two)
    games = [{"winner": "a", "points": 4, "cube": 2, "end": "gammon"}, {"winner": "a", "points": 1}]
    act(one, event, "report", key=match.key, score=[5, 0], games=games)
    for user in two:
        seen = read(Caller(user), event, match.key)
        assert [each["entry"] for each in seen["reports"]] == [seen["a"]["entry"]]
        assert [each["points"] for each in seen["reports"][0]["games"]] == [4, 1]
        assert not FOR_DIRECTORS & {*seen}
    for stranger in (Caller(None), Caller(sign_up("Cy Cole"))):
        assert not {"reports", *FOR_DIRECTORS} & {*read(stranger, event, match.key)}


def test_a_player_reads_no_reports_of_other_matches(desk: Desk, two: list[User]) -> None:
    event = begin(desk, two, "round-robin")
    # Guests have no account, and neither has a visitor.
    guests = desk.start(a_plan("round-robin"), 4)
    assert not any("reports" in each for each in Caller(None).list(f"events/{guests.key}/pairings/"))
    assert not any("reports" in each for each in Caller(two[0]).list(f"events/{guests.key}/pairings/"))
    assert all("reports" in each for each in Caller(two[0]).list(f"events/{event.key}/pairings/"))


def test_a_report_without_a_score(desk: Desk, two: list[User]) -> None:
    event = begin(desk, two)
    type(event).objects.filter(pk=event.pk).update(scores_needed=False)
    match, (one, _other) = in_seats(desk, two)
    act(one, event, "report", key=match.key, winner=match.a.number)
    (said,) = read(Caller(desk.director), event, match.key)["reports"]
    assert (said["score"], said["winner"], said["entry"]) == (None, match.a.number, match.a.number)


def test_a_director_reads_who_was_called_and_is_at_the_table(desk: Desk, two: list[User]) -> None:
    event = begin(desk, two)
    match = desk.open()[0]
    Pairing.objects.filter(pk=match.pk).update(called_at=None)
    director = Caller(desk.director)
    assert read(director, event, match.key)["called_at"] is None
    act(director, event, "call", key=match.key, table="7")
    act(director, event, "here", key=match.key, entry=2)
    act(director, event, "late", key=match.key, entry=1, points=2)
    seen = read(director, event, match.key)
    assert (seen["table"], seen["here"]) == ("7", [2])
    assert seen["late"] == ([2, 0] if match.a.number == 1 else [0, 2])
    assert seen["called_at"]


@pytest.mark.parametrize("form", ["swiss", "round-robin", "single-elimination"])
def test_a_director_reads_who_is_away_and_the_byes_agreed(desk: Desk, form: str) -> None:
    event = desk.start(a_plan(form), 6)
    director = Caller(desk.director)
    act(director, event, "away", entries=[3])
    if form == "swiss":
        act(director, event, "ask-bye", entry=2, round=2, points="1/2")
    rows = {each["number"]: each for each in director.list(f"events/{event.key}/entries/")}
    assert [number for number, each in rows.items() if each["away"]] == [3]
    byes = {number: each["byes"] for number, each in rows.items() if each["byes"]}
    assert byes == ({2: [{"round": 2, "points": "1/2"}]} if form == "swiss" else {})
    act(director, event, "back", entries=[3])
    assert not any(each["away"] for each in director.list(f"events/{event.key}/entries/"))
    for seen in Caller(None).list(f"events/{event.key}/entries/"):
        assert not {"away", "byes"} & {*seen}
