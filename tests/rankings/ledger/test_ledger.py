"""The ledger follows the matches after every change of them, in any order of arrival."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from io import StringIO
from typing import Any
from uuid import UUID

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction
from django.db.models import F
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from players.accounts import accounts
from players.clubs import clubs, merging
from rankings import rate, read, verifiers
from rankings.errors import BadPolicy, BadSystem, NotKeeper, PolicyTooEarly
from rankings.ledger import entries, ledger, rated_matches
from rankings.ledger.rated_matches import RateableMatch
from rankings.lists import lists
from rankings.models import LedgerEntry, PlayerRating, RatingList, Rebuild
from runtime.install import verifiers as runtime_verifiers
from runtime.models import Outbox
from tests.deliveries import deliver
from tests.rankings.rating_lists import open_list
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.models import Pairing, RulingKind
from tournaments.play import arrivals, corrections, incidents

ROUND_ROBIN = a_plan("round-robin")


def figures(rating_list: RatingList) -> list[tuple[object, ...]]:
    """Return all that the ledger says."""
    return [line for _, line in entries.list_lines(rating_list)]


def but_policies(rating_list: RatingList) -> list[tuple[object, ...]]:
    """Return all that the ledger says, without the policies: each list names its own."""
    return [line._replace(policy_id=0) for _, line in entries.list_lines(rating_list)]


def ratings(rating_list: RatingList) -> dict[int, float]:
    return dict(PlayerRating.objects.filter(list=rating_list).values_list("player", "rating"))


def sound(rating_list: RatingList) -> bool:
    return list(verifiers.find_problems(rating_list)) == []


def play_some(desk: Desk, matches: int) -> list[str]:
    """Play so many matches, a minute after each other; return their keys."""
    played = []
    for row in desk.open()[:matches]:
        desk.now += timedelta(minutes=1)
        desk.play(row.key)
        played.append(row.key)
    return played


@pytest.fixture
def season(desk: Desk) -> list[str]:
    """A round robin of four, all played."""
    desk.start(ROUND_ROBIN, 4)
    keys: list[str] = []
    while desk.open():
        keys += play_some(desk, 2)
    assert len(keys) == 6
    return keys


def test_a_result_is_rated_by_the_outbox(desk: Desk) -> None:
    rating_list = open_list(desk)
    desk.start(ROUND_ROBIN, 4)
    key = desk.open()[0].key
    row = desk.play(key)
    row = desk.row(key)
    assert figures(rating_list) == []
    deliver(desk.now)
    entries = list(rated_matches.list_entries(rating_list))
    assert [(entry.match, entry.won, entry.before) for entry in entries] == [
        (row.uid, row.winner_id == row.a_id, 1500),
        (row.uid, row.winner_id == row.b_id, 1500),
    ]
    assert sum(ratings(rating_list).values()) == pytest.approx(3000)
    assert {entry.policy.number for entry in entries} == {1}
    assert sound(rating_list)


@pytest.mark.long
def test_a_substitute_is_not_rated_for_what_another_has_played(desk: Desk) -> None:
    rating_list = open_list(desk)
    desk.start(ROUND_ROBIN, 4)
    one = desk.player(1)
    desk.play(next(key for key, two in desk.pairs().items() if 1 in two), winner=1)
    deliver(desk.now)
    before = figures(rating_list)

    desk.now += timedelta(minutes=5)
    desk.do(arrivals.substitute_player, entry=1, name="Sub Sally", reason="Ill")
    deliver(desk.now)
    assert figures(rating_list) == before
    assert sound(rating_list)

    desk.now += timedelta(minutes=5)
    desk.play_out()
    deliver(desk.now)
    told = rated_matches.list_entries(rating_list)
    assert [told.filter(player=each).count() for each in (one, desk.player(1))] == [1, 2]
    assert sound(rating_list)

    ruling = desk.event.rulings.get(act=RulingKind.SUBSTITUTED)
    desk.do(corrections.undo_act, ruling_id=ruling.pk, reason="She was not there")
    deliver(desk.now)
    assert told.filter(player=one).count() == 3
    assert sound(rating_list)


@pytest.mark.long
@pytest.mark.share
def test_what_was_played_before_a_substitute_came_follows_a_merge(desk: Desk) -> None:
    rating_list = open_list(desk)
    desk.start(ROUND_ROBIN, 4)
    guest = desk.player(1)
    desk.play(next(key for key, two in desk.pairs().items() if 1 in two))
    desk.now += timedelta(minutes=5)
    desk.do(arrivals.substitute_player, entry=1, name="Sub Sally", reason="Ill")
    deliver(desk.now)

    kept = clubs.add_guest(club=desk.club, name="Ada Bright", by=desk.director, now=desk.now)
    merging.merge_guest(kept=kept, dropped=guest, by=desk.director, now=desk.now)
    deliver(desk.now)

    assert rated_matches.list_entries(rating_list).filter(player=kept).count() == 1
    assert sound(rating_list)


@pytest.mark.long
def test_a_match_is_rated_once_however_often_it_is_told(desk: Desk, season: list[str]) -> None:
    rating_list = open_list(desk, since=desk.now - timedelta(days=1))
    assert ledger.rebuild(list_id=rating_list.pk, now=desk.now) == 12
    before = figures(rating_list)
    assert ledger.rebuild(list_id=rating_list.pk, now=desk.now) == 0
    assert ledger.update_lists(event_id=desk.pk, now=desk.now) == 0
    assert figures(rating_list) == before
    assert LedgerEntry.objects.count() == 12


@pytest.mark.long
def test_the_database_takes_no_second_entry(desk: Desk, season: list[str]) -> None:
    rating_list = open_list(desk, since=desk.now - timedelta(days=1))
    ledger.rebuild(list_id=rating_list.pk, now=desk.now)
    entry = rated_matches.list_entries(rating_list)[0]
    entry.pk = None
    with pytest.raises(IntegrityError), transaction.atomic():
        entry.save(force_insert=True)


@pytest.mark.long
@pytest.mark.parametrize("changes", [{"after": 1600.0}, {"player_id": F("opponent_id")}, {"voided_at": None}])
def test_the_database_lets_nobody_change_an_entry(
    desk: Desk, season: list[str], changes: dict[str, object]
) -> None:
    rating_list = open_list(desk, since=desk.now - timedelta(days=1))
    ledger.rebuild(list_id=rating_list.pk, now=desk.now)
    entry = LedgerEntry.objects.filter(pk=rated_matches.list_entries(rating_list)[0].pk)
    with pytest.raises(IntegrityError, match="never changed"), transaction.atomic():
        entry.update(**changes)
    # It may be voided, once.
    entry.update(voided_at=desk.now)
    with pytest.raises(IntegrityError, match="never changed"), transaction.atomic():
        entry.update(voided_at=desk.now)


@pytest.mark.long
@pytest.mark.parametrize("system", ["fibs", "elo", "glicko2"])
def test_the_command_line_comes_to_the_same_list(desk: Desk, season: list[str], system: str) -> None:
    rating_list = open_list(desk, system, since=desk.now - timedelta(days=1))
    ledger.rebuild(list_id=rating_list.pk, now=desk.now)
    matches = [
        {
            "id": each.match.hex, "at": each.at.isoformat(), "a": str(each.a), "b": str(each.b),
            "winner": "a" if each.a_won else "b", "length": each.length, "period": f"{each.at:%Y-%m}",
        }
        for each in rated_matches.list_matches(rating_list)
    ]  # fmt: skip
    asked = read(json.loads(json.dumps({"system": system, "matches": matches[::-1]})))
    found = rate(asked.system, asked.outcomes)
    assert {name: standing.rating for name, standing in found.players.items()} == {
        str(player): rating for player, rating in ratings(rating_list).items()
    }


@pytest.mark.long
@pytest.mark.parametrize("system", ["fibs", "elo", "glicko2"])
def test_a_correction_voids_and_plays_again_and_the_restored_result_gives_what_stood(
    desk: Desk, season: list[str], system: str
) -> None:
    rating_list = open_list(desk, system, since=desk.now - timedelta(days=1))
    deliver(desk.now)
    before, shown = figures(rating_list), ratings(rating_list)
    row = desk.row(season[1])
    score = (0, row.length) if row.winner_id == row.a_id else (row.length, 0)
    desk.now += timedelta(hours=1)
    ruling = desk.do(corrections.correct_result, key=row.key, score=score, reason="Misread")
    deliver(desk.now)
    after = figures(rating_list)
    assert len(after) == 12
    assert after != before
    assert {entry.at for entry in rated_matches.list_entries(rating_list)} == {at for _, _, at, *_ in before}
    assert sound(rating_list)
    voided = LedgerEntry.objects.filter(voided_at__isnull=False)
    assert set(voided.values_list("voided_at", flat=True)) == {desk.now}
    if system != "glicko2":
        assert figures(rating_list)[:2] == before[:2]

    desk.do(corrections.undo_act, ruling_id=ruling.pk, reason="It was right")
    deliver(desk.now)
    assert figures(rating_list) == before
    assert ratings(rating_list) == shown
    assert sound(rating_list)


@pytest.mark.long
def test_a_match_opened_again_is_rated_when_it_is_played_again(desk: Desk, season: list[str]) -> None:
    rating_list = open_list(desk, since=desk.now - timedelta(days=1))
    ledger.rebuild(list_id=rating_list.pk, now=desk.now)
    desk.do(corrections.correct_result, key=season[0], kind="", reason="Never played")
    ledger.update_lists(event_id=desk.pk, now=desk.now)
    assert len(figures(rating_list)) == 10
    assert sound(rating_list)
    desk.now += timedelta(minutes=5)
    desk.play(season[0])
    ledger.update_lists(event_id=desk.pk, now=desk.now)
    assert [entry.at for entry in rated_matches.list_entries(rating_list)][-2:] == [desk.now, desk.now]
    assert sound(rating_list)


def test_walkovers_and_forfeits_are_not_rated(desk: Desk) -> None:
    rating_list = open_list(desk)
    desk.start(ROUND_ROBIN, 4)
    walked, played = desk.open()[:2]
    desk.do(incidents.record_walkover, key=walked.key, loser=walked.a.number)
    desk.play(played.key)
    ledger.update_lists(event_id=desk.pk, now=desk.now)
    assert {each.match for each in rated_matches.list_matches(rating_list)} == {desk.row(played.key).uid}
    assert len(figures(rating_list)) == 2


def test_events_of_other_clubs_are_not_rated(desk: Desk, season: list[str], now: datetime) -> None:
    open_list(desk, since=now - timedelta(days=1))
    stranger = accounts.register(email="s@example.org", password=None, name="Sten Far", now=now)
    elsewhere = clubs.create(owner=stranger, name="Elsewhere", now=now)
    theirs = lists.open_list(club=elsewhere, by=stranger, name="Theirs", system="fibs", now=now, since=now)
    assert ledger.rebuild(list_id=theirs.pk, now=now) == 0
    ledger.update_lists(event_id=desk.pk, now=now)
    assert not rated_matches.list_entries(theirs).exists()


def test_each_match_keeps_the_policy_it_was_opened_under(desk: Desk) -> None:
    rating_list = open_list(desk)
    opened = desk.now
    desk.start(ROUND_ROBIN, 4)
    first = desk.open()[0].key
    desk.now += timedelta(hours=1)
    terms = lists.Terms(shortest=7)
    lists.amend(rating_list=rating_list, terms=terms, from_at=desk.now, by=desk.director, now=desk.now)
    desk.play(first)
    # Five points are rated still: they were opened before.
    Pairing.objects.filter(key=first).update(opened_at=opened)
    later = next(row.key for row in desk.open())
    Pairing.objects.filter(key=later).update(opened_at=desk.now)
    desk.play(later)
    deliver(desk.now)
    assert {entry.match for entry in rated_matches.list_entries(rating_list)} == {desk.row(first).uid}
    assert {entry.policy.number for entry in rated_matches.list_entries(rating_list)} == {1}
    assert sound(rating_list)


@pytest.mark.parametrize(("played", "rated"), [("any", 2), ("board", 2), ("live", 0)])
def test_a_policy_says_where_a_match_is_played(desk: Desk, played: str, rated: int) -> None:
    rating_list = open_list(desk, terms=lists.Terms(played=played))
    desk.start(ROUND_ROBIN, 4)
    desk.play(desk.open()[0].key)
    deliver(desk.now)
    assert rated_matches.list_entries(rating_list).count() == rated


def test_only_directors_keep_lists_and_only_for_what_is_to_come(desk: Desk, now: datetime) -> None:
    rating_list = open_list(desk)
    stranger = accounts.register(email="s@example.org", password=None, name="Sten Far", now=now)
    with pytest.raises(NotKeeper):
        lists.open_list(club=desk.club, by=stranger, name="Mine", system="fibs", now=now)
    amend = {"rating_list": rating_list, "terms": lists.Terms(), "now": now}
    with pytest.raises(NotKeeper):
        lists.amend(**amend, from_at=now, by=stranger)
    for early in (now, now - timedelta(days=1)):
        with pytest.raises(PolicyTooEarly):
            lists.amend(**amend, from_at=early, by=desk.director)
    with pytest.raises(BadPolicy):
        open_list(desk, terms=lists.Terms(shortest=9, longest=7))
    with pytest.raises(BadSystem, match=r"params\.tau: fibs knows only"):
        open_list(desk, params={"tau": 1})
    assert RatingList.objects.count() == 1


def test_a_list_that_leaves_the_range_of_numbers_holds_up_no_other(desk: Desk) -> None:
    bad, good = open_list(desk, "elo"), open_list(desk)
    RatingList.objects.filter(pk=bad.pk).update(params={"exponent": 1000})
    desk.start(ROUND_ROBIN, 2)
    desk.play_out()
    assert ledger.update_lists(event_id=desk.pk, now=desk.now) == 2
    assert (len(figures(bad)), len(figures(good))) == (0, 2)
    assert sound(good)
    bad.refresh_from_db()
    assert sound(bad)


@pytest.mark.long
def test_a_merge_takes_the_ledger_along(desk: Desk, season: list[str]) -> None:
    rating_list = open_list(desk, since=desk.now - timedelta(days=1))
    deliver(desk.now)
    before = ratings(rating_list)
    dropped = desk.player(1)
    kept = clubs.add_guest(club=desk.club, name="Ada Bright", by=desk.director, now=desk.now)
    merging.merge_guest(kept=kept, dropped=dropped, by=desk.director, now=desk.now)
    deliver(desk.now)
    after = ratings(rating_list)
    assert after.pop(kept.pk) == before.pop(dropped.pk)
    assert after == before
    assert sound(rating_list)


def spread(keys: list[str], start: datetime) -> None:
    """Finish each match in a separate month, two by two."""
    for number, key in enumerate(keys):
        Pairing.objects.filter(key=key).update(decided_at=start + timedelta(days=17 * number))


@pytest.mark.long
@pytest.mark.parametrize("system", ["fibs", "elo", "glicko2"])
@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(arrivals=st.permutations(range(6)), together=st.integers(1, 3))
def test_results_in_any_order_give_the_same_ledger(
    season: list[str], desk: Desk, system: str, arrivals: list[int], together: int
) -> None:
    spread(season, desk.now)
    rating_list = open_list(desk, system, since=desk.now - timedelta(days=1))
    # Add the existing matches in portions instead of all at once by a rebuild.
    Rebuild.objects.all().delete()
    matches = list(rated_matches.list_matches(rating_list))
    told: set[UUID] = set()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            rated_matches, "list_matches", lambda *_: iter([each for each in matches if each.match in told])
        )
        for at in range(0, len(arrivals), together):
            told |= {matches[number].match for number in arrivals[at : at + together]}
            ledger.update_lists(event_id=desk.pk, now=desk.now)
            assert sound(rating_list)
    straight = open_list(desk, system, since=desk.now - timedelta(days=1))
    ledger.rebuild(list_id=straight.pk, now=desk.now)
    assert but_policies(rating_list) == but_policies(straight)
    assert ratings(rating_list) == ratings(straight)
    RatingList.objects.all().delete()


@pytest.mark.long
@pytest.mark.parametrize("system", ["fibs", "glicko2"])
@settings(max_examples=4, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(mended=st.lists(st.integers(0, 5), min_size=1, max_size=3, unique=True))
def test_whatever_is_corrected_and_restored_leaves_what_would_have_stood(
    season: list[str], desk: Desk, system: str, mended: list[int]
) -> None:
    spread(season, desk.now)
    rating_list = open_list(desk, system, since=desk.now - timedelta(days=1))
    ledger.rebuild(list_id=rating_list.pk, now=desk.now)
    before, shown = figures(rating_list), ratings(rating_list)
    rulings = []
    for number in mended:
        row = desk.row(season[number])
        score = (0, row.length) if row.winner_id == row.a_id else (row.length, 0)
        rulings.append(desk.do(corrections.correct_result, key=row.key, score=score, reason="Misread"))
        ledger.update_lists(event_id=desk.pk, now=desk.now)
        assert sound(rating_list)
    for ruling in reversed(rulings):
        desk.do(corrections.undo_act, ruling_id=ruling.pk, reason="It was right")
        ledger.update_lists(event_id=desk.pk, now=desk.now)
    assert (figures(rating_list), ratings(rating_list)) == (before, shown)
    RatingList.objects.all().delete()


def run(*arguments: str) -> tuple[int, str]:
    """Run `manage.py rebuild_ratings`; return its exit code and what it writes."""
    told = StringIO()
    try:
        call_command("rebuild_ratings", *arguments, stdout=told, stderr=told)
    except SystemExit as left:
        return int(str(left.code)), told.getvalue()
    return 0, told.getvalue()


def test_rebuild_names_a_list_out_of_the_range_of_numbers_and_goes_on_with_the_others(
    desk: Desk, season: list[str]
) -> None:
    bad, good = (
        open_list(desk, "elo", since=desk.now - timedelta(days=1)),
        open_list(desk, since=desk.now - timedelta(days=1)),
    )
    RatingList.objects.filter(pk=bad.pk).update(params={"exponent": 1000})

    status, told = run()

    assert status == 1
    assert f"{bad.name} ({bad.key}): the ratings leave the range of numbers.\n" in told
    assert "1 of 2 rating lists could not be recomputed." in told
    assert sound(good)
    assert not Rebuild.objects.exists()


@pytest.mark.long
def test_rebuild_check_tells_a_tampered_ledger_and_rebuild_mends_it(desk: Desk, season: list[str]) -> None:
    rating_list = open_list(desk, since=desk.now - timedelta(days=1))
    deliver(desk.now)

    assert run("--check") == (0, "1 rating lists recomputed: all as their matches say.\n")
    entry = rated_matches.list_entries(rating_list)[5]
    LedgerEntry.objects.filter(pk=entry.pk).update(voided_at=desk.now)
    entry.pk, entry.after = None, entry.after + 1e-9
    entry.save(force_insert=True)
    status, told = run("--check")
    assert status == 1
    assert "the ledger is another" in told
    assert "1 of 1 rating lists differ from a recomputation." in told
    assert [name for name, _ in runtime_verifiers.find_problems()] == ["ratings"]
    assert run(rating_list.key)[0] == 0
    assert run("--check", rating_list.key)[0] == 0
    PlayerRating.objects.filter(list=rating_list, player=entry.player).update(matches=7)
    assert "is shown elsewhere" in run("--check")[1]
    assert run()[0] == run("--check")[0] == 0
    with pytest.raises(CommandError, match="There is no rating list nothing"):
        run("nothing")


def test_rebuild_check_tells_what_is_missing_and_what_is_too_much(desk: Desk, season: list[str]) -> None:
    rating_list = open_list(desk, since=desk.now - timedelta(days=1))
    assert "is to be rated and is not in the ledger" in next(verifiers.find_problems(rating_list))
    # It is only behind: nothing is broken.
    assert list(verifiers.verify_ledgers()) == []
    deliver(desk.now)
    Pairing.objects.filter(key=season[-1]).update(kind="walkover")
    assert "is in the ledger and not to be rated" in next(verifiers.find_problems(rating_list))


def test_a_persons_own_export_has_their_entries(desk: Desk, season: list[str]) -> None:
    rating_list = open_list(desk, since=desk.now - timedelta(days=1))
    deliver(desk.now)
    player = desk.player(1)
    told = rated_matches.export_entries(player)
    assert [(each["won"], each["after"]) for each in told] == [
        (entry.won, entry.after) for entry in rated_matches.list_entries(rating_list).filter(player=player)
    ]
    assert len(told) == 3


def test_a_club_without_a_list_writes_nothing_down(desk: Desk) -> None:
    desk.start(ROUND_ROBIN, 4)
    desk.play(desk.open()[0].key)
    assert not Outbox.objects.filter(kind=ledger.FOLLOW).exists()


def test_what_is_taken_back_with_its_transaction_was_never_told(desk: Desk) -> None:
    open_list(desk)
    desk.start(ROUND_ROBIN, 4)
    Outbox.objects.all().delete()
    with transaction.atomic():
        desk.play(desk.open()[0].key)
        assert Outbox.objects.filter(kind=ledger.FOLLOW).exists()
        transaction.set_rollback(True)
    assert not Outbox.objects.filter(kind=ledger.FOLLOW).exists()


@pytest.mark.long
def test_in_the_last_period_only_the_matches_of_the_two_players_are_rated_again(
    desk: Desk, season: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Pairing.objects.filter(key__in=season).update(decided_at=desk.now)
    rating_list = open_list(desk, "glicko2", since=desk.now - timedelta(days=60))
    deliver(desk.now)
    row = desk.row(season[1])
    two = {row.a_id, row.b_id}
    players = {pk for seat in (row.a, row.b) if seat for pk in [seat.player_id]}
    kept = {e.pk for e in rated_matches.list_entries(rating_list) if e.player_id not in players}
    rated: list[RateableMatch] = []
    replay = entries.replay

    def seen(of: RatingList, how: Any, matches: Any, *rest: Any, **said: Any) -> int:
        rated.extend(matches)
        return replay(of, how, matches, *rest, **said)

    monkeypatch.setattr(entries, "replay", seen)
    score = (0, row.length) if row.winner_id == row.a_id else (row.length, 0)
    desk.do(corrections.correct_result, key=row.key, score=score, reason="Misread")
    deliver(desk.now)

    its = {each.key for each in Pairing.objects.filter(key__in=season) if two & {each.a_id, each.b_id}}
    assert len(its) < len(season)
    assert {Pairing.objects.get(uid=each.match).key for each in rated} == its
    assert kept <= {entry.pk for entry in rated_matches.list_entries(rating_list)}
    assert sound(rating_list)
