"""Events over HTTP: a program runs a whole evening, and takes it home."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from draw import stages
from draw.files import event_input
from draw.formats import FORMATS
from players.models import Club, Player, User
from tests.matches.http import Caller
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.plan.test_format_options import FULL
from tournaments.base import event_rows
from tournaments.desk.acts import ACTS
from tournaments.models import Pairing, Ruling, RulingKind, Tournament
from tournaments.pages.exports_api import FILES
from tournaments.plan import drawing, planning, setup
from tournaments.plan.templates import TEMPLATES, StagePlan
from tournaments.play import departures, directing, event_control

pytestmark = pytest.mark.today


@pytest.fixture
def caller(desk: Desk) -> Caller:
    return Caller(desk.director)


def act(caller: Caller, event: Tournament | str, word: str, *, status: int = 200, **fields: Any) -> Any:
    key = event if isinstance(event, str) else event.key
    return caller.post(f"events/{key}/acts/", {"act": word, **fields}, status=status)


def announced(caller: Caller, club: str, **told: Any) -> str:
    told = {"club": club, "name": "Thursday", "starts_at": timezone.now().isoformat(), **told}
    made = caller.post("events/", told, status=201)
    act(caller, made["key"], "publish")
    return str(made["key"])


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_plan_that_is_read_can_be_sent_back(desk: Desk, caller: Caller, name: str) -> None:
    key = announced(caller, desk.club.slug, plan={"template": name}, match_length=7)
    event = Tournament.objects.get(key=key)
    read, plan = caller.get(f"events/{key}/plan/"), planning.load_plan(event)
    act(caller, event, "arrange", plan=read)
    event.refresh_from_db()
    assert planning.load_plan(event) == plan
    assert caller.get(f"events/{key}/plan/") == read


@pytest.mark.parametrize("form", FULL)
def test_everything_in_a_plan_can_be_read(desk: Desk, caller: Caller, form: str) -> None:
    lateness = [[5, 1], [10, None]]
    closes = timezone.now().replace(microsecond=0)
    chosen = {"play": {"cube": False}, "lateness": lateness, "entries_close_at": closes.isoformat()}
    stage = {
        "format": form,
        "name": "The night",
        "options": FULL[form],
        "rules": [{"round": -1, "length": 9, "play": {"best_of": 3}}],
        "pairs": "draft",
        "deadline_policy": "forfeit",
    }
    key = announced(caller, desk.club.slug, plan={"stages": [stage], "settings": chosen})
    read = caller.get(f"events/{key}/plan/")
    assert stage.items() <= read["stages"][0].items()
    settings = read["settings"]
    assert (settings["play"], settings["lateness"]) == ({"cube": False}, lateness)
    assert datetime.fromisoformat(settings["entries_close_at"]) == closes


def test_only_directors_read_a_plan_and_an_announcement_has_none(
    desk: Desk, caller: Caller, otis: User
) -> None:
    key = announced(caller, desk.club.slug)
    assert caller.get(f"events/{key}/plan/") == {
        "template": None,
        "rounds": None,
        "stages": [],
        "settings": None,
    }
    refused = Caller(otis).get(f"events/{key}/plan/", status=403)
    assert refused["code"] == "not_director"


class TestAnEvening:
    @pytest.mark.long
    def test_from_the_template_to_the_finishing_order(self, desk: Desk, caller: Caller) -> None:
        key = announced(caller, desk.club.slug, plan={"template": "club-night"}, match_length=5)
        names = [f"Guest {number}" for number in range(1, 9)]
        assert len(act(caller, key, "admit-named", names=names)["about"]["entries"]) == 8
        act(caller, key, "check-in-for", entries=[*range(1, 9)])
        drawn = act(caller, key, "preview-draw")["about"]["draw"]
        assert drawn["published_at"] is None
        swapped = act(caller, key, "swap-lines", line_a=1, line_b=2)["about"]["draw"]["lines"]
        assert swapped[:2] == drawn["lines"][1::-1]
        assert caller.get(f"events/{key}/")["seed"] == ""
        act(caller, key, "publish-draw", witnesses=["Guest 3"])
        whole = caller.get(f"events/{key}/")
        assert (whole["status"], whole["stages"][0]["draw"]["lines"]) == ("RUNNING", swapped)
        assert whole["seed"]
        for _round in range(20):
            ready = [
                each for each in caller.list(f"events/{key}/pairings/", state="ready") if each["opened_at"]
            ]
            if not ready:
                break
            for each in ready:
                result = act(caller, key, "result", key=each["key"], score=[each["length"], 1])
                assert result["about"]["pairing"]["winner"] == each["a"]["entry"]
        assert caller.get(f"events/{key}/")["status"] == "FINISHED"
        order = caller.list(f"events/{key}/standings/")
        assert (order[0]["rank"], len(order)) == (1, 8)
        champion = next(each for each in caller.list(f"events/{key}/entries/") if each["place"] == 1)
        assert champion["number"] == order[0]["entry"]
        acts = [each["act"] for each in caller.list(f"events/{key}/rulings/")]
        assert {RulingKind.PUBLISHED_DRAW, RulingKind.SWAPPED, RulingKind.ENTERED_RESULT} <= set(acts)

    def test_a_ruling_names_who_made_it_and_no_address(self, desk: Desk, caller: Caller) -> None:
        event = desk.start(a_plan("single-elimination"), 4)
        act(caller, event, "result", key=desk.open()[0].key, score=[5, 0])
        authors = {each["by"] for each in caller.list(f"events/{event.key}/rulings/")}
        assert authors == {desk.director.player.public_name}

    def test_an_act_is_foreseen_and_leaves_nothing(self, desk: Desk, caller: Caller) -> None:
        event = desk.start(a_plan("single-elimination"), 4)
        first = desk.open()[0]
        desk.play(first.key)
        won = desk.row(first.key).winner
        score = [0, 5] if won == first.a else [5, 0]
        told: dict[str, Any] = {"key": first.key, "score": score, "reason": "the wrong way round"}
        version, rulings = desk.fresh().version, Ruling.objects.count()
        seen = act(caller, event, "correct", preview=True, **told)
        assert {each["key"]: each["change"] for each in seen["ripple"]} == {first.key: "turns"}
        assert (desk.fresh().version, Ruling.objects.count()) == (version, rulings)
        done = act(caller, event, "correct", **told)
        assert done["version"] > version
        restored = act(
            caller, event, "restore", ruling_id=done["about"]["ruling"]["id"], reason="no, it was right"
        )
        assert restored["about"]["ruling"]["act"] == RulingKind.RESTORED
        assert desk.row(first.key).winner == won

    @pytest.mark.long
    def test_players_report_and_confirm(self, club: Club, greta: User, otis: User, runa: User) -> None:
        director, one, two, another = (Caller(who) for who in (greta, otis, runa, greta))
        key = announced(director, club.slug, plan={"stages": [{"format": "single-elimination"}]})
        for player in (one, two):
            assert act(player, key, "enter")["about"]["entry"]["number"]
        act(director, key, "publish-draw")
        (pairing,) = director.list(f"events/{key}/pairings/")
        score = [5, 2] if pairing["a"]["entry"] == 1 else [2, 5]
        act(one, key, "report", key=pairing["key"], score=score)
        act(another, key, "confirm", key=pairing["key"], score=score, status=409)
        assert act(two, key, "confirm", key=pairing["key"], score=score)["status"] == "FINISHED"
        assert director.list(f"events/{key}/pairings/")[0]["winner"] == 1


class TestWithoutAPlan:
    """An event that is announced, and whose result is recorded."""

    @pytest.fixture
    def key(self, desk: Desk, caller: Caller) -> str:
        told = {"club": desk.club.slug, "name": "Thursday", "starts_at": timezone.now().isoformat()}
        return str(caller.post("events/", told, status=201)["key"])

    def test_from_the_draft_to_the_finishing_order(self, caller: Caller, key: str) -> None:
        said = {"name": "Friday", "format_label": "Three rounds, then beer", "capacity": 4}
        changed = caller.patch(f"events/{key}/", said)
        assert {name: changed[name] for name in said} == said
        act(caller, key, "publish")
        act(caller, key, "admit-named", names=["Ann", "Bo", "Cy"])
        assert act(caller, key, "start")["status"] == "RUNNING"
        one, two, three = (each["player"] for each in caller.list(f"events/{key}/entries/"))
        missing = act(caller, key, "finish", places={one: 1, two: 2}, status=409)
        assert (missing["code"], "Cy" in missing["title"]) == ("places_missing", True)
        done = act(caller, key, "finish", places={one: 2, two: 1, three: None})
        assert done["status"] == caller.get(f"events/{key}/")["status"] == "FINISHED"
        assert [each["place"] for each in caller.list(f"events/{key}/entries/")] == [1, 2, None]
        again = act(caller, key, "finish", places={one: 2, two: 1, three: None}, status=409)
        assert again["code"] == "already_done"
        act(caller, key, "reopen", reason="the wrong way round")
        act(caller, key, "finish", places={one: 1, two: 2, three: None})
        acts = [each["act"] for each in caller.list(f"events/{key}/rulings/")]
        assert acts.count(RulingKind.FINISHED) == 2
        assert RulingKind.STARTED in acts

    def test_an_event_with_a_plan_is_neither_begun_nor_finished_by_these(
        self, desk: Desk, caller: Caller
    ) -> None:
        event = desk.announce(a_plan("single-elimination"), 2)
        assert act(caller, event, "start", status=409)["code"] == "has_stages"
        assert act(caller, event, "finish", places={}, status=409)["code"] == "has_stages"

    @pytest.mark.parametrize("places", [None, [1, 2], {"0123456789": 0}, {"0123456789": "first"}])
    def test_places_that_are_none(self, caller: Caller, key: str, places: Any) -> None:
        answer = act(caller, key, "finish", places=places, status=400)
        assert [*answer["context"]["fields"]] == ["places"]

    def test_a_format_in_english_is_no_words_of_the_directors_own(self, caller: Caller, key: str) -> None:
        told = {"club": Tournament.objects.get(key=key).club.slug, "starts_at": timezone.now().isoformat()}
        made = caller.post("events/", {**told, "name": "Other", "format_label": "Round robin"}, status=201)
        for one in (made["key"], caller.patch(f"events/{key}/", {"format_label": "Round robin"})["key"]):
            event = Tournament.objects.get(key=one)
            assert (event.format_label, event.played_as) == ("", [{"format": "round-robin"}])


class TestAnnouncement:
    def test_what_is_left_out_stays(self, desk: Desk, caller: Caller) -> None:
        event = desk.announce(a_plan("swiss", rounds=3), 2, place="Hall", about="Bring dice", capacity=8)
        path, before = f"events/{event.key}/", setup.build_details(desk.fresh())
        assert caller.patch(path, {"place": "Cellar"})["entered"] == 2
        assert setup.build_details(desk.fresh()) == replace(before, place="Cellar")
        assert desk.ruling().data == {"changed": ["place"]}
        # Send the values back unchanged; the label of the format equals that of the plan.
        shown = caller.get(path)
        names = ("name", "starts_at", "place", "about", "format_label", "match_length", "capacity")
        version = caller.patch(path, {name: shown[name] for name in names})["version"]
        assert setup.build_details(desk.fresh()) == replace(before, place="Cellar")
        assert version == shown["version"]
        moved = caller.patch(path, {"starts_at": "2030-01-02T19:30:00+01:00", "capacity": None})
        assert (moved["starts_at"], moved["capacity"]) == ("2030-01-02T18:30:00Z", None)

    def test_the_refusals_are_those_of_the_page(self, desk: Desk, caller: Caller, otis: User) -> None:
        event = desk.announce(a_plan("single-elimination"), 4)
        path = f"events/{event.key}/"
        assert Caller(otis).patch(path, {"name": "Mine"}, status=403)["code"] == "not_director"
        assert Caller(None).patch(path, {"name": "Mine"}, status=401)
        assert caller.patch(path, {"capacity": 3}, status=409)["code"] == "capacity_below_entries"
        assert [*caller.patch(path, {"name": "a\nb"}, status=400)["context"]["fields"]] == ["name"]
        unknown = caller.patch(path, {"match_lenght": 7}, status=400)["context"]["fields"]["match_lenght"]
        assert (unknown[0]["code"], "match_length" in unknown[0]["message"]) == ("unknown_field", True)
        desk.do(drawing.publish)
        assert caller.patch(path, {"match_length": 11}, status=409)["code"] == "already_drawn"
        assert caller.patch(path, {"about": "In the cellar"})["about"] == "In the cellar"
        desk.play_out()
        assert caller.patch(path, {"name": "Over"}, status=409)["code"]
        assert desk.fresh().name == "Thursday"

    def test_a_draft_is_hidden_from_others(self, desk: Desk, caller: Caller, otis: User) -> None:
        told = {"club": desk.club.slug, "name": "Secret", "starts_at": timezone.now().isoformat()}
        key = caller.post("events/", told, status=201)["key"]
        Caller(otis).patch(f"events/{key}/", {"name": "Mine"}, status=404)
        assert caller.patch(f"events/{key}/", {"name": "Open"})["name"] == "Open"

    def test_it_is_changed_once_and_only_as_it_was_seen(self, desk: Desk, caller: Caller) -> None:
        event = desk.announce(None)
        path, version = f"events/{event.key}/", desk.fresh().version
        change = {"name": "Friday", "expects": {"version": version}}
        first, again = (caller.patch(path, change, key="the very same") for _ in range(2))
        assert first == again
        assert first["version"] > version
        late = caller.patch(path, {**change, "name": "Saturday"}, status=409)
        assert (late["code"], late["context"]["now"]) == (
            "changed_meanwhile",
            {"version": first["version"]},
        )
        assert desk.fresh().name == "Friday"

    def test_the_document_promises_no_value_for_what_is_left_out(self) -> None:
        schema = Client().get("/api/v1/schema/", headers={"Accept": "application/json"}).json()
        shapes = schema["components"]["schemas"]
        told, new = shapes["PatchedAnnouncementChange"], shapes["EventRequest"]
        assert {*told["properties"]} == {*new["properties"]} - {"club", "plan"} | {"expects"}
        assert "required" not in told
        assert not any("default" in each for each in told["properties"].values())


class TestRefusals:
    def test_who_does_not_direct_may_not(self, desk: Desk, otis: User) -> None:
        event = desk.start(a_plan("single-elimination"), 4)
        stranger = Caller(otis)
        for word, fields in (
            ("result", {"key": "main/1.1", "score": [5, 0]}),
            ("withdraw", {"entry": 1}),
            ("end-early", {"reason": "for fun"}),
        ):
            answer = act(stranger, event, word, status=403, **fields)
            assert answer["code"] == "not_director"
            assert act(stranger, event, word, status=403, preview=True, **fields)["code"] == "not_director"
        assert stranger.get(f"events/{event.key}/rulings/", status=403)["code"] == "not_director"
        assert Client().post(f"/api/v1/events/{event.key}/acts/", {}).status_code in {401, 403}

    @pytest.mark.parametrize(
        ("told", "field"),
        [
            ({"act": "juggle"}, "act"),
            ({}, "act"),
            ({"act": "result", "key": "main/1.1"}, "score"),
            ({"act": "result", "key": "main/1.1", "score": [5]}, "score"),
            ({"act": "result", "key": "main/1.1", "score": [5, -1]}, "score"),
            ({"act": "pause", "speed": 3}, "speed"),
            ({"act": "arrange", "plan": {"template": "swiss", "stages": [{"format": "swiss"}]}}, "plan"),
            ({"act": "arrange", "plan": {}}, "plan"),
        ],
    )
    def test_what_cannot_be_read_names_the_field(
        self, desk: Desk, caller: Caller, told: dict[str, Any], field: str
    ) -> None:
        event = desk.announce(a_plan("single-elimination"), 4)
        answer = caller.post(f"events/{event.key}/acts/", told, status=400)
        assert [*answer["context"]["fields"]] == [field]

    def test_a_score_the_length_does_not_allow(self, desk: Desk, caller: Caller) -> None:
        event = desk.start(a_plan("single-elimination"), 4)
        before = desk.image()
        for score in ([5, 5], [4, 3], [7, 2]):
            assert act(caller, event, "result", key="main/1.1", score=score, status=409)["title"]
        assert desk.image() == before

    def test_a_plan_that_cannot_be_played(self, desk: Desk, caller: Caller) -> None:
        told = {"club": desk.club.slug, "name": "Odd", "starts_at": timezone.now().isoformat()}
        plan = {"stages": [{"format": "swiss", "options": {"colour": "red"}}]}
        assert caller.post("events/", {**told, "plan": plan}, status=409)["code"] == "bad_plan"
        assert not Tournament.objects.filter(name="Odd").exists()

    @pytest.mark.parametrize(
        "stage",
        [
            {"rules": [{"lenght": 7}]},
            {"rules": [{"length": "seven"}]},
            {"rules": [{"length": [7]}]},
            {"rules": [{"length": 0}]},
            {"rules": [{"round": "last"}]},
            {"rules": [{"reporting": "nobody"}]},
            # An exponent: a long one would be computed for hours.
            {"rules": [{"minutes_a_point": "1e1"}]},
            {"rules": [{"play": "fast"}]},
            {"options": {"third_place": {"is": True}}},
        ],
    )
    def test_a_stage_with_values_that_it_cannot_have(
        self, desk: Desk, caller: Caller, stage: dict[str, Any]
    ) -> None:
        told = {"club": desk.club.slug, "name": "Odd", "starts_at": timezone.now().isoformat()}
        plan = {"stages": [{"format": "single-elimination", **stage}]}
        answer = caller.post("events/", {**told, "plan": plan}, status=400)
        assert [*answer["context"]["fields"]] == ["plan"]
        assert not Tournament.objects.filter(name="Odd").exists()

    @pytest.mark.parametrize("name", ["cube", "gammons", "backgammons"])
    def test_rules_that_a_best_of_games_does_not_read(self, desk: Desk, caller: Caller, name: str) -> None:
        event = desk.announce(a_plan("single-elimination"), 4)
        stage = {"format": "single-elimination"}
        play = {"gammons": True, "best_of": 3, name: True}
        told = {"act": "arrange", "plan": {"stages": [stage], "settings": {"play": play}}}
        fields = caller.post(f"events/{event.key}/acts/", told, status=400)["context"]["fields"]["plan"]
        assert {*fields["settings"]["play"]} == {name, "gammons"}
        assert fields["settings"]["play"][name][0]["code"] == "not_together"
        told["plan"] = {"stages": [{**stage, "rules": [{"round": -1, "play": play}]}]}
        fields = caller.post(f"events/{event.key}/acts/", told, status=400)["context"]["fields"]["plan"]
        assert {*fields["stages"]["0"]["rules"]["0"]["play"]} == {name, "gammons"}
        for accepted in ({"best_of": 3}, {"best_of": 3, name: False}, {"best_of": 0, name: True}):
            told["plan"] = {"stages": [stage], "settings": {"play": accepted}}
            caller.post(f"events/{event.key}/acts/", told)
        # What an event answers can be sent back.
        assert caller.get(f"events/{event.key}/")["play"]["cube"] is True
        told["plan"]["settings"]["play"] = {"best_of": 3}
        caller.post(f"events/{event.key}/acts/", told)
        told["plan"]["settings"]["play"] = caller.get(f"events/{event.key}/")["play"]
        caller.post(f"events/{event.key}/acts/", told)

    def test_match_rules_are_stored_as_they_are_sent(self, desk: Desk, caller: Caller) -> None:
        rules = [
            {"bracket": "main", "round": -1, "length": 7, "minutes_a_point": "3/2", "delay_seconds": 0},
            {"bracket": "consolation", "days": 3, "play": {"best_of": 3}},
        ]
        event = desk.announce(a_plan("single-elimination"), 4)
        act(caller, event, "arrange", plan={"stages": [{"format": "consolation", "rules": rules}]})
        assert event.stages.get().rules == rules

    @pytest.mark.parametrize(
        ("form", "bracket", "nearest", "options"),
        [
            ("single-elimination", "mian", "main", {}),
            ("single-elimination", "final", "", {}),
            ("single-elimination", "consolation", "", {}),
            ("single-elimination", "third-place", "", {}),
            ("single-elimination", "secnd", "second", {"sides": ["second: A"]}),
            ("consolation", "consolaton", "consolation", {}),
            ("last-chance", "last_chance", "last-chance", {}),
            ("double-elimination", "loser", "losers", {}),
            ("groups", "E", "", {"groups": 4}),
            ("round-robin", "main", "", {}),
            ("league", "playoff", "play-off", {}),
            ("swiss", "main", "", {}),
            ("lives", "play-off", "", {}),
        ],
    )
    def test_match_rules_of_a_bracket_that_the_format_does_not_have(
        self, desk: Desk, caller: Caller, form: str, bracket: str, nearest: str, options: dict[str, Any]
    ) -> None:
        event = desk.announce(a_plan("single-elimination"), 4)
        rules = [{"length": 5}, {"bracket": bracket, "length": 9}]
        plan = {"stages": [{"format": form, "options": options, "rules": rules}]}
        told = {"act": "arrange", "plan": plan}
        answer = caller.post(f"events/{event.key}/acts/", told, status=400)
        fields = answer["context"]["fields"]["plan"]["stages"]["0"]["rules"]["1"]
        assert [*fields] == ["bracket"]
        assert fields["bracket"][0]["code"] == "no_bracket"
        assert (f"“{nearest}”" in fields["bracket"][0]["message"]) == bool(nearest)
        new = {"club": desk.club.slug, "name": "Odd", "starts_at": timezone.now().isoformat()}
        assert caller.post("events/", {**new, "plan": plan}, status=400)
        assert not Tournament.objects.filter(name="Odd").exists()

    @pytest.mark.parametrize("form", FORMATS)
    def test_match_rules_of_every_bracket_that_is_played(self, desk: Desk, caller: Caller, form: str) -> None:
        event = desk.start(
            a_plan(form, third_place=True) if form == "single-elimination" else a_plan(form), 9
        )
        brackets = sorted({row.bracket for row in Pairing.objects.filter(tournament=event)})
        again = desk.announce(a_plan(form), 4)
        options = event.stages.get().options
        rules = [{"bracket": bracket, "length": 9} for bracket in ("", *brackets)]
        stage = {"format": form, "options": options, "rules": rules}
        act(caller, again, "arrange", plan={"stages": [stage]})
        assert again.stages.get().rules == rules

    @pytest.mark.parametrize(
        ("field", "text"),
        [
            ("name", "Club\nnight"),
            ("name", "Club\u202enight"),
            ("name", "..."),
            ("place", "Ha\u200bll"),
            ("about", "Bring\u202edice"),
        ],
    )
    def test_texts_that_a_page_refuses(self, desk: Desk, caller: Caller, field: str, text: str) -> None:
        told = {"club": desk.club.slug, "name": "Odd", "starts_at": timezone.now().isoformat()}
        answer = caller.post("events/", {**told, field: text}, status=400)
        assert [*answer["context"]["fields"]] == [field]

    @pytest.mark.parametrize(
        ("plan", "field"),
        [
            ({"rounds": 5}, "non_field_errors"),
            ({"settings": {"confirm_minutes": 10}}, "non_field_errors"),
            ({"template": "club-night", "rounds": 5}, "rounds"),
            ({"stages": [{"format": "swiss"}], "rounds": 5}, "rounds"),
        ],
    )
    def test_a_part_of_a_plan_that_would_not_be_read(
        self, desk: Desk, caller: Caller, plan: dict[str, Any], field: str
    ) -> None:
        told = {"club": desk.club.slug, "name": "Odd", "starts_at": timezone.now().isoformat()}
        answer = caller.post("events/", {**told, "plan": plan}, status=400)
        assert [*answer["context"]["fields"]["plan"]] == [field]

    @pytest.mark.parametrize("side", [{"third_place": True}, {"sides": ["second: A"]}])
    def test_a_plan_with_a_bracket_that_is_never_played(
        self, desk: Desk, caller: Caller, side: dict[str, Any]
    ) -> None:
        event = desk.announce(a_plan("single-elimination"), 4)
        stage = {"format": "single-elimination", "options": {"redraw": True, **side}}
        told = {"act": "arrange", "plan": {"stages": [stage]}}
        answer = caller.post(f"events/{event.key}/acts/", told, status=400)
        assert [*answer["context"]["fields"]] == ["plan"]
        assert event.stages.get().options == {}

    @pytest.mark.parametrize(
        "stage",
        [
            {"format": "league", "round_minutes": 60},
            {"format": "round-robin", "round_minutes": 60, "round_days": 7},
        ],
    )
    def test_a_plan_with_a_time_limit_that_a_round_cannot_have(
        self, desk: Desk, caller: Caller, stage: dict[str, Any]
    ) -> None:
        event = desk.announce(a_plan("round-robin"), 4)
        told = {"act": "arrange", "plan": {"stages": [stage]}}
        answer = caller.post(f"events/{event.key}/acts/", told, status=400)
        assert [*answer["context"]["fields"]] == ["plan"]
        assert event.stages.get().round_minutes is None

    @pytest.mark.parametrize(
        "second",
        [
            {"name": "a\nb", "takes": [{"stage": "first"}]},
            {"name": "..", "takes": [{"stage": "first"}]},
            {"name": "./b", "takes": [{"stage": "first"}]},
            {"name": "b", "takes": [{"first": 1}]},
            {"name": "b", "takes": [{"stage": "first", "first": 0}]},
            {"name": "b", "takes": [{"stage": "first", "last": "two"}]},
            {"name": "b", "takes": [{"stage": "first", "first": 4, "last": 2}]},
            {"name": "b", "takes": [{"stage": "another"}]},
        ],
    )
    def test_a_stage_that_no_page_could_show_or_that_takes_nobody(
        self, desk: Desk, caller: Caller, second: dict[str, Any]
    ) -> None:
        told = {"club": desk.club.slug, "name": "Odd", "starts_at": timezone.now().isoformat()}
        form = {"format": "single-elimination"}
        plan = {"stages": [{**form, "name": "first"}, {**form, **second}]}
        answer = caller.send("events/", {**told, "plan": plan})
        assert answer.status_code in {400, 409}
        assert not Tournament.objects.filter(name="Odd").exists()

    def test_a_repeated_request_is_carried_out_once(self, desk: Desk, caller: Caller) -> None:
        event = desk.start(a_plan("single-elimination"), 4)
        told = {"act": "result", "key": "main/1.1", "score": [5, 3]}
        first, again = (caller.post(f"events/{event.key}/acts/", told, key="the very same") for _ in range(2))
        assert first == again
        assert Ruling.objects.filter(act=RulingKind.ENTERED_RESULT).count() == 1
        other = {**told, "score": [3, 5]}
        refused = caller.post(f"events/{event.key}/acts/", other, key="the very same", status=422)
        assert refused["code"] == "idempotency_key_reused"

    def test_drafts_are_their_directors_own(self, desk: Desk, caller: Caller, otis: User) -> None:
        told = {"club": desk.club.slug, "name": "Secret", "starts_at": timezone.now().isoformat()}
        key = caller.post("events/", told, status=201)["key"]
        assert caller.get(f"events/{key}/")["status"] == "DRAFT"
        Caller(otis).get(f"events/{key}/", status=404)
        act(Caller(otis), key, "enter", status=404)

    @pytest.mark.long
    def test_a_round_in_draft_is_seen_by_directors_alone(
        self, desk: Desk, caller: Caller, otis: User
    ) -> None:
        plan = {"stages": [{"format": "swiss", "options": {"rounds": 2}, "pairs": "draft"}]}
        key = announced(caller, desk.club.slug, plan=plan)
        act(caller, key, "admit-named", names=["Ann", "Bo", "Cy", "Di"])
        act(caller, key, "publish-draw")
        seen = {who: len(who.list(f"events/{key}/pairings/")) for who in (caller, Caller(otis))}
        assert sorted(seen.values()) == [0, 2]
        act(caller, key, "publish-round", number=1)
        assert len(Caller(otis).list(f"events/{key}/pairings/")) == 2


class TestFiles:
    @pytest.fixture
    def swiss(self, desk: Desk) -> Tournament:
        event = desk.start(a_plan("swiss", rounds=3), 5)
        desk.play_out()
        return event

    def file(self, event: Tournament, name: str) -> str:
        answer = Client().get(f"/api/v1/events/{event.key}/{name}")
        assert answer.status_code == 200, answer.content
        return answer.content.decode()

    def rows(self, event: Tournament, name: str) -> list[dict[str, str]]:
        return list(csv.DictReader(io.StringIO(self.file(event, name))))

    @pytest.mark.long
    def test_tables(self, swiss: Tournament) -> None:
        results = self.rows(swiss, "results.csv")
        assert len(results) == Pairing.objects.filter(tournament=swiss, state="decided").count() == 6
        assert {row["winner"] in (row["a"], row["b"]) for row in results} == {True}
        places = [row["place"] for row in self.rows(swiss, "standings.csv")]
        assert places[0] == "1"
        finish = self.rows(swiss, "finish.csv")
        assert [row["name"] for row in finish][:1] == [self.rows(swiss, "standings.csv")[0]["name"]]
        assert len({row["player"] for row in finish}) == 5

    def test_results_have_neither_drafts_nor_what_is_not_drawn(self, desk: Desk) -> None:
        best = {"stage": "One", "first": 1, "last": 2}
        plan = a_plan(
            [
                StagePlan(format="swiss", name="One", options={"rounds": 1}, pairs="draft"),
                StagePlan(format="single-elimination", name="Two", takes=(best,), pairs="draft"),
            ]
        )
        event = desk.start(plan, 4)
        assert self.rows(event, "results.csv") == []
        desk.do(event_control.publish_round, stage=1, number=1)
        assert len(self.rows(event, "results.csv")) == 2
        for key in desk.pairs():
            desk.play(key)
        assert {row["stage"] for row in self.rows(event, "results.csv")} == {"One"}

    def test_whoever_has_the_file_pairs_it_again(self, swiss: Tournament) -> None:
        told = json.loads(self.file(swiss, "event.json"))
        event, names = event_input.read_event(told)
        assert {told["names"][name] for name in map(str, names.written)} == {
            f"Guest {n}" for n in range(1, 6)
        }
        assert (
            stages.propose(event).ranking == event_rows.compute_proposal(event_rows.load_rows(swiss)).ranking
        )

    def test_a_report_in_columns(self, swiss: Tournament) -> None:
        lines = self.file(swiss, "report.trf").splitlines()
        assert lines[:3] == ["012 Thursday", "062 5", "XXR 3"]
        players = [line for line in lines if line.startswith("001")]
        assert len(players) == 5
        for number, line in enumerate(players, start=1):
            assert (int(line[4:8]), line[14:21]) == (number, f"Guest {number}"[:7])
            points = float(line[80:84])
            cells = [line[91 + 10 * at : 99 + 10 * at] for at in range(3)]
            assert points == sum(cell[7] in "1U+" for cell in cells)
            for cell, at in zip(cells, range(3), strict=True):
                other = int(cell[:4])
                if other:
                    back = players[other - 1][91 + 10 * at : 99 + 10 * at]
                    assert int(back[:4]) == number
                    assert {cell[5], back[5]} == {"w", "b"}
                    assert {cell[7], back[7]} == {"1", "0"}

    @pytest.mark.long
    @pytest.mark.parametrize("name", ["=1+1", "|calc", "@x", "+4", "-4"])
    def test_no_name_is_a_formula_to_a_spreadsheet(self, desk: Desk, name: str) -> None:
        event = desk.start(a_plan("swiss", rounds=3), 4)
        Player.objects.filter(pk=desk.player(1).pk).update(name=name)
        desk.play_out()
        for file in ("results.csv", "standings.csv", "finish.csv"):
            cells = {cell for row in self.rows(event, file) for cell in row.values()}
            assert f"'{name}" in cells
            assert name not in cells
        players = [line for line in self.file(event, "report.trf").splitlines() if line.startswith("001")]
        assert players[0][14:].startswith(f"'{name} ")

    def test_a_report_has_the_points_of_the_standings(self, desk: Desk) -> None:
        """Of a Swiss with a play-off, in which a player has left an open match."""
        event = desk.start(a_plan("swiss", rounds=1, ties=["points", "play-off"]), 4)
        gone = desk.open()[-1].b
        desk.do(departures.withdraw_entry, entry=gone.number)
        desk.play_out()
        assert Pairing.objects.filter(tournament=event, key="playoff.1").exists()
        ranked = {row["name"]: float(row["points"]) for row in self.rows(event, "standings.csv")}

        lines = self.file(event, "report.trf").splitlines()

        assert lines[2] == "XXR 1"
        players = {line[14:47].strip(): line for line in lines if line.startswith("001")}
        assert {name: float(line[80:84]) for name, line in players.items()} == ranked
        assert sorted(line[98] for line in players.values()) == ["+", "-", "0", "1"]
        assert {len(line) for line in players.values()} == {99}

    def test_a_sheet_has_no_such_report(self, desk: Desk) -> None:
        event = desk.start(a_plan("single-elimination"), 4)
        answer = Client().get(f"/api/v1/events/{event.key}/report.trf")
        assert (answer.status_code, answer.json()["code"]) == (409, "no_trf")

    def test_before_the_draw_there_is_nothing(self, desk: Desk) -> None:
        event = desk.announce(a_plan("single-elimination"), 4)
        for name in ("event.json", "results.csv"):
            answer = Client().get(f"/api/v1/events/{event.key}/{name}")
            assert (answer.status_code, answer.json()["code"]) == (409, "not_drawn")

    @pytest.mark.parametrize("name", [name for name, *_file in FILES])
    def test_an_event_without_a_plan_has_no_files(self, desk: Desk, name: str) -> None:
        event = desk.announce(None, 2)
        places = {desk.player(number).key: number for number in (1, 2)}
        acts = [directing.start_event, partial(directing.record_finish, places=places)]
        for do in (None, *acts):
            if do is not None:
                desk.do(do)
            answer = Client().get(f"/api/v1/events/{event.key}/{name}")
            assert (answer.status_code, answer.json()["code"]) == (409, "not_played_here")


def test_who_may_act_on_a_public_event_is_known_without_a_search(desk: Desk, caller: Caller) -> None:
    key = announced(caller, desk.club.slug, plan={"template": "round-robin"})
    with CaptureQueriesContext(connection) as seen:
        act(caller, key, "admit-named", names=[f"Guest {chr(65 + number)}son" for number in range(16)])
    said = [each["sql"] for each in seen.captured_queries]
    assert len(said) <= 29
    assert not [each for each in said if "tournaments_tournament" in each and "players_membership" in each]


def test_every_act_is_described(client: Client) -> None:
    schema = client.get("/api/v1/schema/", headers={"Accept": "application/json"}).json()
    named = schema["components"]["schemas"]["EventAct"]["discriminator"]["mapping"]
    assert set(named) == set(ACTS)
    for address in named.values():
        assert schema["components"]["schemas"][address.rpartition("/")[2]]["properties"]["act"]["enum"]
