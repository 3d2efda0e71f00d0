"""A list is computed again portion by portion: stopped anywhere it goes on, and its page stays what it was until the end."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.urls import reverse

from rankings import verifiers
from rankings.ledger import entries, ledger, rated_matches, rebuilding
from rankings.lists import list_pages as ranking_page
from rankings.lists import player_ratings
from rankings.models import LedgerEntry, PlayerRating, RatingList, Rebuild
from runtime.models import Failure
from tests.rankings import many
from tests.rankings.rating_lists import open_list
from tests.tournaments.event_desk import Desk
from tests.tournaments.support import Browser
from tournaments.models import Pairing, Tournament

SYSTEMS = pytest.mark.parametrize("system", ["fibs", "elo", "glicko2"])
COUNT = 60


@pytest.fixture(autouse=True, params=[COUNT, 0], ids=["short", "long"])
def few(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lower the limit from which a list counts as long, because long lists are read differently."""
    monkeypatch.setattr(rated_matches, "LONG", request.param)
    monkeypatch.setattr(rated_matches, "PORTION", 7)
    monkeypatch.setattr(ledger, "AT_ONCE", 5)
    monkeypatch.setattr(many, "EACH", 20)


@pytest.fixture
def opened(desk: Desk) -> Callable[[str], RatingList]:
    """Return a list of matches of some months, of which nothing is computed."""

    def _opened(system: str) -> RatingList:
        began = desk.now - timedelta(days=200)
        many.play(desk.club, COUNT, players=9, since=began, every=timedelta(days=3))
        return open_list(desk, system, since=began - timedelta(days=1))

    return _opened


class Killed(Exception):
    """The worker dies."""


def stop_after(rating_list: RatingList, portions: int, now: datetime) -> None:
    """Compute a number of portions, then simulate a killed worker."""
    left = iter(range(portions - 1))

    def told(_: Rebuild) -> None:
        if next(left, None) is None:
            raise Killed

    with pytest.raises(Killed):
        rebuilding.finish_rebuild(list_id=rating_list.pk, now=now, on_progress=told)


def lines(rating_list: RatingList) -> list[entries.Line]:
    return [line._replace(policy_id=0) for _, line in entries.list_lines(rating_list)]


def sound(rating_list: RatingList) -> bool:
    return not Rebuild.objects.exists() and list(verifiers.find_problems(rating_list)) == []


def misread(at: int) -> Tournament:
    """Exchange the winner of the match with that number, and return its event."""
    row = Pairing.objects.select_related("tournament").order_by("decided_at", "uid")[at]
    Pairing.objects.filter(pk=row.pk).update(winner=row.b_id if row.winner_id == row.a_id else row.a_id)
    return row.tournament


@pytest.mark.long
@SYSTEMS
@pytest.mark.parametrize("portions", [1, 3, 5])
def test_a_rebuild_that_is_stopped_goes_on_and_comes_to_the_same(
    desk: Desk, opened: Callable[[str], RatingList], system: str, portions: int
) -> None:
    rating_list = opened(system)
    stop_after(rating_list, portions, desk.now)
    row = Rebuild.objects.get()
    assert 0 < row.done < row.total == COUNT
    assert LedgerEntry.objects.count() == 2 * row.done
    assert not PlayerRating.objects.exists()
    # Another process: it waits until the lease of the dead one is over, and knows only what is written.
    assert rebuilding.sweep(desk.now) == 0
    later = desk.now + timedelta(minutes=2)
    assert rebuilding.sweep(later) == 1
    assert sound(rating_list)
    assert LedgerEntry.objects.count() == 2 * COUNT
    straight = open_list(desk, system, since=desk.now - timedelta(days=300))
    rated_matches.PORTION = 1_000
    ledger.rebuild(list_id=straight.pk, now=desk.now)
    assert lines(straight) == lines(rating_list)


@pytest.mark.long
@SYSTEMS
@pytest.mark.parametrize("at", [0, 30, COUNT - 1])
def test_a_correction_with_much_after_it_is_a_rebuild_from_there(
    desk: Desk, opened: Callable[[str], RatingList], system: str, at: int
) -> None:
    rating_list = opened(system)
    ledger.rebuild(list_id=rating_list.pk, now=desk.now)
    before, shown = lines(rating_list), dict(PlayerRating.objects.values_list("player", "rating"))
    event = misread(at)
    ledger.update_lists(event_id=event.pk, now=desk.now)
    if at == COUNT - 1:
        assert not Rebuild.objects.exists()
    else:
        assert Rebuild.objects.get().total <= COUNT - at + 31
        assert lines(rating_list) == before
        assert dict(PlayerRating.objects.values_list("player", "rating")) == shown
        assert ledger.is_behind(rating_list)
        assert list(verifiers.verify_ledgers()) == []
    rebuilding.sweep(desk.now)
    assert sound(rating_list)
    assert lines(rating_list) != before
    if system != "glicko2":
        assert lines(rating_list)[: 2 * at] == before[: 2 * at]


@pytest.mark.long
@SYSTEMS
@pytest.mark.parametrize("at", [2, 40])
def test_what_changes_while_it_is_computed_is_in_it(
    desk: Desk, opened: Callable[[str], RatingList], system: str, at: int
) -> None:
    """Before the place that was reached it goes back; after it, it comes to it by itself."""
    rating_list = opened(system)
    stop_after(rating_list, 3, desk.now)
    place = Rebuild.objects.get().place
    event = misread(at)
    ledger.update_lists(event_id=event.pk, now=desk.now)
    assert (Rebuild.objects.get().place != place) == (at == 2)
    rebuilding.sweep(desk.now + timedelta(minutes=2))
    assert sound(rating_list)


@pytest.mark.long
@pytest.mark.share
def test_the_pages_of_a_player_show_the_ratings_from_before(
    desk: Desk, opened: Callable[[str], RatingList]
) -> None:
    rating_list = opened("fibs")
    ledger.rebuild(list_id=rating_list.pk, now=desk.now)

    def figures() -> list[object]:
        rows = list(PlayerRating.objects.select_related("list__club", "player", "last").order_by("player"))
        found = [player_ratings.load_history(row, period="all", number=1, now=desk.now) for row in rows]
        viewer = AnonymousUser()
        one, other = rows[0].player, rows[1].player
        return [
            *(
                (each.standing.row.rating, each.standing.best, each.graph, [e.after for e in each.page.rows])
                for each in found
            ),
            [
                (e.first and e.first.before, e.last and e.last.after)
                for e in player_ratings.list_common(one, other, viewer)
            ],
        ]

    before = figures()
    desk.now += timedelta(seconds=1)
    ledger.update_lists(event_id=misread(0).pk, now=desk.now)
    stop_after(rating_list, 8, desk.now)
    assert figures() == before
    rebuilding.sweep(desk.now + timedelta(minutes=2))
    assert figures() != before


def test_what_changes_while_somebody_computes_is_in_it(
    desk: Desk, opened: Callable[[str], RatingList]
) -> None:
    rating_list = opened("fibs")
    changes = iter([50, 3, 20, 1])

    def told(_: Rebuild) -> None:
        at = next(changes, None)
        if at is not None:
            ledger.update_lists(event_id=misread(at).pk, now=desk.now)

    rebuilding.finish_rebuild(list_id=rating_list.pk, now=desk.now, on_progress=told)
    assert next(changes, None) is None
    assert sound(rating_list)


def test_whoever_lost_the_lease_stops(desk: Desk, opened: Callable[[str], RatingList]) -> None:
    rating_list = opened("fibs")
    rebuilding.finish_rebuild(
        list_id=rating_list.pk,
        now=desk.now,
        on_progress=lambda _: Rebuild.objects.update(lease="somebody else"),
    )
    assert Rebuild.objects.get().done == 7
    rebuilding.sweep(desk.now + timedelta(minutes=2))
    assert sound(rating_list)


@pytest.mark.long
@pytest.mark.parametrize("portions", [2, 8])
def test_the_page_shows_how_far_it_is_and_the_ratings_from_before(
    desk: Desk, opened: Callable[[str], RatingList], portions: int
) -> None:
    rating_list = opened("fibs")
    ledger.rebuild(list_id=rating_list.pk, now=desk.now)
    shown = f"{desk.club.get_absolute_url()}rankings/"

    def page() -> Any:
        return Browser().get(reverse("rankings:club", args=[desk.club.slug])).content.decode()

    def figures(html: str) -> tuple[object, ...]:
        """The rows of the list, the figures of the last thirty days, and the worked example."""
        found = ranking_page.load_ranking(desk.club, AnonymousUser(), key="", number=1, now=desk.now)
        return (html.partition("<tbody>")[2].partition("</tbody>")[0], found.lately, found.example)

    before = figures(page())
    assert all(before)
    leaders = Browser().get(f"{shown}leading/").content
    assert "hx-trigger" not in page().partition('id="ranking"')[2].partition(">")[0]
    desk.now += timedelta(seconds=1)
    ledger.update_lists(event_id=misread(0).pk, now=desk.now)
    stop_after(rating_list, portions, desk.now)
    half = page()
    assert f"{7 * portions} of 60 matches" in half
    assert 'hx-trigger="every 3s"' in half
    assert figures(half) == before
    assert Browser().get(f"{shown}leading/").content == leaders
    rebuilding.sweep(desk.now + timedelta(minutes=2))
    assert figures(page())[0] != before[0]
    assert "is being computed again" not in page()


def test_a_list_that_rates_what_is_to_come_has_nothing_to_compute(desk: Desk) -> None:
    open_list(desk)
    assert not Rebuild.objects.exists()


@pytest.mark.long
@pytest.mark.share
def test_a_list_that_cannot_be_rebuilt_waits_longer_each_time_and_holds_up_no_other(
    desk: Desk, opened: Callable[[str], RatingList], monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, other = opened("elo"), opened("fibs")
    for row in (broken, other):
        rebuilding.request_full_rebuild(list_id=row.pk, now=desk.now)
    honest, tries = rebuilding.Rebuilder.portion, []

    def portion(self: rebuilding.Rebuilder, *, now: datetime) -> Rebuild | None:
        if self.list_id == broken.pk:
            tries.append(now)
            raise ValueError("no such match")
        return honest(self, now=now)

    monkeypatch.setattr(rebuilding.Rebuilder, "portion", portion)
    for second in range(5):
        rebuilding.sweep(desk.now + timedelta(seconds=second))
    assert [(at - desk.now).seconds for at in tries] == [0, 1, 3]
    assert [row.list_id for row in Rebuild.objects.all()] == [broken.pk]
    assert Failure.objects.get().last_error == "ValueError: no such match"


@pytest.mark.long
@pytest.mark.share
def test_a_rebuild_that_leaves_the_range_of_numbers_is_dropped_and_the_list_goes_on(
    desk: Desk, opened: Callable[[str], RatingList]
) -> None:
    bad = opened("elo")
    # With one point any exponent is harmless, so the beginning of the list can be rated.
    Pairing.objects.update(length=1)
    late = Pairing.objects.order_by("decided_at", "uid")[40]
    Pairing.objects.filter(pk=late.pk).update(length=7)
    bad.params = {"exponent": 1000}
    bad.save(update_fields=["params"])

    assert rebuilding.sweep(desk.now) == 1

    assert sound(bad)
    assert not Failure.objects.exists()
    shown = PlayerRating.objects.filter(list=bad)
    assert 0 < sum(shown.values_list("matches", flat=True)) == len(lines(bad)) < 2 * 41
    # The next change requests a rebuild; it is dropped again, and does not request another.
    ledger.update_lists(event_id=misread(0).pk, now=desk.now)
    assert Rebuild.objects.exists()
    assert [rebuilding.sweep(desk.now) for _ in range(2)] == [1, 0]
    assert sound(bad)
    # What can be rated is rated.
    Pairing.objects.filter(pk=late.pk).update(length=1)
    ledger.rebuild(list_id=bad.pk, now=desk.now)
    assert sound(bad)
    assert len(lines(bad)) == 2 * COUNT


def test_of_two_workers_one_goes_on(desk: Desk, opened: Callable[[str], RatingList]) -> None:
    opened("elo")
    row = Rebuild.objects.get()
    Rebuild.objects.update(lease="another's", leased_until=desk.now + timedelta(minutes=1))

    assert not rebuilding._continue_rebuild(row, now=desk.now)
    assert not LedgerEntry.objects.exists()
