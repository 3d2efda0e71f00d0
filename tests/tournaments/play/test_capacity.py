"""Limits on the number of names, at every way to enter them and before the draw: no event stops the site."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from draw.formats import FORMATS
from players.clubs import clubs, merging
from players.models import Player
from tests.matches.http import Caller
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.base import pasted_lists
from tournaments.base.errors import BadPlan, PlanTooLarge, TooManyApart, TooManyPlayers
from tournaments.base.settings import Settings
from tournaments.models import Entry, Pairing, Stage
from tournaments.plan import drawing, setup
from tournaments.plan.plan_shapes import SettingsShape
from tournaments.plan.templates import TEMPLATES, StagePlan
from tournaments.play import (
    arrivals,
    capacity,
    constraints,
    directing,
    door,
    entering,
    event_control,
    openings,
    pairing_jobs,
    pasting,
    preview,
)

pytestmark = pytest.mark.django_db

MOST = 64


def crowd(desk: Desk, players: int) -> None:
    """Have so many entered, as an event may hold them from before there were limits."""
    last = Entry.objects.filter(tournament=desk.event).count()
    people = Player.objects.bulk_create(
        Player(name=f"Visitor {number}", created_at=desk.now) for number in range(last + 1, players + 1)
    )
    Entry.objects.bulk_create(
        Entry(tournament=desk.event, player=player, number=number, entered_at=desk.now)
        for number, player in enumerate(people, last + 1)
    )


def limit(desk: Desk) -> int:
    return capacity.find_most_players(desk.event)


@pytest.mark.parametrize("template", TEMPLATES)
def test_every_template_has_a_limit_at_which_the_next_is_refused(desk: Desk, template: str) -> None:
    plan = TEMPLATES[template].plan(5, TEMPLATES[template].rounds)
    desk.announce(plan)
    most = limit(desk)
    assert MOST <= most <= 1_024
    crowd(desk, most)

    with pytest.raises(TooManyPlayers) as refused:
        desk.do(directing.admit_guest, name="One Too Many")
    assert str(most) in str(refused.value)
    assert not Player.objects.filter(name="One Too Many").exists()


@pytest.mark.parametrize("form", FORMATS)
def test_no_format_is_drawn_for_more_than_it_can_be_played_by(desk: Desk, form: str) -> None:
    desk.announce(a_plan(form))
    crowd(desk, limit(desk) + 1)

    for act in (drawing.preview, drawing.publish):
        with pytest.raises(TooManyPlayers) as refused:
            desk.do(act)
        assert refused.value.code == "too_many_players"
    assert not Pairing.objects.filter(tournament=desk.event).exists()


def test_a_round_robin_of_four_hundred_is_refused_at_every_door(
    desk: Desk, sign_up: Callable[[str], Any]
) -> None:
    desk.announce(a_plan("round-robin"))
    names = [f"Guest {number}" for number in range(400)]
    lines = pasted_lists.parse_list("\n".join(names[:200]))

    with pytest.raises(TooManyPlayers):
        desk.do(directing.admit_named, names=names)
    with pytest.raises(TooManyPlayers):
        desk.do(pasting.enter_list, lines=lines)
    crowd(desk, MOST)
    with pytest.raises(TooManyPlayers):
        desk.do(directing.admit_named, names=["One More"])
    late = sign_up("Lena Late")
    request = door.request_entry(tournament_id=desk.pk, name="", account=late.player, before="", now=desk.now)
    with pytest.raises(TooManyPlayers):
        desk.do(door.accept_request, request_key=request.key, player_key=late.player.key)
    clubs.join(club=desk.club, player=late.player, now=desk.now)
    with pytest.raises(TooManyPlayers):
        entering.enter_own_player(tournament_id=desk.pk, user=late, now=desk.now)
    with pytest.raises(TooManyPlayers):
        desk.do(directing.admit_members, player_keys=[late.player.key])
    assert Entry.objects.filter(tournament=desk.event).count() == MOST


def test_a_waiting_list_has_an_end_and_is_no_way_into_a_round_robin(desk: Desk) -> None:
    desk.announce(a_plan("round-robin", Settings(has_waiting_list=True)), capacity=100)
    crowd(desk, MOST)
    with pytest.raises(TooManyPlayers):
        desk.do(directing.admit_guest, name="One More")

    desk.announce(a_plan("single-elimination", Settings(has_waiting_list=True)), capacity=2)
    desk.do(directing.admit_named, names=["A B", "C D", "E F"])
    assert Entry.objects.filter(tournament=desk.event, waits=True).count() == 1


def test_the_place_of_two_entries_that_become_one_goes_to_the_first_who_waits(desk: Desk) -> None:
    desk.announce(a_plan("single-elimination", Settings(has_waiting_list=True)), 4, capacity=2)

    merging.merge_guest(kept=desk.player(1), dropped=desk.player(2), by=desk.director, now=desk.now)

    waits = dict(Entry.objects.filter(tournament=desk.event).values_list("number", "waits"))
    assert waits == {1: False, 3: False, 4: True}


def test_a_plan_is_refused_that_those_who_have_entered_cannot_play(desk: Desk) -> None:
    desk.announce(a_plan("swiss", rounds=5))
    crowd(desk, 100)

    for plan in (a_plan("round-robin"), a_plan("league"), a_plan("groups", groups=1)):
        with pytest.raises(TooManyPlayers):
            desk.do(setup.arrange, plan=plan)
    desk.do(setup.arrange, plan=a_plan("groups", size=4))
    assert Stage.objects.get(tournament=desk.event).format == "groups"


@pytest.mark.parametrize(
    ("form", "option"),
    [("round-robin", "times"), ("groups", "times"), ("swiss", "rounds"), ("lives", "lives")],
)
def test_a_plan_that_is_too_large_for_two_is_refused_before_it_is_tried(
    desk: Desk, form: str, option: str
) -> None:
    huge: dict[str, Any] = {option: 10**9}
    with pytest.raises((BadPlan, PlanTooLarge)):
        desk.announce(a_plan(form, **huge))


def test_what_a_later_stage_takes_counts(desk: Desk) -> None:
    groups = StagePlan(format="swiss", name="Swiss", options={"rounds": 5})
    final = StagePlan(
        format="round-robin", name="Final", takes=({"stage": "Swiss", "first": 1, "last": None},)
    )
    desk.announce(a_plan((groups, final)))

    assert limit(desk) == MOST


@pytest.mark.long
def test_nobody_comes_late_to_a_circle_that_is_full_and_no_round_is_too_many(desk: Desk) -> None:
    desk.start(a_plan("league"), MOST)
    pairing_jobs.pair_event(tournament_id=desk.pk, now=desk.now)
    with pytest.raises(TooManyPlayers):
        desk.do(arrivals.enter_latecomer, name="Lena Late")
    with pytest.raises(TooManyPlayers):
        preview.preview_act(desk.pk, lambda: desk.do(arrivals.enter_latecomer, name="Lena Late"))

    assert Entry.objects.filter(tournament=desk.event).count() == MOST


def test_the_ways_in_for_a_latecomer_are_found_before_the_event_is_held(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.start(a_plan("groups", size=4), 8)
    depth, honest = len(connection.savepoint_ids), openings.list_openings
    held: list[bool] = []

    def watched(*what: Any, **more: Any) -> Any:
        held.append(len(connection.savepoint_ids) > depth)
        return honest(*what, **more)

    monkeypatch.setattr(openings, "list_openings", watched)
    desk.do(arrivals.enter_latecomer, name="Lena Late")
    assert held == [False]

    # The openings are computed again under the lock if the event has changed in between.
    look = arrivals._compute_openings

    def overtaken(*what: Any) -> Any:
        seen = look(*what)
        desk.play(next(iter(desk.pairs())))
        return seen

    monkeypatch.setattr(arrivals, "_compute_openings", overtaken)
    desk.do(arrivals.enter_latecomer, name="Lars Later")
    assert held == [False, False, True]


def test_there_is_an_end_to_groups_that_are_kept_apart(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constraints, "MOST_APART", 2)
    desk.announce(a_plan("swiss", rounds=3), 6)
    desk.do(constraints.keep_apart, members=[1, 2])
    desk.do(constraints.keep_apart, members=[3, 4])

    with pytest.raises(TooManyApart):
        desk.do(constraints.keep_apart, members=[5, 6])
    desk.do(constraints.keep_apart, members=[3, 4], hard=False)
    assert len(desk.fresh().apart) == 2


def test_steps_of_lateness_have_an_end() -> None:
    steps = [[minute, 1] for minute in range(1, 500)]
    shape = SettingsShape(data={"lateness": steps})

    assert not shape.is_valid()
    assert "lateness" in shape.errors


def test_an_event_that_is_too_large_already_goes_on(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.start(a_plan("swiss", rounds=3), 8)
    monkeypatch.setattr(capacity, "find_most_players", lambda *_: 6)

    desk.do(event_control.pause_event)
    desk.do(event_control.resume_event)
    desk.play(next(iter(desk.pairs())))
    with pytest.raises(TooManyPlayers):
        desk.do(arrivals.enter_latecomer, name="Lena Late")


def test_the_api_refuses_with_a_code_that_names_the_limit(desk: Desk) -> None:
    caller = Caller(desk.director)
    desk.announce(a_plan("round-robin"))
    crowd(desk, MOST)

    answer = caller.post(
        f"events/{desk.event.key}/acts/", {"act": "admit-named", "names": ["One More"]}, status=409
    )

    assert answer["code"] == "too_many_players"
    assert str(MOST) in answer["title"]
