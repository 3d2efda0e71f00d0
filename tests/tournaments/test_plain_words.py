"""Words as a director would say them: what an act has done, how a match ended, who comes to a title match."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from money.terms import formatting
from money.terms.terms_forms import list_split_choices
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.support import text
from tournaments.base import event_view
from tournaments.desk.acts import map_page_acts
from tournaments.pages import bracket_display
from tournaments.play import incidents


def test_every_act_says_what_it_has_done() -> None:
    for name, act in map_page_acts().items():
        assert str(act.done), name
        assert str(act.title) not in str(act.done), name


def test_short_words_for_how_a_match_ended_have_a_key(desk: Desk, client: Client) -> None:
    event = desk.start(a_plan("single-elimination"), 4)
    row = desk.open()[0]
    page = reverse("tournaments:bracket", args=[event.key])
    assert "No-show" not in text(client.get(page))
    desk.do(incidents.record_no_show, key=row.key, loser=row.a.number)
    assert "n.s.: No-show" in text(client.get(page))
    view = event_view.load_view(desk.fresh())
    assert (
        bracket_display.build_match_line(view, view.by_key[row.key]).result_text
        == f"{row.b.player.name} won (No-show)"
    )


@pytest.mark.long
def test_a_title_match_says_who_comes_and_the_second_one_says_once_that_it_may_not_be_played(
    desk: Desk,
) -> None:
    event = desk.start(a_plan("double-elimination"), 8)
    view = event_view.load_view(event)
    first, second = (play for play in view.by_key.values() if play.bracket == "final")
    assert [view.hint(first, side) for side in "ab"] == [
        "Winner of winners' final",
        "Winner of losers' final",
    ]
    assert [view.hint(second, side) for side in "ab"] == ["", ""]
    assert view.label(second) == "Second match, if needed"
    # The player from the losers' bracket wins the first title match, so that the second is needed.
    while ready := desk.open():
        row = ready[0]
        assert row.b
        desk.play(row.key, row.b.number if row.bracket == "final" else None)
        view = event_view.load_view(desk.fresh())
        if view.by_key[second.key].opened_at is not None:
            break
    assert view.label(view.by_key[second.key]) == "Second match"


@pytest.mark.django_db
def test_shares_are_percents_and_no_fractions() -> None:
    said = {name: str(words) for name, words in list_split_choices()}
    assert said["two-thirds"] == "66.7\u00a0%, 33.3\u00a0%"
    assert said["45-22+22-11"] == "45\u00a0%, 22\u00a0%; consolation 22\u00a0%, 11\u00a0%"
    assert not any("/" in one or "+" in one for one in said.values())
    assert formatting.format_shares({"main": ["50"], "consolation": []}) == "50\u00a0%"


def test_a_round_of_byes_alone_is_no_sum(desk: Desk, client: Client) -> None:
    client.force_login(desk.director)
    desk.announce(a_plan("progressive-consolation"), 14)
    page = " ".join(text(client.get(reverse("tournaments:arrange", args=[desk.event.key]))).split())
    assert ">0<" not in page
    assert "> 0 <span" not in page
    assert 'Consolation <span class="muted small num"> 1' in page
