"""Title chances: right by the list's own formula, shown where the list may say, and of now after each result."""

from __future__ import annotations

import pickle
import subprocess
import sys
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from draw.rules_of_play import RulesOfPlay as Play
from players.clubs import clubs
from rankings.chances import chances, title_chances
from rankings.chances import titles as selected
from rankings.formulas.fibs import Fibs
from rankings.formulas.values import Standing
from rankings.ledger import rated_matches
from rankings.lists import lists
from rankings.models import LedgerEntry, RatingList, RulesOfPlay, TitleChances
from rankings.openings import openings
from runtime.http import views
from runtime.models import Outbox
from runtime.work import outbox
from tests.deliveries import deliver
from tests.inputs import ROOT
from tests.rankings.openings.test_openings import bring, build_old
from tests.rankings.rating_lists import history, open_list
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.support import text
from tournaments.base.settings import Settings
from tournaments.models import Pairing, PairingState, Tournament
from tournaments.play import changes


def rated(desk: Desk, form: str = "single-elimination", *, system: str = "fibs") -> RatingList:
    """A list that knows four players, and an event of these four."""
    kept = history(desk, system)
    players = [desk.player(number) for number in range(1, 5)]
    event = desk.start(a_plan(form), 4)
    for number, player in enumerate(players, 1):
        event.entries.filter(number=number).update(player=player)
    return kept


def shares(desk: Desk) -> dict[int, float]:
    """The chances in the event's row after all background work."""
    # As long as it takes until they may be computed once more.
    desk.now += title_chances.EVERY
    deliver(desk.now)
    row = TitleChances.objects.filter(event=desk.event).first()
    return {} if row is None else dict(row.shares)


def shown(desk: Desk) -> str:
    return text(Client().get(desk.event.get_absolute_url()))


@pytest.mark.long
@pytest.mark.usefixtures("soon")
def test_they_are_the_list_s_own_expectancies_multiplied(desk: Desk) -> None:
    kept = rated(desk)
    found = shares(desk)
    at = {
        number: chances.load_last_standings(kept, {desk.player(number).pk}, now=desk.now)[
            desk.player(number).pk
        ]
        for number in range(1, 5)
    }

    def wins(one: int, other: int) -> float:
        return Fibs().chance(at[one], at[other], desk.event.match_length)

    pairs = list(desk.pairs().values())
    for mine, theirs in ((pairs[0], pairs[1]), (pairs[1], pairs[0])):
        for one, beaten in (mine, mine[::-1]):
            final = sum(wins(other, third) * wins(one, other) for other, third in (theirs, theirs[::-1]))
            assert found[one] == pytest.approx(wins(one, beaten) * final, abs=1e-4)
    assert sum(found.values()) == pytest.approx(1, abs=1e-3)
    assert TitleChances.objects.get().runs == 0, "with three matches every way is looked at"
    assert found[1] > found[4], "who has won most is likeliest"


@pytest.mark.long
@pytest.mark.usefixtures("soon")
def test_the_page_shows_them_and_follows_each_result(desk: Desk) -> None:
    kept = rated(desk)
    # Kept for visitors before anything is known.
    assert "Chances to win" not in shown(desk)
    before = shares(desk)
    page = shown(desk)
    assert "Chances to win, by rating" in page
    assert reverse("rankings:calibration", args=[desk.club.slug, kept.key]) in page
    assert f"{round(100 * before[1])} %" in page

    first = desk.open()[0]
    loser = max(first.a.number, first.b.number)
    desk.play(first.key)
    after = shares(desk)
    assert loser not in after
    assert sum(after.values()) == pytest.approx(1, abs=1e-3)
    assert f"{round(100 * after[1])} %" in shown(desk)

    desk.play_out()
    assert shares(desk) == {}
    assert not TitleChances.objects.exists()
    assert "Chances to win" not in shown(desk)


@pytest.mark.long
@pytest.mark.parametrize("system", ["fibs", "glicko2"])
def test_only_the_last_entry_of_each_player_is_read(
    system: str, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = history(desk, system)
    desk.now += timedelta(days=40)
    rows = list(rated_matches.list_entries(kept))
    last = {entry.player_id: entry.after for entry in rows}
    assert len(rows) > len(last) == 4
    read: list[int] = []
    read_standing = rated_matches.read_standing

    def count_entry(entry: LedgerEntry) -> Standing:
        read.append(entry.pk)
        return read_standing(entry)

    monkeypatch.setattr(rated_matches, "read_standing", count_entry)
    found = chances.load_last_standings(kept, set(last), now=desk.now)
    assert {pk: standing.rating for pk, standing in found.items()} == last
    assert len(read) == 4


@pytest.mark.long
@pytest.mark.usefixtures("soon")
def test_what_has_not_changed_is_neither_computed_nor_told(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    rated(desk)
    assert shares(desk)
    stamp = desk.fresh().stamp
    monkeypatch.setattr(selected, "compute", None)
    # Writing them has touched the event, which requests them once more.
    shares(desk)
    assert desk.fresh().stamp == stamp
    assert not Outbox.objects.filter(done_at__isnull=True).exists()


@pytest.mark.long
def test_a_list_that_has_not_proved_itself_says_nothing(desk: Desk) -> None:
    rated(desk)
    assert shares(desk) == {}
    assert "Chances to win" not in shown(desk)


@pytest.mark.long
@pytest.mark.usefixtures("soon")
def test_where_somebody_is_not_rated_nothing_is_said(desk: Desk) -> None:
    rated(desk)
    new = clubs.add_guest(club=desk.club, name="New", by=desk.director, now=desk.now)
    desk.event.entries.filter(number=4).update(player=new)
    assert shares(desk) == {}


@pytest.mark.long
@pytest.mark.share
@pytest.mark.usefixtures("soon")
def test_they_follow_ratings_that_are_imported_and_undone(desk: Desk) -> None:
    kept = rated(desk)
    before, fourth = shares(desk), desk.player(4)
    new = clubs.add_guest(club=desk.club, name="New", by=desk.director, now=desk.now)
    desk.event.entries.filter(number=4).update(player=new)
    title_chances.request(event_id=desk.event.pk, now=desk.now)
    assert shares(desk) == {}
    made = bring(desk, kept, build_old(desk, 1, 1900.0, player=new))
    strong = shares(desk)
    assert strong[4] > 0.25
    openings.undo(import_id=made.pk, by=desk.director, now=desk.now)
    assert shares(desk) == {}
    # Rated matches of the player are computed again.
    desk.event.entries.filter(number=4).update(player=fourth)
    bring(desk, kept, build_old(desk, 1, 1200.0, player=fourth))
    deliver(desk.now)
    assert shares(desk)[4] < before[4] - 0.05


@pytest.mark.long
@pytest.mark.share
@pytest.mark.usefixtures("soon")
def test_a_list_predicts_no_event_whose_rules_it_does_not_rate(desk: Desk) -> None:
    usual = lists.Terms(rules=RulesOfPlay.USUAL.value)
    history(desk, terms=usual)
    for play, is_rated in ((Play(), True), (Play(cube=False), False)):
        event = desk.start(a_plan("single-elimination", Settings(play=play)), 4)
        for number in range(1, 5):
            event.entries.filter(number=number).update(player=desk.player(number))
        row = Pairing.objects.filter(tournament=event, state=PairingState.READY).first()
        assert row is not None
        assert bool(chances.compute_chances(row, None, now=desk.now)) == is_rated
        assert bool(shares(desk)) == is_rated


@pytest.mark.long
@pytest.mark.usefixtures("soon")
def test_programs_are_told_the_same(desk: Desk) -> None:
    kept = rated(desk)
    address = f"/api/v1/events/{desk.event.key}/title-chances/"
    nothing = {"list": None, "computed_at": None, "runs": 0, "margin": 0.0, "chances": []}
    assert APIClient().get(address).json() == nothing
    found = shares(desk)
    told = APIClient().get(address).json()
    assert told["list"] == kept.key
    assert {each["entry"]: each["chance"] for each in told["chances"]} == found
    assert [each["chance"] for each in told["chances"]] == sorted(found.values(), reverse=True)
    assert APIClient().get("/api/v1/events/nothing2nt/title-chances/").status_code == 404


def computation() -> Outbox:
    """The event's row in the outbox."""
    return Outbox.objects.get(kind=title_chances.KIND)


@pytest.mark.long
@pytest.mark.usefixtures("soon")
def test_a_result_during_a_computation_leads_to_the_next_one(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    rated(desk)
    real, begun = selected.compute, desk.now + title_chances.EVERY
    running: list[bool] = []

    def meanwhile(basis: Any) -> Any:
        running.append(True)
        assert len(running) == 1, "two computations of one event ran at once"
        if first := desk.open():
            desk.play(first[0].key)
            # Another worker delivers everything that is due.
            for pk in outbox.list_due(now=desk.now).values_list("pk", flat=True):
                outbox.deliver(outbox_id=pk, now=desk.now)
        running.pop()
        return real(basis)

    monkeypatch.setattr(selected, "compute", meanwhile)
    before = shares(desk)
    assert len(before) == 4, "the first one shows what it has found"
    assert computation().due_at == begun + title_chances.EVERY
    monkeypatch.setattr(selected, "compute", real)
    assert len(shares(desk)) == 3


@pytest.mark.long
@pytest.mark.usefixtures("soon")
def test_while_results_come_in_they_are_computed_every_so_often(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    rated(desk, "round-robin")
    real, times = selected.compute, []

    def counted(basis: Any) -> Any:
        times.append(desk.now)
        return real(basis)

    monkeypatch.setattr(selected, "compute", counted)
    for _ in range(5):
        desk.now += timedelta(seconds=6)
        desk.play(desk.open()[0].key)
        deliver(desk.now)
    assert [later - earlier for earlier, later in pairwise(times)] == [timedelta(seconds=24)]
    assert computation().done_at is None, "the last result is still to be seen"
    assert len(shares(desk)) > 1
    assert len(times) == 3


@pytest.mark.long
@pytest.mark.usefixtures("soon")
def test_one_that_fails_shows_nothing_and_waits_longer_each_time_whatever_results_come_in(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    rated(desk)
    assert shares(desk)
    assert "Chances to win" in shown(desk)
    real, tries = selected.compute, []

    def broken(basis: Any) -> Any:
        tries.append(desk.now)
        raise ArithmeticError("a share of more than one")

    monkeypatch.setattr(selected, "compute", broken)
    began = desk.now = desk.now + title_chances.EVERY
    desk.play(desk.open()[0].key)
    while desk.now < began + timedelta(seconds=40):
        for pk in outbox.list_due(now=desk.now).values_list("pk", flat=True):
            outbox.deliver(outbox_id=pk, now=desk.now)
        desk.now += timedelta(seconds=1)
        # A result, or what else changes an event, each second.
        changes.invalidate_pages(Tournament.objects.filter(pk=desk.pk), now=desk.now)
    assert [(at - tries[0]).total_seconds() for at in tries] == [0, 2, 6, 14, 30]
    # The event asks once its ratings have followed: chances that are written ask for none.
    assert tries[0] == began + timedelta(seconds=1)
    assert "Chances to win" not in shown(desk)
    assert 'barpoint_outbox_retrying{kind="rankings.titles"} 1' in views.render_metrics(now=desk.now)
    assert computation().last_error == "ArithmeticError: a share of more than one"

    monkeypatch.setattr(selected, "compute", real)
    desk.now += timedelta(minutes=1)
    outbox.drain(queue="slow", now=desk.now)
    assert "Chances to win" in shown(desk)
    assert "barpoint_outbox_retrying{" not in views.render_metrics(now=desk.now)


@pytest.mark.long
@pytest.mark.usefixtures("soon")
def test_an_estimate_says_how_sure_it_is(desk: Desk) -> None:
    rated(desk)
    assert shares(desk)
    TitleChances.objects.update(runs=1_000, shares=[[1, 0.5], [2, 0.3], [3, 0.2]])
    seen = selected.load_title_chances(desk.event.key)
    assert (round(seen.margin, 3), seen.margin_percent) == (0.031, 4)
    assert "An estimate from 1,000 random finishes" in shown(desk).replace("1000", "1,000")
    assert "within 4 percentage points" in shown(desk)
    told = APIClient().get(f"/api/v1/events/{desk.event.key}/title-chances/").json()
    assert told["margin"] == pytest.approx(seen.margin)


@pytest.mark.long
@pytest.mark.usefixtures("soon")
def test_a_round_robin_of_sixteen_shows_them_after_forty_results_and_until_its_end(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(selected, "RUNS", 100)
    open_list(desk)
    desk.start(a_plan("round-robin"), 16)
    for played in range(1, 120):
        desk.now += timedelta(seconds=9)
        desk.play(desk.open()[0].key)
        if played > 40:
            # Before the computation that this result leads to, and after it.
            assert TitleChances.objects.get().shares, played
            deliver(desk.now)
            assert TitleChances.objects.get().shares, played
        if played == 40:
            assert shares(desk)
        if played >= 40 and played % 10 == 0:
            assert "Chances to win" in shown(desk), played
    assert [played, len(desk.open())] == [119, 1]
    desk.play(desk.open()[0].key)
    assert not shares(desk)


@pytest.mark.long
@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize("system", ["fibs", "elo"])
def test_the_computation_can_be_sent_to_another_process(desk: Desk, system: str) -> None:
    rated(desk, system=system)
    deliver(desk.now)
    basis = selected.build_input(desk.fresh(), now=desk.now)
    sent = pickle.dumps((basis.event, basis.odds))
    event, odds = pickle.loads(sent)
    one, other = (entrant.id for entrant in event.entrants[:2])
    assert odds(one, other, 5) == basis.odds(one, other, 5)
    # There Django is not set up.
    read = "import pickle, sys; pickle.load(sys.stdin.buffer); sys.exit('django.apps' in sys.modules)"
    subprocess.run([sys.executable, "-c", read], input=sent, cwd=ROOT, check=True, timeout=60)
