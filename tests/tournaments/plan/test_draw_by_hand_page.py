"""The drawing desk: a draw from slips of paper, and what is kept as its proof."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.support import Browser, text, url
from tournaments.base.errors import BadLines, ByesMeet
from tournaments.base.settings import Settings
from tournaments.models import Draw, Ruling, RulingKind
from tournaments.plan import drawing
from tournaments.plan.templates import StagePlan
from tournaments.play import directing, entering

pytestmark = pytest.mark.today


def filled(lines: Sequence[int | None], **more: Any) -> dict[str, Any]:
    """The fields that the form sends."""
    return {f"line-{at}": "" if one is None else str(one) for at, one in enumerate(lines, 1)} | more


def shown(page: str) -> list[int | None]:
    """The player on each line of the page."""
    selects = re.findall(r'<select name="line-\d+".*?</select>', page, re.DOTALL)
    chosen = [re.findall(r'value="(\d*)" selected', each) for each in selects]
    assert all(len(each) == 1 for each in chosen)
    return [int(one) if one else None for (one,) in chosen]


def draw_of(desk: Desk) -> Draw:
    return Draw.objects.get(stage__tournament=desk.event, stage__number=1)


@pytest.mark.parametrize("has_preview", [False, True])
def test_the_draw_page_leads_to_the_form(desk: Desk, window: Client, has_preview: bool) -> None:
    desk.announce(a_plan("single-elimination"), 6)
    if has_preview:
        desk.do(drawing.preview)

    page = text(window.get(url("draw", desk.event.key)))

    assert url("draw_by_hand", desk.event.key) in page
    assert "Enter a draw made by hand" in page


def test_a_draw_made_by_hand_has_no_number_of_the_lots_before_it(desk: Desk, window: Client) -> None:
    desk.announce(a_plan("single-elimination"), 4)
    desk.do(drawing.preview)
    desk.do(drawing.preview, reason="A name was wrong")
    address = url("draw", desk.event.key)
    assert "· draw 2" in text(window.get(address))

    desk.do(drawing.record_hand_draw, lines=[4, 2, 3, 1])
    assert "· draw 2" not in text(window.get(address))

    # No lot that was seen comes back.
    assert desk.do(drawing.preview, reason="The slips were lost").attempt == 3
    assert "· draw 3" in text(window.get(address))


@pytest.mark.long
def test_a_knockout_drawn_anew_each_round_begins_as_it_was_drawn_by_hand(desk: Desk) -> None:
    desk.announce(a_plan("single-elimination", redraw=True), 6)
    desk.do(drawing.record_hand_draw, lines=[6, None, 2, 5, 4, None, 3, 1])
    desk.do(drawing.swap, line_a=1, line_b=3)

    desk.do(drawing.publish)

    assert sorted(sorted(pair) for pair in desk.pairs().values()) == [[1, 3], [5, 6]]
    desk.play_out()


def test_only_what_has_lines_is_drawn_by_hand(desk: Desk, window: Client) -> None:
    desk.announce(a_plan("swiss", rounds=3), 6)

    assert url("draw_by_hand", desk.event.key) not in text(window.get(url("draw", desk.event.key)))
    answer = window.get(url("draw_by_hand", desk.event.key))
    assert answer["Location"] == url("draw", desk.event.key)
    with pytest.raises(BadLines):
        desk.do(drawing.record_hand_draw, lines=[1, 2, 3, 4, 5, 6, None, None])


def test_at_first_the_byes_are_where_the_seeds_have_them(desk: Desk, window: Client) -> None:
    desk.announce(a_plan("single-elimination"), 6)

    page = text(window.get(url("draw_by_hand", desk.event.key)))

    # Of eight lines the second and the sixth are those of seeds 8 and 7.
    assert shown(page) == [1, None, 2, 3, 4, None, 5, 6]
    assert page.count("— bye —") == 8
    assert "6 players on 8 lines" in page


def test_a_preview_is_where_it_begins(desk: Desk, window: Client) -> None:
    desk.announce(a_plan("single-elimination"), 6)
    lines = desk.do(drawing.preview).lines
    assert shown(text(window.get(url("draw_by_hand", desk.event.key)))) == lines

    desk.do(directing.admit_guest, name="One more")
    desk.do(directing.withdraw_player, player_key=desk.player(1).key)

    left = [None if one == 1 else one for one in lines]
    assert shown(text(window.get(url("draw_by_hand", desk.event.key)))) == left


def test_it_is_saved_with_witnesses_and_note_and_comes_back(desk: Desk, window: Client) -> None:
    desk.announce(a_plan("single-elimination"), 6)
    lines = [6, 5, None, 4, 3, None, 2, 1]
    form = filled(lines, witnesses="Ann Bell, Ben\nAnn Bell,, ", note="a hat")

    answer = window.post(url("draw_by_hand", desk.event.key), form)

    assert answer["Location"] == url("draw", desk.event.key)
    draw = draw_of(desk)
    assert (draw.lines, draw.method, draw.published_at) == (lines, "by hand", None)
    assert (draw.witnesses, draw.note) == (["Ann Bell", "Ben"], "a hat")
    assert Ruling.objects.get(tournament=desk.event, act=RulingKind.DREW).data["by_hand"] is True
    page = text(window.get(url("draw_by_hand", desk.event.key)))
    assert shown(page) == lines
    assert "Ann Bell, Ben" in page


def test_who_stands_twice_and_who_nowhere_is_named_and_all_is_kept(desk: Desk, window: Client) -> None:
    desk.announce(a_plan("single-elimination"), 6)
    lines = [1, 1, 2, None, 4, None, 5, 6]

    answer = window.post(
        url("draw_by_hand", desk.event.key), filled(lines, witnesses="Ann", note="<b>a hat</b>")
    )

    assert answer.status_code == 422
    page = answer.content.decode()
    assert "Guest 1 is on several lines: 1, 2." in page
    assert "Guest 3 is not on any line." in page
    assert shown(page) == lines
    assert page.count("is-wrong") == 2
    assert "Ann</textarea>" in page
    assert 'value="&lt;b&gt;a hat&lt;/b&gt;"' in page
    assert not Draw.objects.exists()


def test_two_byes_do_not_meet(desk: Desk, window: Client) -> None:
    desk.announce(a_plan("single-elimination"), 6)
    lines = [1, 2, None, None, 3, 4, 5, 6]

    answer = window.post(url("draw_by_hand", desk.event.key), filled(lines))

    assert answer.status_code == 422
    assert "Lines 3 and 4 are both empty" in answer.content.decode()
    assert answer.content.decode().count("is-wrong") == 2
    with pytest.raises(ByesMeet):
        desk.do(drawing.record_hand_draw, lines=lines)


def test_somebody_who_has_gone_meanwhile_is_no_choice(desk: Desk, window: Client) -> None:
    desk.announce(a_plan("single-elimination"), 7)
    form = filled([1, None, 2, 3, 4, 5, 6, 7])
    desk.do(directing.withdraw_player, player_key=desk.player(3).key)

    answer = window.post(url("draw_by_hand", desk.event.key), form)

    assert answer.status_code == 422
    assert "Line 4: this player does not play here any more." in answer.content.decode()
    assert not Draw.objects.exists()


def test_somebody_who_has_come_meanwhile_is_missed(desk: Desk, window: Client) -> None:
    desk.announce(a_plan("single-elimination"), 4)
    desk.do(directing.admit_named, names=["Ada One", "Bob Two"])

    answer = window.post(url("draw_by_hand", desk.event.key), filled([1, 2, 3, 4]))

    assert answer.status_code == 422
    page = answer.content.decode()
    assert "Not on any line: Ada One, Bob Two." in page
    assert shown(page) == [1, 2, 3, 4, None, None, None, None]


@pytest.mark.parametrize(
    ("witnesses", "said"),
    [
        (", ".join(f"Witness {one}" for one in range(11)), "No more than 10 witnesses."),
        ("x" * 81, "80"),
        ("Ann\u202eBell", "characters"),
    ],
)
def test_witnesses_are_names(desk: Desk, window: Client, witnesses: str, said: str) -> None:
    desk.announce(a_plan("single-elimination"), 4)
    for name, form in (("draw_by_hand", filled([4, 3, 2, 1])), ("publish_draw", {})):
        answer = window.post(url(name, desk.event.key), {**form, "witnesses": witnesses})

        assert answer.status_code == 422
        if name == "draw_by_hand":
            assert said in answer.content.decode()
            assert shown(answer.content.decode()) == [4, 3, 2, 1]
    assert not Draw.objects.filter(published_at__isnull=False).exists()


def test_only_those_who_are_there_are_on_the_slips(desk: Desk, window: Client) -> None:
    desk.announce(a_plan("single-elimination", Settings(needs_check_in=True)), 5)
    answer = window.get(url("draw_by_hand", desk.event.key), follow=True)
    assert "Fewer than two players have checked in." in text(answer)
    desk.do(entering.check_in_entries, entries=[2, 3, 5])

    page = text(window.get(url("draw_by_hand", desk.event.key)))

    assert shown(page) == [2, None, 3, 5]
    assert "Guest 4" not in page


def test_published_is_published(desk: Desk, window: Client) -> None:
    desk.start(a_plan("single-elimination"), 4)
    lines = draw_of(desk).lines

    assert window.get(url("draw_by_hand", desk.event.key))["Location"] == url("draw", desk.event.key)
    answer = window.post(url("draw_by_hand", desk.event.key), filled([4, 3, 2, 1]), follow=True)

    assert "The draw is published and cannot be made again." in text(answer)
    assert draw_of(desk).lines == lines


@pytest.mark.long
def test_a_later_stage_has_a_form_of_its_own(desk: Desk, window: Client) -> None:
    stages = [
        StagePlan(format="swiss", name="swiss", options={"rounds": 1}),
        StagePlan(
            format="single-elimination",
            name="cup",
            takes=({"stage": "swiss", "first": 1, "last": 4},),
            pairs="draft",
        ),
    ]
    desk.start(a_plan(stages), 6)
    address = url("draw_by_hand", desk.event.key)
    answer = window.get(address, {"stage": "2"})
    assert answer["Location"] == url("draw", desk.event.key) + "?stage=2"
    for key in list(desk.pairs()):
        desk.play(key)
    assert desk.leave_to_lot()
    page = text(window.get(address, {"stage": "2"}))
    four = [one for one in shown(page) if one is not None]
    assert len(four) == 4

    answer = window.post(address, filled(four[::-1], stage="2"))

    assert answer["Location"] == url("draw", desk.event.key) + "?stage=2"
    desk.do(drawing.publish, stage=2)
    assert sorted(desk.pairs().values()) == sorted([(four[3], four[2]), (four[1], four[0])])


def test_a_large_sheet_is_written_quickly_and_stays_a_page(desk: Desk, window: Client) -> None:
    desk.announce(a_plan("single-elimination"), 100)

    answer = window.get(url("draw_by_hand", desk.event.key))

    page = text(answer)
    assert [one for one in shown(page) if one] == list(range(1, 101))
    assert page.count('<li class="drawn__pair">') == 64
    assert len(answer.content) < 1_500_000


def test_the_form_of_publishing_asks_for_witnesses_and_the_page_shows_the_proof(
    desk: Desk, window: Client
) -> None:
    desk.announce(a_plan("single-elimination"), 4)
    desk.do(drawing.record_hand_draw, lines=[4, 2, 3, 1], witnesses=["Ann Bell"], note="a hat")
    page = text(window.get(url("draw", desk.event.key)))
    assert "Named already: Ann Bell." in page

    form = {"stage": "1", "witnesses": "Ben Cole, Ann Bell", "note": ""}
    answer = window.post(url("publish_draw", desk.event.key), form)

    assert answer["Location"] == url("desk", desk.event.key)
    draw = draw_of(desk)
    assert (draw.witnesses, draw.note) == (["Ann Bell", "Ben Cole"], "a hat")
    page = text(window.get(url("draw", desk.event.key)))
    proof = page[page.index("Proof") :]
    for said in ("with slips of paper", "Ann Bell, Ben Cole", "a hat", str(timezone.now().year)):
        assert said in proof


def test_what_publishing_refuses_comes_back_as_it_was_typed(desk: Desk, window: Client) -> None:
    desk.announce(a_plan("single-elimination"), 4)
    desk.do(drawing.preview)
    desk.do(directing.admit_guest, name="One more")

    answer = window.post(
        url("publish_draw", desk.event.key), {"stage": "1", "witnesses": "Ann Bell", "note": "a hat"}
    )

    assert answer.status_code == 422
    page = answer.content.decode()
    assert 'value="Ann Bell"' in page
    assert 'value="a hat"' in page


def test_nobody_else_draws(desk: Desk) -> None:
    desk.announce(a_plan("single-elimination"), 4)

    answer = Browser().post(url("draw_by_hand", desk.event.key), filled([4, 3, 2, 1]))

    assert "login" in answer["Location"]
    assert not Draw.objects.exists()
