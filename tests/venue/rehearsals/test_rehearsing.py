"""A rehearsal: it plays itself by the real services, and leaves no trace."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.apps import apps
from django.db.models import Model, QuerySet
from django.test import Client
from django.urls import reverse

from players.models import Club, Membership, Role, User
from runtime.install import verifiers
from runtime.models import Outbox
from runtime.work import outbox, sweeps
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.base.errors import NotDirector
from tournaments.models import Entry, Pairing, PairingState, Tournament
from tournaments.plan import drawing
from tournaments.play import backlog, helper_links, results
from tournaments.status import Status
from venue.errors import NothingToRehearse, TooFewToRehearse
from venue.models import Assignment, CallMode, Goal, Rehearsal, Table
from venue.rehearsals import rehearsal_play, rehearsing
from venue.rooms import room_settings, rooms

pytestmark = pytest.mark.long
# What a rehearsal may leave: what the machinery writes down about itself, and forgets by its own rules.
MACHINERY = {"runtime", "sessions"}


def everything() -> dict[str, list[tuple[Any, ...]]]:
    """Return every row of the database that is not the machinery's own."""
    return {
        model._meta.label: sorted(model._base_manager.values_list(), key=repr)
        for model in apps.get_models(include_auto_created=True)
        if model._meta.app_label not in MACHINERY and model._meta.managed
    }


@pytest.fixture
def announced(desk: Desk) -> Desk:
    """An event of eight with a room of three tables."""
    desk.announce(a_plan("progressive-consolation"), 8)
    room = rooms.open_room(club=desk.club, by=desk.director, name="Hall", labels="1-3", now=desk.now)
    room_settings.set_room(
        event=desk.event, room=room, mode=CallMode.AUTOMATIC, by=desk.director, now=desk.now
    )
    return desk


def rehearse(desk: Desk, **more: Any) -> Rehearsal:
    return desk.do(rehearsing.start, **more)


def play(desk: Desk, row: Rehearsal, goal: Goal, *, now: datetime | None = None, pace: int = 0) -> Tournament:
    rehearsing.play(tournament_id=row.event_id, goal=goal, by=desk.director, now=now or desk.now, pace=pace)
    return Tournament.objects.get(pk=row.event_id)


def decided(event: Tournament) -> int:
    return Pairing.objects.filter(tournament=event, state=PairingState.DECIDED).count()


def play_out(desk: Desk, row: Rehearsal) -> Tournament:
    play(desk, row, Goal.END)
    now = desk.now
    while Rehearsal.objects.filter(pk=row.pk, next_at__isnull=False).exists():
        now += timedelta(seconds=1)
        rehearsing.sweep(now)
    return Tournament.objects.get(pk=row.event_id)


def test_it_is_a_copy_and_plays_to_the_end(announced: Desk) -> None:
    row = rehearse(announced)

    assert [each.player.name for each in Entry.objects.filter(tournament=row.event).order_by("number")] == [
        each.player.name for each in Entry.objects.filter(tournament=announced.event).order_by("number")
    ]
    assert row.event.seed != announced.event.seed
    assert play_out(announced, row).status == Status.FINISHED
    assert list(verifiers.find_problems()) == []


def test_it_leaves_no_trace(announced: Desk) -> None:
    before = everything()

    row = rehearse(announced, players=12)
    play_out(announced, row)
    while outbox.drain(queue="default", now=announced.now):
        pass
    assert not [each.kind for each in Outbox.objects.all() if each.kind in outbox.list_outgoing()]
    during = everything()
    others = {"players.Club", "players.Player", "players.Membership"}
    # Nothing that was there is another.
    for label, rows in before.items():
        assert set(map(repr, rows)) <= set(map(repr, during[label])), label
    assert {label for label in before if before[label] != during[label]} - others <= {
        label for label in before if label.startswith(("tournaments.", "venue."))
    }
    rehearsing.discard(tournament_id=row.event_id, by=announced.director)

    assert everything() == before


def test_its_calls_use_no_table_of_the_club(announced: Desk) -> None:
    row = rehearse(announced)
    play(announced, row, Goal.ROUND)

    used = Assignment.objects.values_list("table__room__club", flat=True)
    assert used
    assert set(used) == {row.event.club_id}
    assert not Assignment.objects.filter(chairs__player__user__isnull=False).exists()


def test_each_goal_stops_where_it_says(announced: Desk) -> None:
    row = rehearse(announced)

    # The draw is the first thing, and what is open then is round one.
    assert decided(play(announced, row, Goal.RESULT)) == 0
    assert decided(play(announced, row, Goal.RESULT)) == 1
    event = play(announced, row, Goal.ROUND)
    first = Pairing.objects.filter(tournament=event, key__startswith="main/1.")
    assert not first.exclude(state=PairingState.DECIDED).exists()
    event = play(announced, row, Goal.FINAL)
    final = Pairing.objects.get(tournament=event, key="main/3.1")
    assert final.state == PairingState.READY
    assert event.status == Status.RUNNING
    assert play(announced, row, Goal.END).status == Status.FINISHED


def test_penalty_points_count(announced: Desk) -> None:
    row = rehearse(announced)
    event = play(announced, row, Goal.RESULT)
    late = Pairing.objects.filter(tournament=event, state=PairingState.READY, opened_at__isnull=False)
    assert late.update(a_late=4, b_late=4) == 4

    assert play_out(announced, row).status == Status.FINISHED
    played = Pairing.objects.filter(tournament=event, a_late=4).values_list("score_a", "score_b")
    assert [sorted(score) for score in played] == [[4, 5]] * 4


def test_the_same_seed_plays_the_same(announced: Desk) -> None:
    found = []
    for _ in range(2):
        row = rehearse(announced)
        Rehearsal.objects.filter(pk=row.pk).update(seed="7")
        Tournament.objects.filter(pk=row.event_id).update(seed="7")
        row.refresh_from_db()
        event = play_out(announced, row)
        found.append(
            list(
                Pairing.objects.filter(tournament=event)
                .order_by("key")
                .values_list("key", "score_a", "score_b")
            )
        )
        rehearsing.discard(tournament_id=row.event_id, by=announced.director)

    assert found[0] == found[1]


def test_at_a_pace_each_turn_of_the_sweep_has_one_result(announced: Desk) -> None:
    row = rehearse(announced)
    now = announced.now
    event = play(announced, row, Goal.END, pace=3)
    for played in (1, 2):
        rehearsing.sweep(now + timedelta(seconds=1))
        now += timedelta(seconds=3)
        rehearsing.sweep(now)
        # Looked at twice in a moment, it plays once.
        rehearsing.sweep(now)
        assert decided(event) == played
    rehearsing.stop(tournament_id=row.event_id, by=announced.director)
    rehearsing.sweep(now + timedelta(seconds=9))
    assert decided(event) == 2


def test_a_turn_of_the_sweep_that_takes_long_goes_on_in_the_next(
    announced: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweeps, "SLICE", 0.0)
    row = rehearse(announced)
    Rehearsal.objects.update(goal=Goal.END, by=announced.director, next_at=announced.now)
    decided = Pairing.objects.filter(tournament=row.event_id, decided_at__isnull=False)
    found = []
    for turn in range(1, 5):
        rehearsing.sweep(announced.now + timedelta(seconds=2 * turn))
        found.append(decided.count())
    # The first turn draws.
    assert found == [0, 1, 2, 3]


def test_a_director_acts_in_it_by_hand(announced: Desk) -> None:
    row = rehearse(announced)
    event = play(announced, row, Goal.RESULT)
    match = Pairing.objects.filter(
        tournament=event, state=PairingState.READY, opened_at__isnull=False
    ).first()

    results.enter_result(
        tournament_id=event.pk, key=match.key, score=(5, 1), by=announced.director, now=announced.now
    )
    assert decided(event) == 1


def test_it_is_thrown_away_after_a_day(announced: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    row = rehearse(announced)
    rehearsing.sweep(announced.now + timedelta(hours=23))
    assert Rehearsal.objects.exists()

    locked: list[type[Model]] = []
    lock = QuerySet.select_for_update

    def note(rows: QuerySet[Any], **options: Any) -> QuerySet[Any]:
        locked.append(rows.model)
        return lock(rows, **options)

    monkeypatch.setattr(QuerySet, "select_for_update", note)
    rehearsing.sweep(announced.now + rehearsing.LASTS)
    assert Tournament in locked
    assert not Tournament.objects.filter(pk=row.event_id).exists()
    assert not Club.every.filter(rehearses__isnull=False).exists()
    assert Tournament.objects.filter(pk=announced.pk).exists()


def test_there_is_one_at_a_time_and_none_of_a_rehearsal(announced: Desk) -> None:
    row = rehearse(announced)
    assert rehearse(announced) == row

    with pytest.raises(NothingToRehearse):
        rehearsing.start(tournament_id=row.event_id, by=announced.director, now=announced.now)
    with pytest.raises(helper_links.Rehearsed):
        helper_links.create_link(
            tournament_id=row.event_id, name="Anna", by=announced.director, now=announced.now
        )


def test_it_needs_two_players_made_up_or_not(desk: Desk) -> None:
    desk.announce(a_plan("swiss", rounds=3))
    with pytest.raises(TooFewToRehearse):
        rehearse(desk)
    row = rehearse(desk, players=6)

    assert Entry.objects.filter(tournament=row.event).count() == 6
    event = play(desk, row, Goal.FINAL)
    assert decided(event) == 6
    assert play(desk, row, Goal.END).status == Status.FINISHED


def test_who_directs_no_more_has_no_rehearsal(announced: Desk) -> None:
    row = rehearse(announced)
    play(announced, row, Goal.END, pace=3)
    Membership.objects.filter(player__user=announced.director).update(role=Role.MEMBER)

    rehearsing.sweep(announced.now + timedelta(seconds=4))
    row.refresh_from_db()
    assert row.next_at is None
    with pytest.raises(NotDirector):
        rehearsing.discard(tournament_id=row.event_id, by=announced.director)


# ---- hidden from everyone else


@pytest.fixture
def member(announced: Desk) -> User:
    return announced.member("Max Member")


def pages_of(event: Tournament) -> list[str]:
    match = Pairing.objects.filter(tournament=event).first()
    guest = Entry.objects.filter(tournament=event).select_related("player").first()
    table = Table.objects.filter(room__club=event.club).select_related("room").first()
    own = [
        event.get_absolute_url(),
        *(f"{event.get_absolute_url()}{tab}/" for tab in ("bracket", "schedule", "players", "standings")),
        f"{event.get_absolute_url()}event.ics",
        reverse("tournaments:pairing", args=[event.key, match.key]),
        reverse("tournaments:desk", args=[event.key]),
        reverse("tournaments:roster", args=[event.key]),
        reverse("venue:event_room", args=[event.key]),
        reverse("venue:what_if", args=[event.key]),
        reverse("players:player", args=[guest.player.key]),
        reverse("players:club", args=[event.club.slug]),
        reverse("tournaments:club_events", args=[event.club.slug]),
        reverse("venue:rooms", args=[event.club.slug]),
        f"/embed/events/{event.key}/bracket/",
        f"{event.get_absolute_url()}results.atom",
    ]
    api = [
        f"/api/v1/events/{event.key}/{part}"
        for part in ("", "entries/", "pairings/", "standings/", "event.json", "results.csv", "rehearsal/")
    ]
    rest = [
        f"/api/v1/clubs/{event.club.slug}/",
        f"/api/v1/clubs/{event.club.slug}/rooms/",
        f"/api/v1/rooms/{table.room.key}/",
        f"/api/v1/rooms/{table.room.key}/queue/",
        f"/api/v1/rooms/{table.room.key}/calls/",
        f"/api/v1/players/{guest.player.key}/",
    ]
    return [*own, *api, *rest]


@pytest.mark.parametrize("who", ["member", "visitor"])
def test_nobody_else_reaches_its_pages(announced: Desk, member: User, client: Client, who: str) -> None:
    event = play(announced, rehearse(announced), Goal.ROUND)
    if who == "member":
        client.force_login(member)

    for address in pages_of(event):
        answer = client.get(address)
        # An anonymous visitor has to sign in, just as at an address that does not exist.
        asked = answer.status_code == 401 or (
            answer.status_code == 302 and "/accounts/login/" in answer["Location"]
        )
        assert answer.status_code == 404 or (who == "visitor" and asked), (address, answer.status_code)


def test_those_are_pages_that_there_are(announced: Desk, client: Client) -> None:
    announced.do(drawing.publish)
    client.force_login(announced.director)

    wrong = [address for address in pages_of(announced.event) if client.get(address).status_code == 404]
    # This event has no rehearsal.
    assert wrong == [f"/api/v1/events/{announced.event.key}/rehearsal/"]


LISTS = (
    "/", "/calendar/", "/events/", "/clubs/", "/players/", "/find/?q=Thursday", "/find/?q=Guest", "/me/", "/lobby/",
    "/archive/", "/api/v1/events/", "/api/v1/clubs/", "/api/v1/players/?q=Guest", "/api/v1/me/events/",
    "/api/v1/archive/", "/api/v1/me/matches/",
)  # fmt: skip


@pytest.mark.parametrize("who", ["director", "member", "visitor"])
def test_it_stands_in_no_list(announced: Desk, member: User, client: Client, who: str) -> None:
    if who != "visitor":
        client.force_login(announced.director if who == "director" else member)
    of_club = (
        reverse("players:club", args=[announced.club.slug]),
        reverse("tournaments:club_events", args=[announced.club.slug]),
        reverse("tournaments:calendar_feed", args=[announced.club.slug]),
        reverse("venue:rooms", args=[announced.club.slug]),
        f"/api/v1/events/?club={announced.club.slug}",
        f"/api/v1/clubs/{announced.club.slug}/members/",
    )
    row = rehearse(announced)
    event = play_out(announced, row)
    seen = 0
    for address in (*LISTS, *of_club):
        answer = client.get(address, follow=True)
        text = b"".join(answer.streaming_content).decode() if answer.streaming else answer.content.decode()
        seen += answer.status_code == 200
        for secret in (event.key, event.club.slug, *event.entries.values_list("player__key", flat=True)):
            assert secret not in text, (address, secret)
    assert seen > 12


def test_its_director_sees_that_it_is_one(announced: Desk, client: Client) -> None:
    event = play(announced, rehearse(announced), Goal.ROUND)
    client.force_login(announced.director)
    match = Pairing.objects.filter(tournament=event).first()

    for address in (
        event.get_absolute_url(),
        reverse("tournaments:desk", args=[event.key]),
        reverse("tournaments:roster", args=[event.key]),
        reverse("tournaments:draw", args=[event.key]),
        reverse("venue:event_room", args=[event.key]),
        reverse("tournaments:papers", args=[event.key]),
        reverse("tournaments:rulings", args=[event.key]),
        reverse("tournaments:helpers", args=[event.key]),
        reverse("tournaments:pairing", args=[event.key, match.key]),
    ):
        answer = client.get(address)
        assert answer.status_code == 200, address
        assert "This is a rehearsal" in answer.content.decode(), address
    assert "This is a rehearsal" not in client.get(announced.event.get_absolute_url()).content.decode()
    assert event.club.slug not in str(client.session.get("club"))


def test_pages_make_play_and_throw_away(announced: Desk, client: Client) -> None:
    client.force_login(announced.director)
    client.post(reverse("venue:rehearse", args=[announced.event.key]), {"players": "8"})
    event = Rehearsal.objects.get().event

    client.post(reverse("venue:play_rehearsal", args=[event.key]), {"goal": "end"})
    event.refresh_from_db()
    assert event.status == Status.FINISHED
    answer = client.post(reverse("venue:discard_rehearsal", args=[event.key]))
    assert answer["Location"] == reverse("tournaments:desk", args=[announced.event.key])
    assert not Rehearsal.objects.exists()


def test_programs_do_the_same(announced: Desk, client: Client) -> None:
    client.force_login(announced.director)
    address = f"/api/v1/events/{announced.event.key}/rehearsal/"
    made = client.post(address, {"players": 8}, content_type="application/json")
    assert made.status_code == 201
    played = client.post(f"{address}play/", {"goal": "end"}, content_type="application/json")
    assert (played.status_code, played.json()["status"]) == (200, Status.FINISHED)
    assert client.delete(address).status_code == 204
    assert client.get(address).status_code == 404


@pytest.mark.long
def test_made_up_players_are_no_more_than_the_format_allows_and_a_long_draw_goes_on_at_once(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backlog, "MOST_DRAWN_PLACES", 100)
    desk.announce(a_plan("league"), 2)

    row = desk.do(rehearsing.start, players=128)

    assert Entry.objects.filter(tournament=row.event).count() == 64
    play(desk, row, Goal.RESULT)
    assert Pairing.objects.filter(tournament=row.event).count() == 64 * 63 // 2
    play(desk, row, Goal.RESULT)
    assert decided(row.event) == 1


def test_of_two_workers_one_plays_on(announced: Desk) -> None:
    row = rehearse(announced)
    Rehearsal.objects.update(next_at=announced.now, goal=Goal.END, by=announced.director)
    row.refresh_from_db()
    Rehearsal.objects.update(next_at=announced.now + timedelta(seconds=1))

    assert rehearsal_play.continue_rehearsal(row, now=announced.now) == 0
    assert Tournament.objects.get(pk=row.event_id).status == Status.PUBLISHED
