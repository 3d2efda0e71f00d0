"""A round that the director has looked at and changed before anybody else saw it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.matches.http import Caller
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.support import Browser, text, url
from tests.tournaments.test_races_in_events import together
from tournaments.base import seating
from tournaments.base.errors import (
    AlreadyDone,
    ChangedMeanwhile,
    NotInRound,
    ReasonNeeded,
    SameEntryTwice,
    SamePairing,
)
from tournaments.base.seating import Seats
from tournaments.models import Bye, Entry, Pairing, Round, Ruling, RulingKind, Tournament
from tournaments.plan.templates import StagePlan
from tournaments.play import (
    corrections,
    departures,
    event_control,
    inspection,
    optimistic_locking,
    progress,
    snapshots,
)

pytestmark = pytest.mark.today

FORMATS: list[tuple[str, dict[str, Any]]] = [
    ("swiss", {"rounds": 4}),
    ("lives", {"lives": 2}),
    ("single-elimination", {"redraw": True}),
]


def begin(desk: Desk, players: int, form: str = "swiss", **options: Any) -> Round:
    """Draft the first round of an event."""
    options = options or {"rounds": 4}
    desk.start(a_plan([StagePlan(format=form, options=options, pairs="draft")]), players)
    return drafted(desk)


def drafted(desk: Desk) -> Round:
    return Round.objects.get(stage__tournament=desk.event, status="draft")


def tables(desk: Desk, number: int = 1) -> tuple[Seats, ...]:
    return seating.load_seats(Round.objects.get(stage__tournament=desk.event, number=number))


def seated(desk: Desk, number: int = 1) -> list[tuple[int, ...]]:
    """The pairs of a round, public or not; an entrant alone has a bye."""
    rows = Pairing.objects.filter(tournament=desk.event, round__number=number).order_by("position")
    return [
        tuple(one.number for one in (row.a, row.b) if one is not None)
        for row in rows.select_related("a", "b")
    ]


def publish(desk: Desk, number: int = 1, **more: Any) -> Any:
    return desk.do(event_control.publish_round, stage=1, number=number, **more)


def play_round(desk: Desk) -> None:
    for key in list(desk.pairs()):
        desk.play(key)


# -- the service


@pytest.mark.parametrize(("form", "options"), FORMATS)
@pytest.mark.parametrize("players", [6, 7])
def test_two_take_each_others_place_and_that_is_the_round(
    desk: Desk, form: str, options: dict[str, Any], players: int
) -> None:
    batch = begin(desk, players, form, **options)
    before = seating.load_seats(batch)
    one, other = before[0], before[1]

    ruling = publish(desk, exchanges=[(one.a, other.a)], reason="brothers")

    pairs = desk.pairs()
    assert pairs[one.key] == (other.a, one.b)
    assert pairs[other.key] == (one.a, other.b)
    assert sorted(who for each in seated(desk) for who in each) == sorted(
        who for each in before for who in (each.a, each.b) if who
    )
    assert ruling.act == RulingKind.PUBLISHED_ROUND
    assert ruling.data["exchanges"] == [[one.a, other.a]]
    assert ruling.reason == "brothers"
    image = desk.image()
    assert not progress.advance_event(tournament_id=desk.pk, now=desk.now)
    assert desk.image() == image


@pytest.mark.parametrize(("form", "options"), FORMATS)
def test_who_sat_out_plays_and_another_sits_out(desk: Desk, form: str, options: dict[str, Any]) -> None:
    before = seating.load_seats(begin(desk, 7, form, **options))
    *_, table, bye = before
    assert table.b is not None
    assert bye.b is None

    publish(desk, exchanges=[(bye.a, table.b)], reason="he has to fetch his child")

    assert desk.pairs()[table.key] == (table.a, bye.a)
    given = Bye.objects.get(round__stage__tournament=desk.event)
    assert (given.entry.number, given.points, given.asked) == (table.b, "1", False)
    play_round(desk)
    assert drafted(desk).number == 2


def test_a_bye_somebody_asked_for_is_not_worth_the_same_to_another(desk: Desk) -> None:
    begin(desk, 7, rounds=4, bye_points="1/2")
    desk.do(departures.give_bye, entry=3, round=1, points="0")
    before = tables(desk)
    assert [each.a for each in before if each.b is None] == [3]
    table = before[0]

    publish(desk, exchanges=[(3, table.a)], reason="he has come after all")

    given = Bye.objects.get(round__stage__tournament=desk.event)
    assert (given.entry.number, given.points, given.asked) == (table.a, "1/2", False)
    assert desk.pairs()[table.key] == (3, table.b)


def test_exchanges_are_applied_in_their_order(desk: Desk) -> None:
    one, two, three = seating.load_seats(begin(desk, 6))

    publish(desk, exchanges=[(one.a, two.a), (one.a, three.a), (two.b, three.b)], reason="three clubs")

    assert seated(desk) == [(two.a, one.b), (three.a, three.b), (one.a, two.b)]


@pytest.mark.long
def test_what_was_published_stays_and_the_next_round_knows_of_it(desk: Desk) -> None:
    one, two, *_ = seating.load_seats(begin(desk, 6))
    publish(desk, exchanges=[(one.a, two.a)], reason="brothers")
    there = seated(desk)

    play_round(desk)

    assert seated(desk) == there
    met = {frozenset(two) for two in there}
    assert met.isdisjoint(frozenset(two) for two in seated(desk, 2))
    publish(desk, 2)
    desk.do(departures.mark_away, entries=[1])
    assert seated(desk) == there
    desk.do(departures.mark_back, entries=[1])
    while Round.objects.filter(stage__tournament=desk.event, status="draft").exists() or desk.open():
        play_round(desk)
        if Round.objects.filter(stage__tournament=desk.event, status="draft").exists():
            publish(desk, drafted(desk).number)
    assert desk.fresh().status == "FINISHED"


@pytest.mark.parametrize(("form", "options"), FORMATS)
def test_taken_back_the_draft_is_exactly_as_it_was(desk: Desk, form: str, options: dict[str, Any]) -> None:
    batch = begin(desk, 7, form, **options)
    before, *rest = seating.load_seats(batch)
    bye = rest[-1]
    image = without_moments(desk.image())
    ruling = publish(desk, exchanges=[(before.a, bye.a), (before.b, rest[0].a)], reason="brothers")
    assert without_moments(desk.image()) != image

    desk.do(corrections.undo_act, ruling_id=ruling.pk, reason="they are none")

    assert without_moments(desk.image()) == image
    publish(desk)
    assert seated(desk)[0] == (before.a, before.b)


def without_moments(image: snapshots.Image) -> snapshots.Image:
    """Return the rows without the event's own, which count every change."""
    return {name: rows for name, rows in image.items() if name != "event"}


def test_what_is_no_exchange_is_refused_and_nothing_changes(desk: Desk) -> None:
    batch = begin(desk, 7)
    one, two, *_, bye = seating.load_seats(batch)
    assert one.b is not None
    image = desk.image()
    refused: list[tuple[type[Exception], dict[str, Any]]] = [
        (SamePairing, {"exchanges": [(one.a, one.b)], "reason": "x"}),
        (SamePairing, {"exchanges": [(one.a, two.a), (two.a, one.b)], "reason": "x"}),
        (SameEntryTwice, {"exchanges": [(one.a, one.a)], "reason": "x"}),
        (NotInRound, {"exchanges": [(one.a, 99)], "reason": "x"}),
        (ReasonNeeded, {"exchanges": [(one.a, bye.a)]}),
        (ReasonNeeded, {"exchanges": [(one.a, bye.a)], "reason": "  "}),
    ]

    for error, what in refused:
        with pytest.raises(error):
            publish(desk, **what)

    assert desk.image() == image
    publish(desk)
    with pytest.raises(AlreadyDone):
        publish(desk, exchanges=[(one.a, two.a)], reason="too late")


def test_two_who_both_sit_out_are_not_exchanged(desk: Desk) -> None:
    begin(desk, 7)
    desk.do(departures.give_bye, entry=3, round=1, points="0")
    desk.do(departures.give_bye, entry=4, round=1, points="0")
    byes = [each.a for each in tables(desk) if each.b is None]
    assert len(byes) >= 2

    with pytest.raises(SamePairing):
        publish(desk, exchanges=[(byes[0], byes[1])], reason="why not")


def test_somebody_who_left_is_not_in_the_round_any_more(desk: Desk) -> None:
    one, *_ = seating.load_seats(begin(desk, 6))
    seen, about = seating.hash_seats(tables(desk)), optimistic_locking.ActTarget(round=1)
    desk.do(departures.withdraw_entry, entry=one.a)

    with pytest.raises(NotInRound):
        publish(desk, exchanges=[(one.a, tables(desk)[0].a)], reason="brothers")
    with pytest.raises(ChangedMeanwhile):
        optimistic_locking.run_if_unchanged(
            lambda: publish(desk),
            tournament_id=desk.pk,
            about=about,
            expects={"round": seen},
            by=desk.director,
        )
    assert tables(desk), "it is still a draft"


# -- the page


def page_of(desk: Desk, number: int = 1) -> str:
    return reverse("tournaments:drafted_round", args=[desk.event.key, 1, number])


def sent(desk: Desk, *exchanges: str, number: int = 1, **more: Any) -> dict[str, Any]:
    """The fields that the form sends after these exchanges."""
    return {"mark": seating.hash_seats(tables(desk, number)), "exchange": list(exchanges), **more}


def shown(desk: Desk, page: str) -> list[tuple[int, ...]]:
    """Return the pairs of the page, by the numbers of the ticks."""
    pairs = page.split('<li class="drawn__pair')[1:]
    return [tuple(int(one) for one in re.findall(r'name="entry" value="(\d+)"', pair)) for pair in pairs]


@pytest.mark.long
def test_the_desk_leads_to_the_draft_with_scores_byes_and_warnings(desk: Desk, window: Client) -> None:
    begin(desk, 7)
    assert page_of(desk) in text(window.get(url("desk", desk.event.key)))
    publish(desk)
    play_round(desk)
    bye = next(each.a for each in tables(desk) if each.b is None)
    one, *_ = tables(desk, 2)
    Entry.objects.filter(tournament=desk.event, number__in=[one.a, one.b]).update(club="Harbour")

    Tournament.objects.filter(pk=desk.pk).update(apart=[{"members": [one.a, one.b]}])

    page = text(window.get(page_of(desk, 2)))

    assert shown(desk, page) == seated(desk, 2)
    assert page.count("They are to be kept apart.") == 1
    assert "Both are of Harbour." in page
    assert "Sits out" in page
    assert "1 warning" in page
    row = page[page.index(desk.player(bye).name) :]
    assert re.search(r"drafted__score num\">1 point<", row), "the bye was worth a point"


@pytest.mark.long
def test_a_rematch_is_seen_before_it_is_published(desk: Desk, window: Client) -> None:
    begin(desk, 6)
    publish(desk)
    (a, b), *_ = desk.pairs().values()
    play_round(desk)
    where = {who: pair for pair in seated(desk, 2) for who in pair}
    partner = next(who for who in where[a] if who != a)
    assert "They have met before" not in text(window.get(page_of(desk, 2)))

    page = text(window.post(page_of(desk, 2), sent(desk, number=2, entry=[b, partner])))

    assert "They have met before: Round 1." in page


@pytest.mark.long
def test_exchanges_gather_are_taken_back_and_published(desk: Desk, window: Client) -> None:
    one, two, three = seating.load_seats(begin(desk, 6))
    first, second = f"{one.a}-{two.a}", f"{one.b}-{three.b}"
    before = desk.image()

    page = text(window.post(page_of(desk), sent(desk, entry=[one.a, two.a])))
    assert shown(desk, page)[:2] == [(two.a, one.b), (one.a, two.b)]
    assert f'name="exchange" value="{first}"' in page
    page = text(window.post(page_of(desk), sent(desk, first, entry=[one.b, three.b])))
    assert shown(desk, page) == [(two.a, three.b), (one.a, two.b), (three.a, one.b)]
    page = text(window.post(page_of(desk), sent(desk, first, second, undo="0")))
    assert shown(desk, page) == [(one.a, three.b), (two.a, two.b), (three.a, one.b)]
    assert f'name="exchange" value="{first}"' not in page
    assert desk.image() == before, "nothing is kept before it is published"

    answer = window.post(page_of(desk), sent(desk, second, publish="yes", reason=""))
    assert answer.status_code == 422
    assert f'name="exchange" value="{second}"' in answer.content.decode()
    answer = window.post(page_of(desk), sent(desk, second, publish="yes", reason="Brothers & sisters"))

    assert answer["Location"] == url("desk", desk.event.key)
    assert seated(desk) == [(one.a, three.b), (two.a, two.b), (three.a, one.b)]
    ruling = Ruling.objects.get(tournament=desk.event, act=RulingKind.PUBLISHED_ROUND)
    assert (ruling.reason, ruling.data["exchanges"]) == ("Brothers & sisters", [[one.b, three.b]])


@pytest.mark.parametrize("ticks", [0, 1, 3])
def test_two_are_exchanged_no_more_and_no_fewer(desk: Desk, window: Client, ticks: int) -> None:
    everybody = [who for pair in (begin(desk, 6), seated(desk))[1] for who in pair]

    answer = window.post(page_of(desk), sent(desk, entry=everybody[:ticks]))

    assert answer.status_code == 422
    page = answer.content.decode()
    assert "Tick exactly two players." in page
    assert page.count(" checked") == ticks


def test_what_is_no_exchange_is_said_on_the_page(desk: Desk, window: Client) -> None:
    one, two, *_ = seating.load_seats(begin(desk, 6))

    answer = window.post(page_of(desk), sent(desk, entry=[one.a, one.b]))
    assert answer.status_code == 422
    assert "These two play each other" in answer.content.decode()

    # Without the first, the second exchanges two who play each other.
    gathered = (f"{one.a}-{two.a}", f"{one.a}-{one.b}")
    answer = window.post(page_of(desk), sent(desk, *gathered, undo="0"))
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "take those back first" in page
    assert all(f'value="{each}"' in page for each in gathered)


@pytest.mark.long
@pytest.mark.parametrize("forged", ["1-1", "1-99", "x", "1-2-3", "9999999-1", "1-"])
def test_a_forged_exchange_breaks_nothing(desk: Desk, window: Client, forged: str) -> None:
    begin(desk, 6)
    image = desk.image()

    for more in ({"entry": ["1", "2"]}, {"undo": "7"}, {"entry": ["1", "x"]}):
        assert window.post(page_of(desk), sent(desk, forged, **more)).status_code in {200, 422}

    assert desk.image() == image


@pytest.mark.parametrize("more", [{"publish": "yes", "reason": "Brothers"}, {"entry": ["1", "2"]}])
def test_a_draft_that_has_changed_is_shown_anew(desk: Desk, window: Client, more: dict[str, Any]) -> None:
    one, two, *_ = seating.load_seats(begin(desk, 6))
    form = sent(desk, f"{one.a}-{two.a}", **more)
    desk.do(departures.withdraw_entry, entry=one.b)

    answer = window.post(page_of(desk), form)

    assert answer.status_code == 409
    page = answer.content.decode()
    assert "so the round was paired again" in page
    assert 'name="exchange"' not in page
    assert shown(desk, page) == seated(desk)
    assert not desk.open()


def test_published_by_another_meanwhile_it_leads_back_to_the_desk(desk: Desk, window: Client) -> None:
    one, two, *_ = seating.load_seats(begin(desk, 6))
    form = sent(desk, f"{one.a}-{two.a}", publish="yes", reason="Brothers")
    publish(desk)
    there = seated(desk)

    for answer in (window.post(page_of(desk), form), window.get(page_of(desk))):
        assert answer["Location"] == url("desk", desk.event.key)
    assert seated(desk) == there
    assert Ruling.objects.filter(tournament=desk.event, act=RulingKind.PUBLISHED_ROUND).count() == 1
    assert window.get(page_of(desk, 9)).status_code == 404


def test_nobody_else_sees_a_draft(desk: Desk) -> None:
    begin(desk, 6)

    assert "login" in Browser().get(page_of(desk))["Location"]


def test_programs_exchange_too(desk: Desk) -> None:
    one, two, *_ = seating.load_seats(begin(desk, 6))
    caller = Caller(desk.director)

    def act(status: int, *exchanges: tuple[int | None, ...], **more: Any) -> Any:
        said = {"act": "publish-round", "number": 1, "exchanges": exchanges, **more}
        return caller.post(f"events/{desk.event.key}/acts/", said, status=status)

    assert act(409, (one.a, one.b), reason="x")["code"] == "same_pairing"
    act(400, (one.a,), reason="x")
    assert act(409, (one.a, two.a))["code"] == "reason_needed"
    act(200, (one.a, two.a), reason="Brothers")

    assert seated(desk)[0] == (two.a, one.b)


@pytest.mark.django_db(transaction=True)
def test_two_directors_at_once_publish_it_once(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    one, two, three = seating.load_seats(begin(desk, 6))
    wanted = [[(one.a, two.a)], [(one.a, three.a)]]

    told = together(
        [lambda mine=mine: publish(desk, exchanges=mine, reason="Brothers") for mine in wanted]  # type: ignore[misc]
    )

    assert told == {"done": 1, "already_done": 1}
    ruling = Ruling.objects.get(tournament=desk.event, act=RulingKind.PUBLISHED_ROUND)
    said = [tuple(each) for each in ruling.data["exchanges"]]
    assert seating_after(said, (one, two, three)) == seated(desk)
    assert list(inspection.find_problems(desk.fresh())) == []


def seating_after(
    exchanges: list[tuple[int, ...]], drafted: tuple[Seats, ...]
) -> list[tuple[int | None, ...]]:
    after = seating.exchange_seats(drafted, [(one, other) for one, other in exchanges])
    return [(each.a, each.b) for each in after]
