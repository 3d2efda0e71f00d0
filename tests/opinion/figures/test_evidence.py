"""Play compared with rating: counting, comparison, error margins, and access for directors only."""

from __future__ import annotations

import random
from datetime import datetime
from typing import Any

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from matches.models import Match
from matches.state.status import Status
from opinion.analyses import availability
from opinion.figures import evidence
from opinion.figures.figure_api import serialize_evidence
from opinion.judging.evidence import NEAREST, PlayRecord, Share, compare, find_nearest
from opinion.judging.figures import LEAST_COUNTED, Line, compute_figures
from opinion.models import Analysis
from players import hooks as player_hooks
from players.clubs import clubs
from players.models import Club, Player, Role, User
from runtime.hooks import SingleHook
from tests.matches.support import PASSWORD, Table, person
from tests.opinion.figures.test_player_statistics import again, judged

shares = st.integers(0, 400).flatmap(
    lambda of: st.tuples(st.integers(0, of), st.just(of)).map(lambda pair: Share(*pair))
)


# -- the formulas ---------------------------------------------------------------------------------


@pytest.mark.long
@given(shares)
def test_an_interval_holds_the_share_and_narrows_with_more_plays(share: Share) -> None:
    low, high = share.interval
    assert 0 <= low <= high <= 1
    if share.of:
        assert low - 1e-4 <= share.found / share.of <= high + 1e-4
        more = Share(share.found * 10, share.of * 10).interval
        assert more[1] - more[0] < high - low
    assert (share.rate is None) is (share.of < LEAST_COUNTED)


def test_the_interval_is_wilson_s() -> None:
    # Newcombe (1998), table I: 81 of 263 and 15 of 148, without correction.
    assert Share(81, 263).interval == pytest.approx((0.2553, 0.3662), abs=1e-4)
    assert Share(15, 148).interval == pytest.approx((0.0624, 0.1605), abs=1e-4)


def test_the_interval_of_a_difference_is_newcombe_s() -> None:
    # Newcombe (1998), method 10: 56 of 70 against 48 of 80.
    found = compare(1, {1: PlayRecord(Share(56, 70)), 2: PlayRecord(Share(48, 80))}, {})
    assert found.difference == pytest.approx((0.2, 0.0524, 0.3339), abs=1e-4)


@pytest.mark.long
@given(st.dictionaries(st.integers(1, 30), shares, min_size=1), st.data())
def test_the_base_rate_is_that_of_those_who_are_nearest(found: dict[int, Share], data: Any) -> None:
    rated = {
        one: data.draw(st.floats(1000, 2000), label=f"rating of {one}")
        for one in found
        if data.draw(st.booleans(), label=f"is {one} rated?")
    }
    records = {one: PlayRecord(share) for one, share in found.items()}
    me = data.draw(st.sampled_from([*found, 99]))
    told = compare(me, records, rated)
    known = [one for one in found if one != me and found[one].of >= LEAST_COUNTED]
    chosen = find_nearest(me, known, rated)
    assert me not in chosen
    if me in rated:
        assert len(chosen) <= NEAREST
        left = [one for one in known if one in rated and one not in chosen]
        worst = max((abs(rated[one] - rated[me]) for one in chosen), default=0.0)
        assert all(abs(rated[one] - rated[me]) >= worst for one in left)
        assert len(chosen) == min(NEAREST, sum(1 for one in known if one in rated))
    else:
        assert sorted(chosen) == sorted(known)
    assert told.number == len(chosen)
    assert told.others.share == sum((found[one] for one in chosen), Share())
    assert 0 <= told.as_many <= told.number
    if told.difference is not None:
        middle, low, high = told.difference
        assert -1 <= low <= middle <= high <= 1
        mine, base = told.own.share, told.others.share
        assert middle == pytest.approx(mine.found / mine.of - base.found / base.of, abs=1e-4)


# -- what is counted ------------------------------------------------------------------------------


@pytest.fixture
def club(played: Table, now: datetime) -> Club:
    """A club with these figures switched on; both players are members, and Ann is the owner."""
    owner: User | None = played.match.white.user
    assert owner is not None
    here = clubs.create(owner=owner, name="Lantern Street", now=now)
    clubs.join(club=here, player=played.match.black, now=now)
    Club.objects.filter(pk=here.pk).update(shows_evidence=True)
    here.refresh_from_db()
    return here


@pytest.mark.django_db
@pytest.mark.parametrize("seed", range(3))
def test_what_is_told_is_what_the_remarks_of_the_club_s_matches_say(
    club: Club, played: Table, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    dice = random.Random(seed)
    ann, ben = played.match.white, played.match.black
    eve = person("Eve", played.now).player
    expected: dict[Player, list[Line]] = {ann: [], ben: [], eve: []}
    for _ in range(dice.randint(4, 8)):
        white, black = dice.sample([ann, ben, eve], 2)
        lines = judged(again(played, white=white, black=black, club=club), dice, of=dice.randint(40, 120))
        expected[white] += lines[0]
        expected[black] += lines[1]
    # Elsewhere, at 1 ply, against a bot, or not over: none of it counts.
    judged(again(played, club=None), dice, of=50)
    judged(again(played, club=club), dice, of=50, level=1)
    judged(again(played, club=club, has_bot=True), dice, of=50)
    stale = again(played, club=club)
    judged(stale, dice, of=50)
    Analysis.objects.filter(match=stale).update(head_hash="another")
    rated = {ann.pk: 1500.0, ben.pk: 1520.0}
    listed = player_hooks.ListedRatings("The list", rated)
    monkeypatch.setattr(player_hooks, "RATINGS", SingleHook(lambda _club: listed))
    records = evidence.load_records(club)
    assert len(records) == 1
    [by_player] = records.values()
    for player, lines in expected.items():
        if not lines:
            continue
        found = by_player[player.pk]
        plays = [line for line in lines if line.is_play]
        assert found.share == Share(sum(1 for line in plays if not line.error), len(plays))
        sums = compute_figures(lines).totals
        assert (found.totals.counted, found.totals.pr) == (sums.counted, sums.pr)
    told = evidence.load_evidence(club, ann.key)
    assert told is not None
    document = serialize_evidence(told)
    assert (document["engine"], document["version"], document["level"]) == ("pips", "1", 3)
    assert (document["rating"], document["list"]) == (1500.0, "The list")
    for each in (document["own"], document["others"]):
        assert (each["rate"] is None) is (each["plays"] < LEAST_COUNTED)
        assert (each["pr"] is None) is (each["counted"] < LEAST_COUNTED)
    # Eve is not rated, and is not compared.
    assert document["others"]["plays"] in (0, by_player.get(ben.pk, PlayRecord()).share.of)


@pytest.mark.django_db
def test_of_a_match_that_is_not_over_nothing_is_counted(club: Club, played: Table) -> None:
    row = again(played, club=club)
    judged(row, random.Random(1), of=60)
    assert evidence.load_records(club)
    Match.objects.filter(pk=row.pk).update(
        status=Status.LIVE.value, finished_at=None, is_limited=False, is_timed=False
    )
    assert evidence.load_records(club) == {}


# -- access --------------------------------------------------------------------------------------


def address(club: Club, player: Player) -> str:
    return f"/clubs/{club.slug}/evidence/{player.key}/"


@pytest.mark.django_db
@pytest.mark.page
@pytest.mark.long
def test_directors_alone_are_told_and_only_where_the_club_wants_it(
    club: Club, played: Table, client: Client
) -> None:
    dice = random.Random(3)
    ann, ben = played.match.white, played.match.black
    for _ in range(3):
        judged(again(played, club=club), dice, of=200)
    where = address(club, ben)
    assert client.get(where).status_code == 302
    assert client.login(email="ben@example.org", password=PASSWORD)
    assert client.get(where).status_code == 403
    assert client.get(f"/api/v1{where}").status_code == 403
    assert "Play compared with rating" not in client.get(f"/players/{ben.key}/").content.decode()
    assert client.login(email="ann@example.org", password=PASSWORD)
    page = " ".join(client.get(where).content.decode().split())
    assert "evidence, not a verdict" in page
    assert "pips 1, 3 ply" in page
    assert "Plays with a choice" in page
    assert where in client.get(f"/players/{ben.key}/").content.decode()
    assert client.get(f"/api/v1{where}").json()["note"].startswith("Evidence, and no verdict")
    clubs.set_role(club=club, player=ben, role=Role.DIRECTOR, by=ann.user, now=played.now)
    assert client.login(email="ben@example.org", password=PASSWORD)
    assert client.get(where).status_code == 200
    Club.objects.filter(pk=club.pk).update(shows_evidence=False)
    assert client.get(where).status_code == 404
    assert client.get(f"/api/v1{where}").status_code == 404
    assert "Play compared with rating" not in client.get(f"/players/{ben.key}/").content.decode()


@pytest.mark.django_db
@pytest.mark.page
def test_it_is_off_until_an_owner_turns_it_on(club: Club, played: Table, client: Client) -> None:
    assert Club._meta.get_field("shows_evidence").default is False
    Club.objects.filter(pk=club.pk).update(shows_evidence=False)
    assert client.login(email="ann@example.org", password=PASSWORD)
    settings = f"/clubs/{club.slug}/settings/"
    form = client.get(settings).context["form"]
    sent = {name: value for name, value in form.initial.items() if value not in (None, False)}
    assert client.post(settings, {**sent, "shows_evidence": "on"}).status_code == 302
    club.refresh_from_db()
    assert club.shows_evidence
    assert client.post(settings, sent).status_code == 302
    club.refresh_from_db()
    assert not club.shows_evidence


@pytest.mark.django_db
@pytest.mark.page
def test_what_is_missing_is_said_in_one_line(
    club: Club, played: Table, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert client.login(email="ann@example.org", password=PASSWORD)
    where = address(club, played.match.black)
    assert "No match of this player has been analysed yet" in client.get(where).content.decode()
    monkeypatch.setattr(availability, "explain_absence", lambda: "no analysis on this machine")
    assert "There is no analysis on this machine" in client.get(where).content.decode()
    stranger = person("Zoe", played.now).player
    assert client.get(address(club, stranger)).status_code == 404
