"""Visibility of matches in the archive: boards, results, private boards, players hidden from searches."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser

from matches.journal.journal import RequestIdentity
from matches.lobby import challenges
from matches.models import Match
from matches.play import play, terms_validation
from matches.state.commands import Concede
from matches.state.status import Status
from players.accounts import accounts
from players.clubs import clubs, merging
from players.models import Merge, Player, User
from records.archive import archive, archiving, figures
from records.archive.archive import Search
from records.models import ArchivedMatch, ArchivedSide
from records.submissions import archive_filing
from tests.matches.support import Table, club_terms
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.models import Pairing, ResultKind
from tournaments.play import arrivals, corrections, incidents, results

pytestmark = [pytest.mark.django_db, pytest.mark.long]


@pytest.fixture
def people(now: datetime) -> dict[str, User]:
    """Three with accounts."""
    return {
        name: accounts.register(email=f"{name}@example.org", password=None, name=name.title(), now=now)
        for name in ("ann", "ben", "cleo")
    }


def conceded(people: dict[str, User], now: datetime, *, is_private: bool = False) -> Match:
    """Ann offers, Ben accepts and gives up."""
    terms = terms_validation.read_terms(length=3)
    offer = challenges.offer(
        challenger=people["ann"].player,
        opponent=people["ben"].player,
        terms=terms,
        is_private=is_private,
        now=now,
    )
    challenges.accept(challenge_id=offer.pk, player=people["ben"].player, now=now)
    row = Match.objects.latest("pk")
    play.submit(
        match_id=row.pk,
        player=people["ben"].player,
        command=Concede(),
        after=row.head,
        now=now + timedelta(seconds=5),
        request=RequestIdentity(),
    )
    list(archiving.fill_archive())
    return row


def found(user: User | AnonymousUser) -> list[tuple[str, str]]:
    return [
        archive.build_line(row).names
        for row in archive.load_relations(archive.search_matches(user, Search()))
    ]


def test_a_board_is_found_by_everybody_and_counts_in_the_figures(
    people: dict[str, User], now: datetime
) -> None:
    row = conceded(people, now)
    filed = ArchivedMatch.objects.get(match=row)
    row.refresh_from_db()
    assert (filed.length, filed.winner) == (row.length, {"white": 0, "black": 1}[row.winner])
    assert sorted(found(AnonymousUser())[0]) == ["Ann", "Ben"]
    told = figures.load_figures(AnonymousUser(), people["ann"].player)
    assert (told.matches, told.won, told.with_facts) == (1, 1, 1)
    assert ArchivedSide.objects.filter(milliseconds__isnull=False).count() == 2


def test_a_board_is_filed_without_the_points_beyond_its_length(now: datetime) -> None:
    """R55: a match to 1 that was won by a gammon is found as 1-0."""
    row = Table(now, agreed=club_terms(1)).row
    row.white_score, row.winner = 2, "white"
    filed = archive_filing.file_board(row)
    assert (filed.white_score, filed.black_score) == (1, 0)


def test_a_private_board_is_its_players_alone(people: dict[str, User], now: datetime) -> None:
    conceded(people, now, is_private=True)
    assert found(AnonymousUser()) == found(people["cleo"]) == []
    assert len(found(people["ann"])) == len(found(people["ben"])) == 1
    assert figures.load_figures(people["cleo"], people["ann"].player) is None
    assert figures.load_figures(people["ben"], people["ann"].player) is not None


def test_a_superuser_sees_every_match_and_its_facts(people: dict[str, User], now: datetime) -> None:
    conceded(people, now, is_private=True)
    root = User.objects.create_superuser("root@example.org", "three old pennies")
    for user, count in ((root, 1), (people["ann"], 1), (people["cleo"], 0), (AnonymousUser(), 0)):
        assert archive.list_visible(user).count() == archive.list_with_facts(user).count() == count


@pytest.mark.parametrize(
    "changes",
    [{"status": Status.VOID}, {"status": Status.PAUSED, "finished_at": None}],
    ids=["void", "reopened"],
)
def test_a_board_that_was_declared_void_or_reopened_is_found_no_more(
    people: dict[str, User], now: datetime, changes: dict[str, Any]
) -> None:
    row = conceded(people, now)
    root = User.objects.create_superuser("root@example.org", "three old pennies")
    Match.objects.filter(pk=row.pk).update(**changes)

    for user in (AnonymousUser(), people["ann"], root):
        assert found(user) == []
        assert figures.load_figures(user, people["ann"].player) is None


def test_a_final_that_is_played_again_is_filed_beside_the_board_of_the_first(
    people: dict[str, User], now: datetime
) -> None:
    board = conceded(people, now)
    desk = Desk(now)
    desk.start(a_plan("single-elimination"), 4)
    semi, *_ = [desk.play(key) for key in ("main/1.1", "main/1.2", "main/2.1")]
    final = desk.row("main/2.1")
    Pairing.objects.filter(pk=final.pk).update(match=board)
    list(archiving.fill_archive())
    filed = ArchivedMatch.objects.get(match=board)
    assert (filed.pairing_id, filed.event_id) == (final.pk, desk.pk)

    desk.now += timedelta(minutes=5)
    turned = (0, semi.length) if semi.score_a else (semi.length, 0)
    ruling = desk.do(corrections.correct_result, key=semi.key, score=turned, reason="Misread")
    list(archiving.fill_archive())
    filed.refresh_from_db()
    assert (filed.pairing_id, filed.event_id) == (None, None)

    desk.do(corrections.undo_act, ruling_id=ruling.pk, reason="It was right")
    list(archiving.fill_archive())
    filed.refresh_from_db()
    assert (filed.pairing_id, filed.event_id) == (final.pk, desk.pk)

    desk.now += timedelta(minutes=5)
    desk.do(corrections.correct_result, key=semi.key, score=turned, reason="Misread after all")
    final = desk.play(final.key)
    list(archiving.fill_archive())
    again = ArchivedMatch.objects.get(pairing=final)
    assert again != filed
    assert (again.match_id, again.event_id) == (None, desk.pk)
    assert found(AnonymousUser())[0] == (final.a.player.name, final.b.player.name)

    # As if that board counted again.
    Pairing.objects.filter(pk=final.pk).update(match=board)
    assert archive_filing.file_result(desk.row(final.key)) == filed
    assert not ArchivedMatch.objects.filter(pk=again.pk).exists()


def test_a_board_that_ends_again_is_found_with_its_new_ending(people: dict[str, User], now: datetime) -> None:
    row = conceded(people, now)
    ending = ArchivedMatch.objects.get().ending
    # As if a director had taken back a flag.
    ArchivedMatch.objects.update(ending="flag")
    archive_filing.file_board(row)
    list(archiving.fill_archive())
    assert ArchivedMatch.objects.get().ending == ending != "flag"

    desk = Desk(now)
    desk.start(a_plan("single-elimination"), 4)
    key = desk.open()[0].key
    result = desk.do(incidents.record_walkover, key=key, loser=desk.pairs()[key][0])
    Pairing.objects.filter(pk=result.pk).update(match=row)
    ArchivedMatch.objects.update(ending=ResultKind.WALKOVER)
    archive_filing.file_board(Match.objects.get())
    list(archiving.fill_archive())
    assert ArchivedMatch.objects.get(match=row).ending == ResultKind.WALKOVER


def test_the_facts_of_a_void_board_count_no_more_where_its_result_stands(
    people: dict[str, User], now: datetime
) -> None:
    board = conceded(people, now)
    desk = Desk(now)
    desk.start(a_plan("single-elimination"), 4)
    final = desk.play("main/1.1")
    Pairing.objects.filter(pk=final.pk).update(match=board)
    list(archiving.fill_archive())
    Match.objects.filter(pk=board.pk).update(status=Status.VOID)

    assert len(found(AnonymousUser())) == archive.list_visible(AnonymousUser()).count() == 1
    assert not archive.list_with_facts(AnonymousUser()).exists()


def test_who_sees_a_result_sees_the_facts_of_its_private_board_only_if_they_played(
    people: dict[str, User], now: datetime
) -> None:
    board = conceded(people, now, is_private=True)
    ArchivedMatch.objects.all().delete()
    desk = Desk(now)
    desk.start(a_plan("single-elimination"), 4)
    desk.play("main/1.1")
    list(archiving.fill_archive())
    ArchivedMatch.objects.update(match=board, has_facts=True)
    for user, count in ((people["ann"], 1), (people["cleo"], 0), (AnonymousUser(), 0)):
        assert archive.list_visible(user).count() == 1
        assert archive.list_with_facts(user).count() == count


def test_who_hides_from_searches_is_found_by_themselves_and_whom_they_met(
    people: dict[str, User], now: datetime
) -> None:
    conceded(people, now)
    ben = people["ben"].player
    ben.hidden_from_search = True
    ben.save()
    assert found(AnonymousUser()) == found(people["cleo"]) == []
    assert len(found(people["ann"])) == len(found(people["ben"])) == 1
    assert archive.find_visible_player(people["cleo"], ben.key) is None
    assert archive.find_visible_player(people["ben"], ben.key) == ben


def test_a_merged_guest_is_found_as_the_player_they_are_and_hides_with_them(
    people: dict[str, User], now: datetime
) -> None:
    ann, desk = people["ann"], Desk(now)
    desk.start(a_plan("single-elimination"), 4)
    row = desk.play("main/1.1")
    list(archiving.fill_archive())
    guest, other = row.a.player, row.b.player.name
    clubs.join(club=desk.club, player=ann.player, now=now)

    merging.merge_guest(kept=ann.player, dropped=guest, by=desk.director, now=now)
    assert found(AnonymousUser()) == [("Ann", other)]
    accounts.change(user=ann, hidden_from_search=True, now=now)
    assert found(AnonymousUser()) == []

    merging.unmerge(merge_id=Merge.objects.get().pk, by=desk.director, now=now)
    assert found(AnonymousUser()) == [(guest.name, other)]


def test_a_merged_guest_s_board_is_found_as_the_player_they_are(
    people: dict[str, User], now: datetime
) -> None:
    board = conceded(people, now)
    guest, cleo = people["ben"].player, people["cleo"].player
    Player.objects.filter(pk=guest.pk).update(user=None)

    merging.merge_players(kept=cleo, dropped=guest, by=None, now=now)

    assert sorted(found(AnonymousUser())[0]) == ["Ann", "Cleo"]
    assert ArchivedMatch.objects.get().match == board


def test_a_result_is_found_corrected_and_gone(desk: Desk) -> None:
    desk.start(a_plan("single-elimination"), 4)
    key = desk.open()[0].key
    length = desk.row(key).length
    row = desk.do(results.enter_result, key=key, score=(length, 0))
    list(archiving.fill_archive())
    filed = ArchivedMatch.objects.get(pairing=row.pk)
    assert (filed.event_id, filed.white_score, filed.black_score, filed.winner) == (desk.pk, length, 0, 0)
    assert len(found(AnonymousUser())) == 1
    desk.now += timedelta(minutes=5)
    desk.do(corrections.correct_result, key=key, score=(0, length), reason="It was the other way round.")
    list(archiving.fill_archive())
    filed.refresh_from_db()
    assert (filed.white_score, filed.black_score, filed.winner) == (0, length, 1)
    assert ArchivedMatch.objects.count() == 1


def test_two_who_were_entered_as_each_other_are_found_with_what_each_has_played(desk: Desk) -> None:
    desk.start(a_plan("single-elimination"), 4)
    row = desk.play(desk.open()[0].key)
    list(archiving.fill_archive())
    one, against = row.a.player.name, row.b.player.name
    number = next(each.number for each in desk.event.entries.exclude(pk__in=[row.a_id, row.b_id]))
    other = desk.player(number).name
    assert found(AnonymousUser()) == [(one, against)]

    desk.now += timedelta(minutes=5)
    ruling = desk.do(corrections.exchange_players, entry=row.a.number, other=number, reason="Mixed up")
    list(archiving.fill_archive())
    assert found(AnonymousUser()) == [(other, against)]

    desk.do(corrections.undo_act, ruling_id=ruling.pk, reason="They were right")
    list(archiving.fill_archive())
    assert found(AnonymousUser()) == [(one, against)]


def test_a_match_stays_with_the_player_who_left_when_it_is_filed_after_a_substitute_came(desk: Desk) -> None:
    desk.start(a_plan("single-elimination"), 4)
    row = desk.play(desk.open()[0].key)
    names = (row.a.player.name, row.b.player.name)
    desk.now += timedelta(minutes=5)
    desk.do(arrivals.substitute_player, entry=row.a.number, name="Sub Sally", reason="Ill")
    list(archiving.fill_archive())
    assert found(AnonymousUser()) == [names]

    turned = (0, row.length) if row.score_a else (row.length, 0)
    desk.do(corrections.correct_result, key=row.key, score=turned, reason="Misread")
    list(archiving.fill_archive())
    assert found(AnonymousUser()) == [names]


def test_a_match_that_was_not_played_is_filed_once_and_again_when_it_is_corrected(
    now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a score it was filed again with every result of its event."""
    written: list[str] = []
    file = archive_filing.file_result

    def note(row: Pairing) -> ArchivedMatch:
        written.append(row.key)
        return file(row)

    monkeypatch.setattr(archive_filing, "file_result", note)
    desk = Desk(now)
    desk.start(a_plan("round-robin"), 4)
    first, *others = desk.pairs()
    loser = desk.pairs()[first][0]
    desk.do(incidents.record_walkover, key=first, loser=loser)
    list(archiving.fill_archive())
    written.clear()

    for key in others:
        desk.now += timedelta(minutes=5)
        desk.play(key)
        list(archiving.fill_archive())
    assert set(written) == set(others)

    written.clear()
    desk.now += timedelta(minutes=5)
    desk.do(corrections.correct_result, key=first, winner=loser, kind=ResultKind.NO_SHOW, reason="Wrong.")
    list(archiving.fill_archive())
    assert written == [first]
    filed = ArchivedMatch.objects.get(pairing__key=first)
    assert (filed.winner, filed.ending) == (0, ResultKind.NO_SHOW)
