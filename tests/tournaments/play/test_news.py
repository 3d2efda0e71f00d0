"""Recipients of notices, and the entries of a merged player."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from players.models import Club, Notice, User
from tests.deliveries import deliver
from tournaments.models import Entry, Tournament
from tournaments.play import directing, news
from tournaments.status import Status

# News


def list_notices(user: User) -> list[str]:
    return list(Notice.objects.filter(user=user, url__startswith="/events/").values_list("text", flat=True))


def test_entrants_hear_of_start_and_result_and_not_the_one_who_did_it(
    event: Callable[..., Tournament], greta: User, otis: User, runa: User, now: datetime
) -> None:
    made = event(Status.RUNNING, players=(greta, otis, runa))
    deliver(now)
    assert list_notices(otis) == ["Thursday night has begun."]

    keys = [user.player.key for user in (otis, runa, greta)]
    places = dict(zip(keys, (1, 2, 3), strict=True))
    directing.record_finish(tournament_id=made.pk, places=places, by=greta, now=now)
    deliver(now)

    assert "You won Thursday night. Congratulations!" in list_notices(otis)
    assert "Thursday night is over: your place is 2 of 3." in list_notices(runa)
    assert list_notices(greta) == []


def test_players_on_the_waiting_list_are_not_counted_in_the_result(
    event: Callable[..., Tournament], greta: User, otis: User, runa: User, director: User, now: datetime
) -> None:
    made = event(Status.RUNNING, players=(greta, otis, runa, director))
    Entry.objects.filter(tournament=made, player=director.player).update(waits=True)
    keys = [user.player.key for user in (otis, runa, greta)]
    places: dict[str, int | None] = dict(zip(keys, (1, 2, 3), strict=True))
    places[director.player.key] = None
    directing.record_finish(tournament_id=made.pk, places=places, by=greta, now=now)
    deliver(now)

    assert "Thursday night is over: your place is 2 of 3." in list_notices(runa)


def test_a_shared_place_is_told_as_it_stands_in_the_final_order(
    event: Callable[..., Tournament], greta: User, otis: User, runa: User, now: datetime
) -> None:
    made = event(Status.RUNNING, players=(greta, otis, runa))
    places = {user.player.key: place for user, place in ((greta, 1), (otis, 2), (runa, 2))}
    directing.record_finish(tournament_id=made.pk, places=places, by=greta, now=now)
    deliver(now)

    assert "Thursday night is over: your place is 2–3 of 3." in list_notices(runa)  # noqa: RUF001


def test_a_corrected_result_is_news_to_those_whose_place_changed(
    event: Callable[..., Tournament],
    member: Callable[[str], User],
    greta: User,
    otis: User,
    runa: User,
    now: datetime,
) -> None:
    tess = member("Tess Oak")
    made = event(Status.FINISHED, players=(otis, runa, tess))
    deliver(now)
    assert [len(list_notices(user)) for user in (otis, runa, tess)] == [1, 1, 1]
    directing.reopen_event(tournament_id=made.pk, reason="Swapped", by=greta, now=now)
    places = {otis.player.key: 1, runa.player.key: 3, tess.player.key: 2}
    directing.record_finish(tournament_id=made.pk, places=places, by=greta, now=now)
    deliver(now)

    assert [len(list_notices(user)) for user in (otis, runa, tess)] == [1, 2, 2]


def test_a_place_that_is_right_again_is_news_again(
    event: Callable[..., Tournament], greta: User, otis: User, runa: User, now: datetime
) -> None:
    made = event(Status.FINISHED, players=(otis, runa))
    deliver(now)
    for first, second in ((runa, otis), (otis, runa), (otis, runa)):
        directing.reopen_event(tournament_id=made.pk, reason="Swapped", by=greta, now=now)
        places = {first.player.key: 1, second.player.key: 2}
        directing.record_finish(tournament_id=made.pk, places=places, by=greta, now=now)
        deliver(now)

    won, lost = "You won Thursday night. Congratulations!", "Thursday night is over: your place is 2 of 2."
    assert (list_notices(otis), list_notices(runa)) == ([won, lost, won], [lost, won, lost])


def test_a_cancellation_tells_why(
    event: Callable[..., Tournament], greta: User, otis: User, now: datetime
) -> None:
    made = event(players=(otis,))

    directing.cancel_event(tournament_id=made.pk, reason="No heating", by=greta, now=now)
    deliver(now)

    assert list_notices(otis) == ["Thursday night is cancelled: No heating"]


def test_a_large_field_is_told_in_helpings(
    event: Callable[..., Tournament],
    member: Callable[[str], User],
    greta: User,
    otis: User,
    runa: User,
    now: datetime,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(news, "HELPING", 2)
    users = [otis, runa, *(member(f"Player {letter}") for letter in "ABC")]
    event(Status.RUNNING, players=tuple(users))

    deliver(now)

    assert [list_notices(user) for user in users] == [["Thursday night has begun."]] * 5


def test_news_that_comes_too_late_is_not_told(
    event: Callable[..., Tournament], otis: User, runa: User, now: datetime
) -> None:
    event(Status.RUNNING, players=(otis, runa))

    deliver(now + timedelta(days=2))

    assert list_notices(otis) == []


# One person, two rows


def test_a_merged_guest_brings_the_entries_along(
    event: Callable[..., Tournament], club: Club, greta: User, otis: User, runa: User, now: datetime
) -> None:
    from players.clubs import merging

    both, guest_only = event(Status.RUNNING, players=(otis, runa)), event(players=(otis, runa))
    guest = directing.admit_guest(tournament_id=both.pk, name="O. F.", by=greta, now=now)
    places = {otis.player.key: 3, runa.player.key: 2, guest.key: 1}
    directing.record_finish(tournament_id=both.pk, places=places, by=greta, now=now)
    alone = event()
    directing.admit_members(tournament_id=alone.pk, player_keys=[guest.key], by=greta, now=now)
    directing.admit_members(tournament_id=guest_only.pk, player_keys=[guest.key], by=greta, now=now)
    directing.withdraw_player(tournament_id=guest_only.pk, player_key=otis.player.key, by=greta, now=now)

    merging.merge_guest(kept=otis.player, dropped=guest, by=greta, now=now)

    assert not Entry.objects.filter(player=guest).exists()
    assert Entry.objects.get(tournament=both, player=otis.player).place == 1
    assert Entry.objects.filter(tournament=alone, player=otis.player).count() == 1
    assert Entry.objects.get(tournament=guest_only, player=otis.player).withdrawn_at is None
