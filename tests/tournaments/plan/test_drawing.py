"""Before the first match: plans, entries, check-in, the draw looked at and published."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from draw import stages
from draw.event import Field, Proposal
from draw.seeding import is_committed
from players.keys import new_key
from players.models import Notice
from runtime.models import TopicEvent
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.base import bracket_cache, event_rows, pasted_lists
from tournaments.base.errors import (
    AlreadyDone,
    AlreadyDrawn,
    BadLines,
    BadPlan,
    EntriesClosed,
    EventFull,
    HasBegun,
    HasStages,
    NotCheckedIn,
    NotFinished,
    ReasonNeeded,
    StageWaits,
    TiesUndecided,
    TooFewEntries,
)
from tournaments.base.settings import Settings
from tournaments.models import Draw, Entry, Pairing, PairingState, Round, RulingKind
from tournaments.plan import draw_pages, drawing, planning, setup
from tournaments.plan.templates import TEMPLATES, Plan, StagePlan
from tournaments.play import directing, door, entering, event_control, pasting, progress
from tournaments.status import Status

# -- plans


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(TEMPLATES))
def test_every_template_can_be_played(desk: Desk, name: str) -> None:
    template = TEMPLATES[name]
    plan = template.plan(template.length, template.rounds)
    desk.announce(plan, 9)
    everybody = list(range(1, 10))
    desk.do(entering.check_in_entries, entries=everybody)

    desk.do(drawing.publish)
    desk.play_out()

    assert planning.load_plan(desk.event) == plan


def test_consolation_and_final_have_lengths_of_their_own(desk: Desk) -> None:
    desk.announce(TEMPLATES["weekend"].plan(9, 0), 16)
    desk.do(entering.check_in_entries, entries=list(range(1, 17)))
    desk.do(drawing.publish)

    lengths = {row.key: row.length for row in desk.event.pairings.all()}

    assert (lengths["main/1.1"], lengths["main/4.1"]) == (9, 13)
    assert (lengths["consolation/1.1"], lengths["last-chance/1.1"]) == (7, 5)


@pytest.mark.parametrize(
    "plan",
    [
        a_plan("chess"),
        a_plan("swiss", rounds="three"),
        a_plan("swiss", lives=3),
        a_plan("progressive-consolation", consolation="A.B.C.D.E."),
        a_plan("swiss", Settings(lateness=((10, 1), (5, 2)))),
        a_plan("swiss", Settings(lateness=((5, None), (10, 2)))),
        a_plan([StagePlan(format="swiss"), StagePlan(format="swiss")]),
        a_plan(
            [
                StagePlan(format="swiss", name="a", takes=({"stage": "b"},)),
                StagePlan(format="swiss", name="b"),
            ]
        ),
    ],
)
def test_what_cannot_be_played_is_no_plan(desk: Desk, plan: Plan) -> None:
    with pytest.raises(BadPlan):
        desk.announce(plan)


def test_what_a_stage_waits_for_has_an_end(desk: Desk) -> None:
    """A Swiss without a number of rounds goes on for as long as anybody plays (P50): nothing can follow it."""
    cup = StagePlan(format="single-elimination", name="cup", takes=({"stage": "swiss", "last": 2},))
    with pytest.raises(BadPlan, match="cup waits for the end of swiss"):
        desk.announce(a_plan([StagePlan(format="swiss", name="swiss"), cup]))

    desk.start(a_plan([StagePlan(format="swiss", name="swiss", options={"rounds": 1}), cup]), 4)
    desk.play_out()


@pytest.mark.long
def test_a_swiss_alone_goes_on_until_its_director_ends_it(desk: Desk) -> None:
    desk.start(a_plan("swiss"), 4)
    for _ in range(4):
        for key in desk.pairs():
            desk.play(key)
    assert desk.open()

    desk.do(event_control.end_event_early, reason="The last bus")

    assert desk.fresh().status == Status.FINISHED


def test_a_clone_has_all_settings_and_another_lot(desk: Desk) -> None:
    closes = desk.now + timedelta(minutes=30)
    plan = TEMPLATES["club-night"].plan(7, 0)
    plan = replace(plan, settings=replace(plan.settings, entries_close_at=closes))
    first = desk.announce(plan, capacity=16)

    again = desk.do(setup.clone, key=new_key())

    made = planning.load_plan(again)
    assert made is not None
    later = again.starts_at - first.starts_at
    assert made == replace(plan, settings=replace(plan.settings, entries_close_at=closes + later))
    assert again.seed != first.seed
    assert again.capacity == 16


def test_the_plan_may_change_until_the_draw(desk: Desk) -> None:
    desk.announce(a_plan("swiss", rounds=3), 6)
    desk.do(setup.arrange, plan=a_plan("single-elimination"))
    desk.do(drawing.publish)

    assert set(desk.pairs()) == {"main/1.2", "main/1.4"} or len(desk.pairs()) == 2
    with pytest.raises(AlreadyDrawn):
        desk.do(setup.arrange, plan=a_plan("swiss", rounds=3))
    with pytest.raises(AlreadyDrawn):
        desk.do(setup.edit, details=replace(setup.build_details(desk.fresh()), match_length=11))


def test_only_what_is_over_is_put_away(desk: Desk) -> None:
    desk.start(a_plan("single-elimination"), 4)
    with pytest.raises(NotFinished):
        desk.do(setup.archive)
    desk.play_out()
    desk.do(setup.archive)

    with pytest.raises(AlreadyDone):
        desk.do(setup.archive)


def test_an_event_that_is_played_here_is_not_started_or_finished_by_hand(desk: Desk) -> None:
    desk.announce(a_plan("single-elimination"), 4)

    with pytest.raises(HasStages):
        desk.do(directing.start_event)
    desk.do(drawing.publish)
    with pytest.raises(HasStages):
        desk.do(directing.record_finish, places={})
    with pytest.raises(HasBegun):
        desk.do(directing.admit_guest, name="Too late")


# -- entries


def test_who_finds_no_place_waits_and_moves_up(desk: Desk) -> None:
    users = [desk.member(name) for name in ("Ann", "Ben", "Cid", "Dee")]
    desk.announce(a_plan("single-elimination", Settings(has_waiting_list=True)), capacity=2)
    entries = [entering.enter_own_player(tournament_id=desk.pk, user=user, now=desk.now) for user in users]
    assert [entry.waits for entry in entries] == [False, False, True, True]

    entering.cancel_entry(tournament_id=desk.pk, user=users[0], now=desk.now)

    assert [desk.entry(number).waits for number in (2, 3)] == [False, False]
    assert desk.entry(4).waits
    assert Notice.objects.filter(user=users[2], text__contains="There is a place for you").count() == 1
    desk.do(setup.edit, details=replace(setup.build_details(desk.fresh()), capacity=3))
    assert not desk.entry(4).waits


def test_a_list_that_is_taken_back_offers_its_own_players_no_place(desk: Desk) -> None:
    names = ["Ann", "Ben", "Cid", "Dee"]
    users = [desk.member(name) for name in names]
    desk.announce(a_plan("single-elimination", Settings(has_waiting_list=True)), capacity=2)
    done = desk.do(pasting.enter_list, lines=pasted_lists.parse_list("\n".join(names)))
    assert [desk.entry(number).waits for number in (1, 2, 3, 4)] == [False, False, True, True]
    late = desk.member("Eve")
    entering.enter_own_player(tournament_id=desk.pk, user=late, now=desk.now)

    desk.do(pasting.undo_list, fresh=done.fresh, made=done.made, ticked=done.ticked)

    there = Entry.objects.filter(tournament=desk.event, withdrawn_at__isnull=True)
    assert [(one.player.name, one.waits) for one in there.select_related("player")] == [("Eve", False)]
    offers = Notice.objects.filter(text__contains="There is a place for you")
    assert [offers.filter(user=user).count() for user in (*users, late)] == [0, 0, 0, 0, 1]


def test_the_guests_of_a_list_that_is_taken_back_leave_the_open_pages_of_the_club(desk: Desk) -> None:
    desk.announce(a_plan("single-elimination"))
    done = desk.do(pasting.enter_list, lines=pasted_lists.parse_list("Ann\nBen"))
    told = TopicEvent.objects.filter(topic=f"club.{desk.club.slug}", name="members")
    before = told.count()
    desk.do(pasting.undo_list, fresh=done.fresh, made=done.made, ticked=done.ticked)
    assert not desk.club.memberships.filter(player__user=None).exists()
    assert told.count() == before + 1


def test_a_draft_that_gets_more_places_notifies_no_players(desk: Desk) -> None:
    user = desk.member("Ann")
    desk.event = setup.draft(
        club=desk.club,
        by=desk.director,
        key=new_key(),
        details=setup.Details(name="Thursday", starts_at=desk.now, capacity=2),
        now=desk.now,
        plan=a_plan("single-elimination", Settings(has_waiting_list=True)),
    )
    desk.do(directing.admit_named, names=["Guest 1", "Guest 2", "Ann"])
    assert desk.entry(3).waits

    desk.do(setup.edit, details=replace(setup.build_details(desk.fresh()), capacity=3))

    assert not desk.entry(3).waits
    assert not Notice.objects.filter(user=user).exists()


def test_without_a_waiting_list_full_is_full(desk: Desk) -> None:
    desk.announce(a_plan("single-elimination"), 2, capacity=2)

    with pytest.raises(EventFull):
        entering.enter_own_player(tournament_id=desk.pk, user=desk.member("Ann"), now=desk.now)


def test_who_is_only_waiting_is_not_drawn(desk: Desk) -> None:
    desk.announce(a_plan("single-elimination", Settings(has_waiting_list=True)), 6, capacity=4)

    desk.do(drawing.publish)

    assert {one for two in desk.pairs().values() for one in two} == {1, 2, 3, 4}
    assert Entry.objects.filter(tournament=desk.event, waits=True, withdrawn_at__isnull=True).count() == 2


def test_entries_close_when_it_was_said(desk: Desk) -> None:
    closes = desk.now + timedelta(minutes=30)
    desk.announce(a_plan("single-elimination", Settings(entries_close_at=closes)))
    ann = desk.member("Ann")

    with pytest.raises(EntriesClosed):
        entering.enter_own_player(tournament_id=desk.pk, user=ann, now=closes)
    entering.enter_own_player(tournament_id=desk.pk, user=ann, now=closes - timedelta(seconds=1))
    entering.cancel_entry(tournament_id=desk.pk, user=ann, now=closes + timedelta(seconds=1))


def test_who_has_not_checked_in_is_out(desk: Desk) -> None:
    desk.announce(a_plan("single-elimination", Settings(needs_check_in=True)), 5)
    with pytest.raises(NotCheckedIn):
        desk.do(drawing.publish)
    ann = desk.member("Ann")
    entering.enter_own_player(tournament_id=desk.pk, user=ann, now=desk.now)
    door.check_in(tournament_id=desk.pk, user=ann, now=desk.now)
    assert desk.do(entering.check_in_entries, entries=[1, 2, 3, 4]) == 4
    assert desk.do(entering.check_in_entries, entries=[4], here=False) == 1

    desk.do(drawing.publish)

    assert {one for two in desk.pairs().values() for one in two} == {1, 2, 3, 6}


def test_a_list_of_names_enters_members_and_guests_once(desk: Desk) -> None:
    ann = desk.member("Ann")
    desk.announce(a_plan("single-elimination"))

    entries = desk.do(directing.admit_named, names=["ann", " Old  Hand ", "", "Old Hand", "New Hand"])

    assert [entry.player.name for entry in entries] == ["Ann", "Old Hand", "New Hand"]
    assert entries[0].player == ann.player
    again = desk.do(directing.admit_named, names=["old hand"])
    assert again[0].player == entries[1].player


# -- the draw


def test_a_preview_can_be_made_anew_only_with_a_reason_and_everything_is_noted(desk: Desk) -> None:
    desk.announce(a_plan("single-elimination"), 16)
    first = list(desk.do(drawing.preview).lines)
    with pytest.raises(ReasonNeeded):
        desk.do(drawing.preview)
    second = desk.do(drawing.preview, reason="two brothers met")

    assert second.attempt == 2
    assert second.lines != first
    rulings = desk.event.rulings.filter(act__in=[RulingKind.DREW, RulingKind.DREW_AGAIN]).order_by("pk")
    assert [ruling.data["lines"] for ruling in rulings] == [first, second.lines]
    assert not Pairing.objects.filter(tournament=desk.event).exists()


def test_a_published_draw_follows_from_the_seed_that_was_committed_to(desk: Desk) -> None:
    desk.announce(a_plan("single-elimination"), 13)
    page = draw_pages.load_draw_page(desk.event, 1)
    assert page
    promised = page.commitment
    desk.do(drawing.preview)
    desk.do(drawing.preview, reason="a name was missing")

    desk.do(drawing.publish, witnesses=["Ann"])

    rows = event_rows.load_rows(desk.fresh())
    draw = Draw.objects.get(stage=rows.stages[0])
    assert draw.commitment == promised
    assert is_committed(desk.event.seed, promised)
    values = replace(event_rows.build_event(rows), draws=(), rounds=())
    assert values.seed == f"{desk.event.seed}/2"
    seats = {
        seat.number: None if seat.entrant is None else int(seat.entrant)
        for place in stages.propose(values).places
        for seat in (place.a, place.b)
        if seat.key is None
    }
    assert [seats[line] for line in sorted(seats)] == draw.lines


@pytest.mark.long
@pytest.mark.parametrize("first", [1, 2])
def test_another_draw_of_the_finals_is_for_those_who_have_qualified(desk: Desk, first: int) -> None:
    """The lot decides which of the two losers is third."""
    best = {"stage": "One", "first": 1, "last": 3}
    ties = {"rounds": 1, "ties": ["points", "lot"]}
    finals = StagePlan(format="single-elimination", name="Finals", takes=(best,), options={"draw": "random"})
    one = StagePlan(format="swiss", name="One", options=ties)
    desk.announce(a_plan([one, replace(finals, pairs="draft")]), 4)
    for _ in range(first):
        desk.do(drawing.preview, reason="a name was missing")
    desk.do(drawing.publish)
    for key in desk.pairs():
        desk.play(key)
    order = bracket_cache.compute_stage_rankings(desk.fresh())["One"]
    qualified = {int(one.entrant) for one in order[:3]}

    drawn = [desk.do(drawing.preview, stage=2, reason="two brothers met").lines for _ in range(9)]

    assert {frozenset(lines) - {None} for lines in drawn} == {frozenset(qualified)}
    assert len({tuple(lines) for lines in drawn}) > 1
    desk.do(drawing.publish, stage=2)
    assert Draw.objects.get(stage__number=2).published_at is not None
    desk.play_out()


def first_round(desk: Desk, number: int = 1) -> list[tuple[str, str]]:
    shown = draw_pages.load_draw_page(desk.fresh(), number)
    return sorted(pair for each in shown.first_round for pair in each.pairs)


def made(desk: Desk) -> list[tuple[str, str]]:
    """The pairs of the first round, sorted, with "" beside an entrant who has the bye."""
    rows = Pairing.objects.filter(tournament=desk.event, round__number=1).exclude(state=PairingState.VACANT)
    found = rows.select_related("a__player", "b__player")
    return sorted((str(row.a.player) if row.a else "", str(row.b.player) if row.b else "") for row in found)


@pytest.mark.parametrize("act", [drawing.preview, drawing.publish])
def test_more_groups_than_players_are_refused(desk: Desk, act: Callable[..., Any]) -> None:
    desk.announce(a_plan("groups", groups=4), 3)
    with pytest.raises(BadPlan, match="more than there are entrants"):
        desk.do(act)

    assert desk.fresh().status == Status.PUBLISHED
    assert not Draw.objects.exists()


def test_publishing_a_draw_proposes_its_stage_only_to_settle_it(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.announce(a_plan("round-robin"), 4)
    desk.do(drawing.preview)
    steps: list[str] = []
    propose, go_on = stages.propose_stage, progress.advance_rows

    def note_proposal(field: Field) -> Proposal:
        steps.append("proposed")
        return propose(field)

    def note_settling(rows: event_rows.Rows, *, now: datetime) -> object:
        steps.append("settling")
        return go_on(rows, now=now)

    monkeypatch.setattr(stages, "propose_stage", note_proposal)
    monkeypatch.setattr(progress, "advance_rows", note_settling)
    desk.do(drawing.publish)

    # To make the matches, and to see that nothing more follows.
    assert steps[:3] == ["settling", "proposed", "proposed"]


@pytest.mark.parametrize("players", [4, 5, 7, 8, 11])
@pytest.mark.parametrize(
    ("form", "options"),
    [
        ("swiss", {"rounds": 3}),
        ("swiss", {"rounds": 3, "method": "random", "bye": "random"}),
        ("lives", {}),
        ("lives", {"mode": "continuous"}),
        ("round-robin", {}),
        ("league", {}),
        ("groups", {}),
    ],
)
def test_a_preview_says_who_meets_whom_and_who_has_the_bye(
    desk: Desk, form: str, options: dict[str, Any], players: int
) -> None:
    desk.announce(a_plan(form, **options), players)
    desk.do(drawing.preview)
    desk.do(drawing.preview, reason="the first was for trying")

    shown = first_round(desk)
    assert shown
    if form in {"swiss", "round-robin", "league"}:
        assert sum("" in pair for pair in shown) == players % 2
    desk.do(drawing.publish)

    assert made(desk) == shown
    assert first_round(desk) == []


def test_a_preview_pairs_those_alone_who_are_here(desk: Desk) -> None:
    desk.announce(a_plan("swiss", Settings(needs_check_in=True), rounds=3), 7)
    desk.do(entering.check_in_entries, entries=[1, 2, 3, 4, 5])
    desk.do(drawing.preview)

    shown = first_round(desk)

    assert sum(bool(name) for pair in shown for name in pair) == 5
    desk.do(drawing.publish)
    assert made(desk) == shown


def test_a_preview_of_a_later_stage_says_who_meets_whom(desk: Desk) -> None:
    first = StagePlan(format="swiss", name="first", options={"rounds": 1})
    takes = ({"stage": "first", "first": 1, "last": 3},)
    last = StagePlan(format="swiss", name="last", takes=takes, options={"rounds": 2}, pairs="draft")
    desk.start(a_plan([first, last]), 6)
    for key in list(desk.pairs()):
        desk.play(key)
    desk.do(drawing.preview, stage=2)
    shown = first_round(desk, 2)
    assert sum("" in pair for pair in shown) == 1


def test_two_lines_are_exchanged_and_two_byes_never_meet(desk: Desk) -> None:
    desk.announce(a_plan("single-elimination"), 6)
    draw = desk.do(drawing.preview)
    before = list(draw.lines)
    empty = [line for line, one in enumerate(before, 1) if one is None]

    after = desk.do(drawing.swap, line_a=1, line_b=3).lines

    assert (after[0], after[2]) == (before[2], before[0])
    partner = empty[1] + 1 if empty[1] % 2 else empty[1] - 1
    with pytest.raises(BadLines):
        desk.do(drawing.swap, line_a=empty[0], line_b=partner)
    with pytest.raises(BadLines):
        desk.do(drawing.swap, line_a=1, line_b=9)
    desk.do(drawing.publish)
    assert Draw.objects.get(stage__tournament=desk.event).lines == after


def test_a_draw_of_slips_of_paper(desk: Desk) -> None:
    desk.announce(a_plan("single-elimination"), 4)
    with pytest.raises(BadLines):
        desk.do(drawing.record_hand_draw, lines=[1, 2, 3, 3])

    desk.do(drawing.record_hand_draw, lines=[4, 2, 3, 1], witnesses=["Ann", "Ben"], note="a hat")
    desk.do(drawing.publish)

    assert sorted(desk.pairs().values()) == [(3, 1), (4, 2)]


def test_who_comes_after_the_preview_makes_it_void(desk: Desk) -> None:
    desk.announce(a_plan("single-elimination"), 4)
    desk.do(drawing.preview)
    desk.do(directing.admit_guest, name="One more")

    with pytest.raises(BadLines):
        desk.do(drawing.publish)


def test_what_is_drawn_is_drawn(desk: Desk) -> None:
    desk.start(a_plan("single-elimination"), 4)
    acts: list[tuple[Any, dict[str, Any]]] = [
        (drawing.preview, {"reason": "again"}),
        (drawing.swap, {"line_a": 1, "line_b": 2}),
        (drawing.record_hand_draw, {"lines": [1, 2, 3, 4]}),
        (drawing.publish, {}),
    ]
    for act, what in acts:
        with pytest.raises(AlreadyDrawn):
            desk.do(act, **what)


def test_nobody_is_drawn_alone(desk: Desk) -> None:
    desk.announce(a_plan("single-elimination"), 1)

    with pytest.raises(TooFewEntries):
        desk.do(drawing.publish)


@pytest.mark.long
def test_a_later_stage_is_drawn_when_its_turn_comes(desk: Desk) -> None:
    plan = a_plan(
        [
            StagePlan(format="swiss", name="swiss", options={"rounds": 2}),
            StagePlan(
                format="single-elimination",
                name="cup",
                takes=({"stage": "swiss", "first": 1, "last": 4},),
                pairs="draft",
            ),
        ]
    )
    desk.start(plan, 8)
    with pytest.raises(StageWaits):
        desk.do(drawing.publish, stage=2)
    for _ in range(2):
        for key in list(desk.pairs()):
            desk.play(key)
    assert desk.fresh().status == Status.RUNNING
    assert desk.pairs() == {}
    with pytest.raises(TiesUndecided):
        desk.do(drawing.preview, stage=2)
    assert desk.leave_to_lot()

    desk.do(drawing.preview, stage=2)
    desk.do(drawing.publish, stage=2)

    assert sorted(desk.pairs()) == ["cup/main/1.1", "cup/main/1.2"]
    desk.play_out()


def test_a_drafted_round_is_played_when_it_is_published(desk: Desk) -> None:
    plan = a_plan([StagePlan(format="swiss", options={"rounds": 3}, pairs="draft")])
    desk.announce(plan, 6)
    desk.do(drawing.publish)
    assert desk.pairs() == {}
    assert Round.objects.get(stage__tournament=desk.event).status == "draft"

    desk.do(event_control.publish_round, stage=1, number=1)

    assert len(desk.pairs()) == 3
    with pytest.raises(AlreadyDone):
        desk.do(event_control.publish_round, stage=1, number=1)
    for key in list(desk.pairs()):
        desk.play(key)
    assert desk.pairs() == {}


def test_the_order_as_it_stands_follows_each_result(desk: Desk) -> None:
    desk.start(a_plan("swiss", rounds=3), 6)
    desk.play(next(iter(desk.pairs())))
    first = bracket_cache.compute_standings(desk.fresh())

    assert bracket_cache.compute_standings(desk.fresh()) == first
    desk.play(next(iter(desk.pairs())))
    assert bracket_cache.compute_standings(desk.fresh()) != first
