"""Uids of exported rows: every way to create a row assigns one, and it never changes."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.apps import apps
from django.db import models
from django.test import Client

from matches.models import Match
from players.accounts import exports
from players.clubs import clubs, merging
from players.keys import new_key
from players.models import Club, Player, User
from records.models.sheets import MatchPhoto, ScoreSheet
from records.models.submissions import RecordMatch, Submission
from records.models.transcriptions import Transcription
from tests.tournaments.event_desk import Desk, a_plan
from tests.world import World
from tournaments import demo
from tournaments.models import Appointment, Entry, Pairing, Report, Ruling, Tournament
from tournaments.plan import drawing, setup
from tournaments.play import arrivals, corrections, directing, entering
from venue.models import Assignment

NOW = datetime(2026, 11, 19, 20, 40, tzinfo=UTC)
TRAVELLERS: tuple[type[models.Model], ...] = (
    Club,
    Player,
    Match,
    Tournament,
    Entry,
    Pairing,
    Report,
    Ruling,
)
# These have had one from the first: no migration gives it to rows that are there.
BORN_WITH_ONE: tuple[type[models.Model], ...] = (
    Appointment,
    Assignment,
    RecordMatch,
    MatchPhoto,
    ScoreSheet,
    Submission,
    Transcription,
)


def given() -> list[UUID]:
    return [uid for model in TRAVELLERS for uid in model._default_manager.values_list("uid", flat=True)]


@pytest.fixture
def desk(db: None) -> Desk:
    return Desk(NOW)


def test_exactly_these_have_one() -> None:
    named = {model for model in apps.get_models() if any(each.name == "uid" for each in model._meta.fields)}
    assert named == {*TRAVELLERS, *BORN_WITH_ONE}
    for model in named:
        column = model._meta.get_field("uid")
        assert isinstance(column, models.UUIDField)
        assert (column.unique, column.null, column.editable, column.default) == (True, False, False, uuid4)


@pytest.mark.long
def test_everybody_and_everything_in_a_club_has_their_own(db: None) -> None:
    World(NOW)
    found = given()
    assert {model: model._default_manager.exists() for model in TRAVELLERS if model is not Report} == (
        dict.fromkeys(set(TRAVELLERS) - {Report}, True)
    )
    assert Counter(found).most_common(1)[0][1] == 1
    assert {uid.version for uid in found} == {4}


@pytest.mark.long
def test_a_whole_season_too(db: None) -> None:
    demo.build_demo(now=NOW, nights=4, opens=1, formats=1)
    found = given()
    assert len(set(found)) == len(found) > 200


# What becomes of it


def test_merged_each_row_keeps_its_own(desk: Desk) -> None:
    kept, dropped = (
        clubs.add_guest(club=desk.club, name=name, by=desk.director, now=NOW) for name in ("Gus", "Gus H.")
    )
    desk.announce(a_plan("single-elimination"))
    desk.do(directing.admit_members, player_keys=[dropped.key])
    entry = desk.entry(1)

    merging.merge_guest(kept=kept, dropped=dropped, by=desk.director, now=NOW)

    after = {one.pk: one for one in Player.objects.filter(pk__in=[kept.pk, dropped.pk])}
    assert (after[kept.pk].uid, after[dropped.pk].uid) == (kept.uid, dropped.uid)
    assert after[dropped.pk].merged_into_id == kept.pk, "whoever knows the old one finds the person"
    assert (desk.entry(1).uid, desk.player(1)) == (entry.uid, kept)


def test_of_two_entries_that_become_one_the_kept_one_keeps_its_own(desk: Desk) -> None:
    desk.announce(a_plan("single-elimination"), 2)
    kept, dropped = desk.player(1), desk.player(2)
    uid = desk.entry(1).uid

    merging.merge_guest(kept=kept, dropped=dropped, by=desk.director, now=NOW)

    assert list(Entry.objects.values_list("uid", "player")) == [(uid, kept.pk)]


def test_exchanged_or_replaced_the_place_in_the_event_keeps_its_own(desk: Desk) -> None:
    desk.start(a_plan("single-elimination"), 4)
    entries = {number: (desk.entry(number).uid, desk.player(number)) for number in (1, 2)}

    desk.do(corrections.exchange_players, entry=1, other=2, reason="wrong name")
    assert [desk.entry(number).uid for number in (1, 2)] == [entries[1][0], entries[2][0]]
    assert [desk.player(number).uid for number in (1, 2)] == [entries[2][1].uid, entries[1][1].uid]

    desk.do(arrivals.substitute_player, entry=1, name="Sub", reason="ill")
    assert desk.entry(1).uid == entries[1][0]
    assert desk.player(1).uid not in {entries[1][1].uid, entries[2][1].uid}


def test_a_result_corrected_and_taken_back_is_still_of_the_same_match(desk: Desk) -> None:
    desk.start(a_plan("single-elimination"), 8)
    before = dict(Pairing.objects.values_list("key", "uid"))
    desk.play("main/1.1")
    ruling = desk.do(
        corrections.correct_result, key="main/1.1", reason="misread", kind="played", score=(0, 5)
    )
    desk.do(corrections.undo_act, ruling_id=ruling.pk, reason="it was right")
    assert dict(Pairing.objects.values_list("key", "uid")) == before
    assert len(set(Ruling.objects.values_list("uid", flat=True))) == Ruling.objects.count()


def test_rows_that_come_back_are_who_they_were(desk: Desk) -> None:
    desk.start(a_plan("swiss", rounds=3), 5)
    first = list(desk.pairs())
    for key in first:
        desk.play(key)
    second = dict(Pairing.objects.filter(round__number=2).values_list("key", "uid"))
    assert second
    ruling = desk.do(corrections.correct_result, key=first[0], reason="misread", kind="void")
    desk.do(corrections.undo_act, ruling_id=ruling.pk, reason="it was right")
    assert dict(Pairing.objects.filter(round__number=2).values_list("key", "uid")) == second


def test_an_image_from_before_there_were_any_can_be_restored(desk: Desk) -> None:
    desk.start(a_plan("single-elimination"), 4)
    ruling = desk.do(corrections.exchange_players, entry=1, other=2, reason="wrong name")
    plain = json.dumps(ruling.before)
    for uid in map(str, given()):
        plain = plain.replace(f'"uid": "{uid}", ', "").replace(f', "uid": "{uid}"', "")
    assert '"uid"' not in plain
    Ruling.objects.filter(pk=ruling.pk).update(before=json.loads(plain))
    before = given()
    desk.do(corrections.undo_act, ruling_id=ruling.pk, reason="it was right")
    assert set(before) < set(given())


def test_the_same_again_is_another_event(desk: Desk) -> None:
    desk.start(a_plan("single-elimination"), 4)
    again = desk.do(setup.clone, key=new_key())
    assert again.uid != desk.event.uid
    assert again.name == desk.event.name


# The uid in output


def test_the_api_tells_it_and_takes_none(desk: Desk, client: Client) -> None:
    desk.start(a_plan("single-elimination"), 4)
    desk.play("main/1.1")
    client.force_login(desk.director)
    event = f"/api/v1/events/{desk.event.key}/"

    def told(address: str) -> Any:
        answer = client.get(address)
        assert answer.status_code == 200, answer.content
        return answer.json()

    def of(rows: list[dict[str, Any]]) -> set[str]:
        return {row["uid"] for row in rows}

    def have(model: type[models.Model]) -> set[str]:
        return {str(uid) for uid in model._default_manager.values_list("uid", flat=True)}

    assert told(event)["uid"] == str(desk.event.uid)
    assert of(told(f"{event}entries/")["results"]) == have(Entry)
    assert of(told(f"{event}pairings/")["results"]) == have(Pairing)
    assert of(told(f"{event}rulings/")["results"]) == have(Ruling)
    assert told(f"/api/v1/clubs/{desk.club.slug}/")["uid"] == str(desk.club.uid)
    player = desk.player(1)
    assert told(f"/api/v1/players/{player.key}/")["uid"] == str(player.uid)
    assert told("/api/v1/me/")["uid"] == str(desk.director.player.uid)

    for address in ("/api/v1/me/", f"/api/v1/clubs/{desk.club.slug}/guests/{player.key}/"):
        body = json.dumps({"name": "Gus", "uid": str(uuid4())})
        answer = client.patch(address, body, content_type="application/json")
        assert answer.status_code == 400, answer.content
        assert answer.json()["code"] == "invalid"
    player.refresh_from_db()
    assert (player.name, player.uid) == ("Guest 1", desk.player(1).uid)


@pytest.mark.long
@pytest.mark.share
def test_no_field_of_the_schema_takes_one(db: None, client: Client) -> None:
    schema = client.get("/api/v1/schema/?format=json").json()
    parts = schema["components"]["schemas"]

    def fields(shape: Any, seen: frozenset[str] = frozenset()) -> set[str]:
        if isinstance(shape, list):
            return {name for each in shape for name in fields(each, seen)}
        if not isinstance(shape, dict):
            return set()
        found = {name for name, each in shape.get("properties", {}).items() if not each.get("readOnly")}
        if (name := shape.get("$ref", "").rpartition("/")[2]) and name not in seen:
            found |= fields(parts[name], seen | {name})
        return found | {name for each in shape.values() for name in fields(each, seen)}

    taken = [
        fields(act["requestBody"])
        for path in schema["paths"].values()
        for act in path.values()
        if isinstance(act, dict) and "requestBody" in act
    ]
    assert any("name" in each for each in taken)
    assert not any("uid" in each for each in taken)
    told = {name.removesuffix("Shape") for name, each in parts.items() if "uid" in each.get("properties", {})}
    assert told >= {"Club", "Player", "Event", "Entry", "Pairing", "Ruling", "MatchLine", "WholeMatch"}


def test_a_report_and_a_board_say_theirs(desk: Desk, client: Client, sign_up: Callable[[str], User]) -> None:
    desk.announce(a_plan("single-elimination"))
    for name in ("Otis Fenn", "Runa Vik"):
        user = sign_up(name)
        clubs.join(club=desk.club, player=user.player, now=NOW)
        entering.enter_own_player(tournament_id=desk.pk, user=user, now=NOW)
    desk.do(drawing.publish)
    event, pairing = desk.event, desk.row("main/1.1")
    client.force_login(pairing.a.player.user)

    def act(**body: Any) -> Any:
        answer = client.post(
            f"/api/v1/events/{event.key}/acts/",
            json.dumps({"key": pairing.key, **body}),
            content_type="application/json",
            headers={"Idempotency-Key": body["act"].ljust(8, "-")},
        )
        assert answer.status_code == 200, answer.content
        return answer.json()["about"]

    assert act(act="open-board")["match"]["uid"] == str(Match.objects.get(pairing=pairing).uid)
    assert act(act="report", winner=pairing.a.number, score=[5, 2])["report"]["uid"] == str(
        Report.objects.get().uid
    )


def test_the_event_file_names_everything_that_could_meet_others(desk: Desk, client: Client) -> None:
    desk.announce(a_plan("single-elimination"), 4)
    desk.do(drawing.publish)
    told = client.get(f"/api/v1/events/{desk.event.key}/event.json").json()["uids"]
    assert told["event"] == str(desk.event.uid)
    assert told["club"] == str(desk.club.uid)
    assert told["entries"] == {str(n): str(desk.entry(n).uid) for n in (1, 2, 3, 4)}
    assert told["players"] == {str(n): str(desk.player(n).uid) for n in (1, 2, 3, 4)}
    assert told["matches"] == {key: str(desk.row(key).uid) for key in desk.pairs()}


def test_a_persons_own_data_have_them(desk: Desk) -> None:
    told: dict[str, Any] = exports._collect_data(desk.director, now=NOW)
    [club] = told["clubs"]
    assert (told["player"]["uid"], club["club__uid"]) == (desk.director.player.uid, desk.club.uid)
