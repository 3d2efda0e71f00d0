"""One table of acts: the pages, the API, its document and the rulings read it, and no act is written down twice."""

from __future__ import annotations

import inspect
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client
from django.urls import NoReverseMatch, reverse
from django.utils import timezone, translation

from money import urls as money_urls
from tests import access
from tests.matches.http import Caller
from tests.tournaments.event_desk import Desk, a_plan
from tournaments import urls as tournament_urls
from tournaments.base import act_fields
from tournaments.desk import acts_api as api
from tournaments.desk.acts import ACTS, list_event_acts, list_match_acts, map_page_acts
from tournaments.desk.acts.act import Act, Actor
from tournaments.models import RulingKind
from tournaments.models.rulings import REASONED
from venue import urls as venue_urls

# The rulings that acts leave.
RULINGS: dict[str, set[RulingKind]] = {
    "leave": {RulingKind.WITHDREW},
    "publish": {RulingKind.ANNOUNCED},
    "admit": {RulingKind.ADMITTED},
    "admit-named": {RulingKind.ADMITTED},
    "take-out": {RulingKind.REMOVED},
    "check-in-for": {RulingKind.CHECKED_IN},
    "describe": {RulingKind.EDITED},
    "arrange": {RulingKind.EDITED},
    "preview-draw": {RulingKind.DREW, RulingKind.DREW_AGAIN},
    "swap-lines": {RulingKind.SWAPPED},
    "draw-by-hand": {RulingKind.DREW},
    "publish-draw": {RulingKind.PUBLISHED_DRAW},
    "result": {RulingKind.ENTERED_RESULT},
    "rule": {RulingKind.RULED},
    "call": {RulingKind.CALLED},
    "late": {RulingKind.PENALISED},
    "walkover": {RulingKind.WALKOVER},
    "forfeit": {RulingKind.FORFEIT},
    "no-show": {RulingKind.NO_SHOW},
    "double-forfeit": {RulingKind.DOUBLE_FORFEIT},
    "void": {RulingKind.VOIDED},
    "correct": {RulingKind.CORRECTED},
    "late-entry": {RulingKind.LATE_ENTRY},
    "note-latecomer": {RulingKind.NOTED_LATE},
    "withdraw": {RulingKind.WITHDREW},
    "disqualify": {RulingKind.DISQUALIFIED},
    "substitute": {RulingKind.SUBSTITUTED},
    "exchange": {RulingKind.EXCHANGED},
    "away": {RulingKind.MARKED_AWAY},
    "back": {RulingKind.MARKED_AWAY},
    "ask-bye": {RulingKind.GAVE_BYE},
    "unask-bye": {RulingKind.TOOK_BYE_BACK},
    "keep-apart": {RulingKind.KEPT_APART},
    "release": {RulingKind.RELEASED},
    "start": {RulingKind.STARTED},
    "finish": {RulingKind.FINISHED},
    "pause": {RulingKind.PAUSED},
    "resume": {RulingKind.RESUMED},
    "add-round": {RulingKind.ADDED_ROUND},
    "break-ties": {RulingKind.BREAKS_TIES},
    "publish-round": {RulingKind.PUBLISHED_ROUND},
    "restore": {RulingKind.RESTORED},
    "take-back": {RulingKind.RESTORED},
    "approve": {RulingKind.APPROVED},
    "end-early": {RulingKind.ENDED_EARLY},
    "cancel": {RulingKind.CANCELLED},
    "reopen": {RulingKind.REOPENED},
    "archive": {RulingKind.ARCHIVED},
}
# Acts that leave no ruling, and why.
UNRECORDED = {
    "enter": "the entry says it",
    "cancel-entry": "the entry says it",
    "check-in": "the entry says it",
    "propose-times": "the appointment says it",
    "accept-time": "the appointment says it",
    "decline-times": "the appointment says it",
    "take-times-back": "the appointment says it",
    "cancel-appointment": "the appointment says it",
    "report": "the report says it",
    "confirm": "the report says it",
    "dispute": "the report says it",
    "open-board": "the match on the board says it",
    "here": "who is at the board is nothing to take back",
}
# Forms of the directors' pages of an event that are no acts, and what a program sends.
OTHERWISE = {
    "tournaments:act": "the act that the address names",
    "tournaments:admit_guest": "the act `admit-named`",
    "tournaments:decide_tie": "the act `break-ties`",
    "tournaments:drafted_round": "the act `publish-round`",
    "tournaments:edit": "`PATCH` of the event",
    "tournaments:enter_result": "the act `result`",
    "tournaments:games": "the act `result` with its games",
    "tournaments:has_come": "the act `note-latecomer`",
    "money:terms": "`PUT` of the money",
    "money:open_pool": "`POST` to its pools",
    "money:auction_terms": "`PUT` of the auction",
    "money:auction_put_up": "`POST` to its lots",
    **dict.fromkeys(
        (f"money:{name}" for name in ("pay", "pay_out", "spend", "split", "stake", "take_back")),
        "`POST` to the lines of the money",
    ),
    **dict.fromkeys(
        (f"money:auction_{name}" for name in ("buy_back", "pay", "pay_out", "sell", "take_back")),
        "`POST` to the lines of the auction",
    ),
    "venue:call_next": "`POST` to the calls of the room",
    "venue:change_stream": "`PUT` of the stream of the room",
    "venue:change_table": "`PATCH` of the table, or the act `here`",
    "venue:drop_break": "`PUT` of the breaks",
    "venue:plan_break": "`PUT` of the breaks",
    "venue:move": "`POST` to the calls of the room",
    "venue:discard_rehearsal": "`DELETE` of the rehearsal",
    "venue:play_rehearsal": "`POST` to the rehearsal",
    "venue:rehearse": "`POST` to the rehearsal",
}
# Those that the API has not: docs/api.md lists them under "Only on pages".
ONLY_ON_PAGES = {
    "tournaments:clone",
    "tournaments:discard",
    "tournaments:helpers",
    "tournaments:let_in",
    "tournaments:pair",
    "tournaments:roster_columns",
    "tournaments:roster_file",
    "tournaments:take_back_helper",
    "tournaments:take_out_pasted",
    "tournaments:turn_away",
    "money:auction_call_off",
    "money:auction_take_down",
    "money:close_pool",
    "money:drop",
    "venue:event_room",
}
# A new draw needs a reason only if there was a draw before.
SOMETIMES = {RulingKind.DREW_AGAIN}
# Acts of which the service writes down the reason: there is but one.
ALWAYS_THE_SAME = {"take-back"}

every_act = pytest.mark.parametrize("act", list(ACTS.values()), ids=lambda act: act.name)


def page_of(act: Act) -> str:
    return "act" if act.title else act.name.replace("-", "_")


def has_address(page: str) -> bool:
    """True if an event has a page of this name."""
    more: tuple[dict[str, object], ...] = ({}, {"name": "x"}, {"entry": 1}, {"ruling": 1})
    for one in more:
        try:
            reverse(f"tournaments:{page}", kwargs={"key": "0123456789", **one})
        except NoReverseMatch:
            continue
        return True
    return False


def test_a_name_is_one_act() -> None:
    assert Counter(act.name for act in ACTS.values()).most_common(1)[0][1] == 1
    assert {*map_page_acts()} == {act.name for act in (*list_match_acts(), *list_event_acts())}


@every_act
def test_a_page_does_what_a_program_can_do(act: Act) -> None:
    """There is no act without a page: the page of all acts does those with a title, any other has its own."""
    assert has_address(page_of(act))


def test_a_program_can_do_what_a_page_of_an_event_does_but_for_what_the_document_lists() -> None:
    """A new form of the directors is an act, has an address of the API, or is added to docs/api.md."""
    of_events = {
        f"{urls.app_name}:{each.name}"
        for urls in (tournament_urls, money_urls, venue_urls)
        for each in urls.urlpatterns
        if str(each.pattern).startswith("events/")
    }
    forms = {
        row.address
        for row in access.rows()
        if row.method == "POST"
        and row.meets["member"] in {"403", "404"}
        and row.meets["director"] not in {"403", "405"}
    }
    acts = {f"tournaments:{page_of(act)}" for act in ACTS.values() if not act.title}

    assert (forms & of_events) - acts == {*OTHERWISE} | ONLY_ON_PAGES


@every_act
def test_the_service_takes_the_fields_by_their_names(act: Act) -> None:
    takes = inspect.signature(act.service).parameters
    is_open = any(one.kind is one.VAR_KEYWORD for one in takes.values())
    given = {"tournament_id", "now", "user" if act.who is Actor.PLAYER else "by"} | {
        field.name for field in act.fields
    }

    assert is_open or given <= {*takes}
    needed = {
        name for name, one in takes.items() if one.kind is one.KEYWORD_ONLY and one.default is one.empty
    }
    assert needed <= given
    assert {*act.one_of} <= given


@every_act
def test_what_pages_do_not_ask_for_can_be_left_out(act: Act) -> None:
    asked = [field for field in act.fields if not field.label and not isinstance(field, act_fields.Key)]
    if act.title:
        assert [field.name for field in asked if field.is_needed] == []


@pytest.mark.parametrize("kind", RulingKind)
@pytest.mark.parametrize("language", ["en", "de"])
def test_a_ruling_has_words_in_every_language(kind: RulingKind, language: str) -> None:
    with translation.override(language):
        assert str(kind.label).strip()


def test_every_act_leaves_a_ruling_and_every_ruling_is_of_an_act() -> None:
    assert {*RULINGS} == {*ACTS} - {*UNRECORDED}
    assert {*RulingKind} == {kind for kinds in RULINGS.values() for kind in kinds}


@every_act
def test_what_undoes_something_asks_why(act: Act) -> None:
    """The database keeps no such ruling without a reason."""
    leaves = RULINGS.get(act.name, set())
    if leaves & ({*REASONED} - SOMETIMES) and act.name not in ALWAYS_THE_SAME:
        assert act_fields.NEEDED_REASON in act.fields
    if leaves & SOMETIMES:
        assert act_fields.REASON in act.fields


@every_act
def test_what_is_done_at_once_is_no_danger(act: Act) -> None:
    assert not (act.is_at_once and act.is_danger)
    assert not act.is_at_once or act_fields.NEEDED_REASON not in act.fields


@pytest.mark.long
@pytest.mark.share
def test_the_document_is_made_of_the_table(client: Client) -> None:
    schema = client.get("/api/v1/schema/", headers={"Accept": "application/json"}).json()
    shapes = schema["components"]["schemas"]
    mapping = shapes["EventAct"]["discriminator"]["mapping"]
    assert {*mapping} == {*ACTS}
    for name, address in mapping.items():
        told, act = shapes[address.rpartition("/")[2]], ACTS[name]
        assert told["description"] == api.describe_act(act)
        assert {*told["properties"]} == {field.name for field in act.fields} | {"act", "expects", "preview"}
        assert {*told["required"]} == {"act"} | {field.name for field in act.fields if field.is_needed}
        expects = told["properties"]["expects"]["allOf"][0]["$ref"].rpartition("/")[2]
        assert expects == ("MatchExpects" if act.is_of_match else "Expects")
        stays = [field.name for field in act.fields if field.default is act_fields.UNCHANGED]
        assert not any("default" in told["properties"][field] for field in stays)


def test_what_is_left_out_of_the_description_of_a_player_stays(db: None) -> None:
    desk = Desk(timezone.now())
    desk.announce(a_plan("single-elimination"), 2)
    said = {"seed": 1, "pot": 2, "club": "Bern", "family": "Abel", "rating": 1500.0}
    caller, at = Caller(desk.director), f"events/{desk.event.key}/acts/"
    caller.post(at, {"act": "describe", "entry": 1, **said})

    entries = f"events/{desk.event.key}/entries/"
    assert said.items() <= caller.list(entries)[0].items()
    assert not {"club", "family", "pot"} & Caller(None).list(entries)[0].keys()

    caller.post(at, {"act": "describe", "entry": 1, "rating": 1612.5})
    row = desk.entry(1)
    assert {name: getattr(row, name) for name in said} == {**said, "rating": 1612.5}
    assert desk.ruling().data == {"entry": 1, "rating": 1612.5}

    caller.post(at, {"act": "describe", "entry": 1, "seed": None, "club": ""})
    row = desk.entry(1)
    assert {name: getattr(row, name) for name in said} == {**said, "rating": 1612.5, "seed": None, "club": ""}

    rulings = desk.event.rulings.count()
    caller.post(at, {"act": "describe", "entry": 1})
    assert desk.event.rulings.count() == rulings


@pytest.mark.parametrize(
    ("act", "field"),
    [
        ({"act": "rule", "decision": "void", "score": [5, 1]}, "score"),
        ({"act": "rule", "decision": "forfeit", "entry": 1, "winner": 2}, "winner"),
        ({"act": "rule", "score": [5, 1], "entry": 1}, "entry"),
        ({"act": "rule", "score": [5, 1], "position": "XGID="}, "position"),
        ({"act": "correct", "kind": "walkover", "winner": 1, "score": [5, 1]}, "score"),
        ({"act": "correct", "kind": "", "winner": 1}, "winner"),
        ({"act": "substitute", "entry": 1, "player_key": "k3x", "name": "Ann"}, "name"),
    ],
)
def test_a_field_that_would_not_be_read_is_refused(db: None, act: dict[str, Any], field: str) -> None:
    desk = Desk(timezone.now())
    desk.start(a_plan("single-elimination"), 2)
    said = act if act["act"] == "substitute" else {**act, "key": "main/1.1"}
    told = Caller(desk.director).post(f"events/{desk.event.key}/acts/", {**said, "reason": "so"}, status=400)
    assert {name: [one["code"] for one in each] for name, each in told["context"]["fields"].items()} == {
        field: ["not_together"]
    }


def test_the_preview_of_a_draws_publication_says_who_meets_whom(db: None) -> None:
    desk = Desk(timezone.now())
    desk.announce(a_plan("swiss", rounds=2), 5)
    caller, at = Caller(desk.director), f"events/{desk.event.key}/"
    act = {"act": "publish-draw"}

    caller.post(f"{at}acts/", {"act": "preview-draw"})
    ripple = caller.post(f"{at}acts/", {**act, "preview": True})["ripple"]
    caller.post(f"{at}acts/", act)
    made = {
        row["key"]: [row[side]["entry"] for side in "ab" if row[side]["entry"]]
        for row in caller.list(f"{at}pairings/")
    }
    assert {row["key"]: row["after"] for row in ripple} == made
    assert [row["change"] for row in ripple] == ["arises", "arises", "passes"]


def test_a_match_that_is_called_again_without_a_table_stays_at_its_table(db: None) -> None:
    desk = Desk(timezone.now())
    desk.start(a_plan("single-elimination"), 2)
    caller, at = Caller(desk.director), f"events/{desk.event.key}/acts/"
    call = {"act": "call", "key": "main/1.1"}

    for fields, table in (({}, ""), ({"table": "3"}, "3"), ({}, "3"), ({"table": ""}, "")):
        caller.post(at, {**call, **fields})
        assert desk.row("main/1.1").table == table


def test_a_plan_leaves_the_directors_own_words_for_the_format(db: None) -> None:
    desk = Desk(timezone.now())
    desk.announce(replace(a_plan("single-elimination"), format_label="Knock-out, as in 1974"), 2)
    caller = Caller(desk.director)

    caller.post(f"events/{desk.event.key}/acts/", {"act": "arrange", "plan": {"template": "swiss"}})

    assert [stage.format for stage in desk.event.stages.all()] == ["swiss"]
    assert desk.fresh().format_label == "Knock-out, as in 1974"


def test_pages_of_acts_are_in_the_table_of_access() -> None:
    listed = {row.address for row in access.rows()}

    assert {f"tournaments:{page_of(act)}" for act in ACTS.values()} <= listed
