"""The tabs of an event that is played here, as everybody sees them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from django.test import Client

from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.support import Browser, text, url
from tournaments.base.settings import Settings
from tournaments.models import Entry, Tournament
from tournaments.plan import drawing, setup
from tournaments.plan.templates import TEMPLATES, Plan, StagePlan
from tournaments.play import directing, incidents

pytestmark = pytest.mark.today

TABS = ("bracket", "standings", "players", "schedule")


def part(client: Client, address: str, **headers: str) -> str:
    response = client.get(address, headers={"HX-Request": "true", **headers})
    return text(response)


@pytest.mark.long
@pytest.mark.parametrize(
    "form", ["progressive-consolation", "double-elimination", "swiss", "round-robin", "groups", "lives"]
)
def test_a_stranger_sees_every_tab_of_every_format(desk: Desk, client: Client, form: str) -> None:
    options = {"rounds": 3} if form == "swiss" else {}
    event = desk.start(a_plan(form, **options), 8)
    for row in desk.open()[:2]:
        desk.play(row.key)

    for name in TABS:
        page = text(client.get(url(name, event.key)))
        assert page.count('aria-current="page"') == 1
        assert "Guest 3" in page
        assert "Director's desk" not in page
        assert "csrfmiddlewaretoken" not in page.partition("<main")[2].partition("</main>")[0]
    assert "Guest 3" in text(client.get(event.get_absolute_url()))


def test_where_nothing_is_drawn_the_tabs_say_so(desk: Desk, client: Client) -> None:
    event = desk.announce(a_plan("single-elimination"), 4)

    assert "Nothing is drawn yet" in text(client.get(url("bracket", event.key)))
    assert "Nothing is drawn yet" in text(client.get(url("schedule", event.key)))
    assert "No standings yet" in text(client.get(url("standings", event.key)))
    assert "Guest 4" in text(client.get(url("players", event.key)))


def test_a_preview_of_the_draw_is_nobody_elses(desk: Desk, client: Client) -> None:
    event = desk.announce(a_plan("single-elimination"), 4, seed="deadbeefdeadbeef")
    desk.do(drawing.preview)
    event.refresh_from_db()

    for name in TABS:
        page = text(client.get(url(name, event.key)))
        assert event.seed not in page
        assert " v </span>" not in page
    assert "Nothing is drawn yet" in text(client.get(url("bracket", event.key)))


def test_an_event_played_elsewhere_has_no_tabs(event: Callable[..., Tournament], client: Client) -> None:
    made = event()

    for name in TABS:
        assert client.get(url(name, made.key)).url == made.get_absolute_url()
    assert 'id="event-tabs"' not in text(client.get(made.get_absolute_url()))


def test_drafts_have_no_tabs_for_strangers(desk: Desk, client: Client) -> None:
    event = setup.draft(
        club=desk.club,
        by=desk.director,
        key="draftdraft",
        details=setup.Details(name="Later", starts_at=desk.now),
        now=desk.now,
        plan=a_plan("swiss", rounds=3),
    )

    for name in TABS:
        assert client.get(url(name, event.key)).status_code == 404
        assert client.get(url(name, event.key), headers={"HX-Request": "true"}).status_code == 404


# The bracket


def test_the_bracket_is_a_picture_and_lists(desk: Desk, client: Client) -> None:
    event = desk.start(a_plan("progressive-consolation"), 8)
    desk.play("main/1.1")

    page = text(client.get(url("bracket", event.key)))

    assert page.count('<svg class="sheet-svg"') == 1
    for title in ("Main draw", "Consolation", "Quarter-finals", "Semi-finals", "Final"):
        assert title in page
    assert page.count('<details class="card round"') == 3, "the rounds of the main draw as lists"
    other = text(client.get(url("bracket", event.key), {"show": "consolation"}))
    assert other.count('<details class="card round"') == 3
    assert "to 5 points" in page


def test_a_box_says_where_winner_and_loser_go(desk: Desk, client: Client) -> None:
    event = desk.start(a_plan("progressive-consolation"), 8)

    alone = client.get(url("bracket", event.key)).context["parts"][0].svg
    together = client.get(url("bracket", event.key), {"show": "all"}).context["parts"][0].svg

    assert re.search(r'data-c="quarter-final 1" data-w="\d+" data-l="[^"\d]+ \d', alone), re.findall(
        "<g class=.p.*?>", alone
    )
    boxes = re.findall(
        r'<g class="p [^"]*" data-c="([^"]*)"(?: data-w="(\d+)")?(?: data-l="(\d+)")?', together
    )
    to = {name: (won and boxes[int(won)][0], lost and boxes[int(lost)][0]) for name, won, lost in boxes}
    assert to["quarter-final 1"][0] == "semi-final 1"
    assert to["quarter-final 1"][1].startswith("consolation ")
    assert to["final"] == ("", "")


@pytest.mark.long
@pytest.mark.parametrize("tab", ["event", "bracket", "schedule"])
def test_abbreviated_results_are_explained(desk: Desk, client: Client, tab: str) -> None:
    event = desk.start(a_plan("single-elimination"), 4)
    desk.play("main/1.1")
    assert "n.s.: No-show" not in text(client.get(url(tab, event.key)))

    row = desk.row("main/1.2")
    desk.do(incidents.record_no_show, key=row.key, loser=row.a.number)
    assert "n.s.: No-show" in text(client.get(url(tab, event.key)))


@pytest.mark.parametrize(
    ("wanted", "has"), [("lists", (False, True)), ("picture", (True, False)), ("x", (True, True))]
)
def test_a_bracket_is_shown_as_it_is_asked_for(
    desk: Desk, client: Client, wanted: str, has: tuple[bool, bool]
) -> None:
    event = desk.start(a_plan("single-elimination"), 4)
    address = url("bracket", event.key)

    for page in (text(client.get(address, {"as": wanted})), part(client, f"{address}?as={wanted}")):
        assert ("sheet-svg" in page, 'class="sheet-lists' in page) == has


@pytest.mark.long
def test_somebody_can_be_followed(desk: Desk, client: Client) -> None:
    event = desk.start(a_plan("progressive-consolation"), 8)
    address = url("bracket", event.key)

    assert not re.search(r" data-f\b", text(client.get(address)))
    assert ' data-n="3" data-f' in text(client.get(address, {"follow": "3"}))
    for nonsense in ("99", "x", "٣", "", "-1", "3" * 50):
        assert not re.search(r" data-f\b", text(client.get(address, {"follow": nonsense})))


def test_names_lead_to_players(desk: Desk, client: Client) -> None:
    event = desk.start(a_plan("single-elimination"), 4)

    for name in TABS:
        assert desk.player(2).get_absolute_url() in text(client.get(url(name, event.key)))


def test_who_may_come_is_said_by_name(desk: Desk, client: Client) -> None:
    event = desk.start(a_plan("progressive-consolation"), 4)
    for number, family in enumerate(("Okafor", "Horvat", "Lind", "Tanabe"), 1):
        player = desk.player(number)
        player.name = f"Ada {family}"
        player.save(update_fields=["name"])
    row = desk.row("main/1.1")
    assert row.a
    assert row.b
    one, other = (desk.player(each.number).name.split()[1] for each in (row.a, row.b))

    page = text(client.get(url("bracket", event.key)))

    assert page.count(f"{one} or {other}") >= 2, "for the final, and for the consolation"


@pytest.mark.long
def test_a_round_that_is_only_drafted_is_the_directors(desk: Desk, client: Client) -> None:
    plan = Plan(stages=(StagePlan(format="swiss", options={"rounds": 3}, pairs="draft"),), match_length=5)
    event = desk.start(plan, 6)

    for name in ("bracket", "schedule"):
        assert "Round 1" not in text(client.get(url(name, event.key)))
    client.force_login(desk.director)
    page = text(client.get(url("desk", event.key)))
    assert "Round 1 is paired" in page
    client.post(url("publish_round", event.key), {"stage": "1", "round": "1"})
    assert "Round 1" in text(Browser().get(url("bracket", event.key)))


# Standings and tables


def test_standings_have_a_column_for_each_tie_break(desk: Desk, client: Client) -> None:
    event = desk.start(a_plan("swiss", rounds=3), 6)
    for row in desk.open():
        desk.play(row.key)

    page = text(client.get(url("standings", event.key)))

    for column in ("Points", "Buchholz, worst cut", "Sonneborn-Berger"):
        assert f">{column}</th>" in page
    assert page.index("Guest 1") < page.index("Guest 6")


@pytest.mark.parametrize("form", ["swiss", "lives", "round-robin", "league", "groups"])
def test_standings_say_how_many_matches_everybody_has_played(desk: Desk, client: Client, form: str) -> None:
    event = desk.start(a_plan(form, **({"rounds": 3} if form == "swiss" else {})), 5)
    first, *_ = desk.open()
    desk.play(first.key)

    played = {
        row.who.number: row.played
        for table in client.get(url("standings", event.key)).context["tables"]
        for row in table.rows
    }

    both = {one.number for one in (first.a, first.b) if one}
    assert played == {number: int(number in both) for number in range(1, 6)}
    assert text(client.get(url("standings", event.key))).count("Matches with a result.") >= 1


def test_a_bye_is_no_match_that_was_played(desk: Desk, client: Client) -> None:
    event = desk.start(a_plan("swiss", rounds=3), 5)
    for row in desk.open():
        desk.play(row.key)

    (table,) = client.get(url("standings", event.key)).context["tables"]

    assert sorted(row.played for row in table.rows) == [0, 1, 1, 1, 1]
    assert next(row.figures[0] for row in table.rows if not row.played) == "1"


def test_a_knock_outs_order_says_how_far_everybody_came(desk: Desk, client: Client) -> None:
    event = desk.start(a_plan("single-elimination"), 4)
    desk.play_out()

    page = text(client.get(url("standings", event.key)))

    assert "Final, won" in page
    assert page.count('<td class="standings__reached">Semi-finals</td>') == 2
    assert page.count('medal medal--bronze"') == 2
    assert page.count('checker checker--bronze"') == 2


@pytest.mark.long
def test_a_knock_out_under_way_says_who_is_in_and_names_no_place_before_it_is_certain(
    desk: Desk, client: Client
) -> None:
    event = desk.start(a_plan("progressive-consolation"), 8)
    for key in ("main/1.1", "main/1.2", "main/1.3", "main/1.4"):
        desk.play(key)

    rows = client.get(url("standings", event.key)).context["tables"][0].rows
    assert [row.stage for row in rows] == ["Still in the main draw"] * 4 + ["Consolation"] * 4
    assert {row.place for row in rows} == {""}

    desk.play("consolation/1.1")
    rows = client.get(url("standings", event.key)).context["tables"][0].rows
    assert [row.stage for row in rows][-1] == "Out"
    assert rows[-1].place
    page = text(client.get(url("standings", event.key)))
    assert page.count('class="standings__stage"') == 3


@pytest.mark.long
def test_a_bracket_is_chosen_on_a_desk_as_well(desk: Desk, client: Client) -> None:
    event = desk.start(a_plan("last-chance"), 16)
    desk.play("main/1.1")
    address = url("bracket", event.key)

    page = client.get(address)
    parts = page.context["parts"][0]
    assert [(one.name, one.is_shown, one.is_empty) for one in parts.branches] == [
        ("main", True, False), ("consolation", False, False), ("last-chance", False, True),
    ]  # fmt: skip
    assert "not begun" in text(page)
    assert ">Last chance</text>" not in parts.svg
    other = client.get(address, {"show": "consolation"}).context["parts"][0]
    assert other.svg != parts.svg
    every = client.get(address, {"show": "all"}).context["parts"][0]
    assert ">Consolation</text>" in every.svg
    assert ">Main draw</text>" in every.svg


def test_rounds_that_nobody_has_come_near_are_folded_beside_the_main_draw(desk: Desk, client: Client) -> None:
    event = desk.start(a_plan("last-chance"), 32)

    drawn = client.get(url("bracket", event.key), {"show": "last-chance"}).context["parts"][0].svg
    assert "more rounds</text>" in drawn
    assert "more rounds</text>" not in client.get(url("bracket", event.key)).context["parts"][0].svg


def test_the_champion_stands_on_brass_once_the_final_is_over(desk: Desk, client: Client) -> None:
    event = desk.start(a_plan("single-elimination"), 4)
    assert "decided title" not in text(client.get(url("bracket", event.key)))
    desk.play_out()

    assert text(client.get(url("bracket", event.key))).count("decided title") == 1


def test_who_is_followed_is_said_of_the_brackets_they_play_in(desk: Desk, client: Client) -> None:
    event = desk.start(a_plan("last-chance"), 16)
    row = desk.play("main/1.1")
    loser = row.b if row.winner_id == row.a_id else row.a
    assert loser

    branches = (
        client.get(url("bracket", event.key), {"follow": str(loser.number)}).context["parts"][0].branches
    )
    assert [one.name for one in branches if one.is_on_the_way] == ["main", "consolation"]


def test_the_cross_table_is_square_and_mirrors_itself(desk: Desk, client: Client) -> None:
    event = desk.start(a_plan("round-robin"), 4)
    first = desk.open()[0]
    desk.play(first.key)

    page = text(client.get(url("bracket", event.key)))

    assert page.count("cross__self") == 4
    assert page.count(">5:0<") == page.count(">0:5<") == 1


def test_groups_have_a_table_each(desk: Desk, client: Client) -> None:
    event = desk.start(a_plan("groups", size=4), 8)

    page = text(client.get(url("bracket", event.key)))

    assert page.count("<h2>Group A</h2>") == page.count("<h2>Group B</h2>") == 1
    assert "Group C" not in page


@pytest.mark.long
def test_what_groups_led_to_stands_beside_their_own_tables(desk: Desk, client: Client) -> None:
    event = desk.start(replace(TEMPLATES["groups"].plan(5, 0), settings=Settings()), 8)
    while desk.fresh().stages.get(number=2).rounds.count() == 0:
        for key in desk.pairs():
            desk.play(key)

    page = text(client.get(url("bracket", event.key)))
    # The lower number wins: three, two, one and no points in each group.
    for points in range(4):
        assert page.count(f'<td class="num"><strong>{points}</strong></td>') == 2

    tables = client.get(url("standings", event.key)).context["tables"]
    assert [table.title for table in tables] == ["", "Group A", "Group B"]
    assert [row.figures[0] for row in tables[1].rows] == ["3", "2", "1", "0"]
    assert tables[0].rows[-1].figures[0].startswith("Group")


@pytest.mark.parametrize("form", ["single-elimination", "swiss"])
def test_who_is_followed_is_lit_in_lists_too(desk: Desk, client: Client, form: str) -> None:
    options = {"rounds": 3} if form == "swiss" else {}
    event = desk.start(a_plan(form, **options), 8)

    page = text(client.get(url("bracket", event.key), {"follow": "3", "show": "main"}))

    assert page.count('match--ready is-lit"') == 1
    lit = page[page.index('match--ready is-lit"') :].partition("</li>")[0]
    assert "Guest 3" in lit
    assert len(re.findall(r'<tr\s+class="is-lit"', page)) == (form == "swiss")
    assert "is-lit" not in text(client.get(url("bracket", event.key)))


# Freshness


def test_what_has_not_changed_is_not_sent_again(desk: Desk, client: Client) -> None:
    event = desk.start(a_plan("single-elimination"), 4)
    for name in TABS:
        address = url(name, event.key)
        # The first answer brings the cookie of forms along.
        client.get(address)
        mark = client.get(address)["ETag"]
        again = client.get(address, headers={"If-None-Match": mark})
        assert (again.status_code, again.content) == (304, b"")
        assert again["ETag"] == mark
        assert "no-cache" in again["Cache-Control"]

    address = url("bracket", event.key)
    mark = client.get(address)["ETag"]
    desk.play("main/1.1")
    changed = client.get(address, headers={"If-None-Match": mark})
    assert changed.status_code == 200
    assert changed["ETag"] != mark


def test_marks_are_of_one_page_one_person_and_one_language(desk: Desk, client: Client) -> None:
    event = desk.start(a_plan("single-elimination"), 4)
    address = url("bracket", event.key)
    client.get(address)

    marks = {
        client.get(address)["ETag"],
        client.get(address, {"follow": "1"})["ETag"],
        client.get(address, headers={"HX-Request": "true"})["ETag"],
        client.get(address, headers={"Accept-Language": "de"})["ETag"],
        client.get(url("standings", event.key))["ETag"],
    }
    assert len(marks) == 5
    client.force_login(desk.director)
    # A signed-in user's whole page has no ETag, because its frame shows their own notices.
    assert "ETag" not in client.get(address)
    marks.add(client.get(address, headers={"HX-Request": "true"})["ETag"])
    assert len(marks) == 6


def test_a_draft_has_no_mark(desk: Desk, client: Client) -> None:
    event = desk.announce(a_plan("single-elimination"), 4)
    type(event).objects.filter(pk=event.pk).update(status="DRAFT")
    client.force_login(desk.director)

    assert "ETag" not in client.get(url("bracket", event.key), headers={"HX-Request": "true"})


def test_the_part_brings_what_changes_and_nothing_else(desk: Desk, client: Client) -> None:
    event = desk.start(a_plan("progressive-consolation"), 8)

    for name in TABS:
        answer = part(client, url(name, event.key))
        assert "<html" not in answer
        assert re.search(r'id="event-head"\s+hx-swap-oob="true"', answer)
        assert answer.count("hx-swap-oob") >= 3
    assert "<option" not in part(client, url("bracket", event.key))


@pytest.mark.long
@pytest.mark.parametrize("name", TABS)
def test_a_tab_of_64_costs_few_queries(
    desk: Desk, client: Client, name: str, django_assert_max_num_queries: Callable[..., object]
) -> None:
    event = desk.start(a_plan("last-chance"), 64)
    client.get(url(name, event.key))

    with django_assert_max_num_queries(12):  # type: ignore[attr-defined]
        mark = client.get(url(name, event.key), headers={"HX-Request": "true"})
    again = {"HX-Request": "true", "If-None-Match": mark["ETag"]}
    with django_assert_max_num_queries(2):  # type: ignore[attr-defined]
        assert client.get(url(name, event.key), headers=again).status_code == 304


@pytest.mark.long
def test_names_are_written_and_not_obeyed(desk: Desk, client: Client) -> None:
    event = desk.announce(a_plan("swiss", rounds=2))
    desk.do(directing.admit_named, names=["<i>Bob</i> & Co", "Ann", "Cid", "Dee"])
    desk.do(drawing.publish)
    for row in desk.open():
        desk.play(row.key)

    for name in (*TABS, "event"):
        page = text(client.get(url(name, event.key)))
        assert "<i>Bob" not in page
        assert "&lt;i&gt;Bob&lt;/i&gt; &amp; Co" in page
    client.force_login(desk.director)
    for name in ("desk", "roster", "draw", "rulings"):
        assert "<i>Bob" not in text(client.get(url(name, event.key)))


def test_news_of_a_bracket_are_of_what_is_shown(desk: Desk, client: Client) -> None:
    event = desk.start(a_plan("single-elimination"), 8)
    address = url("bracket", event.key)

    picture = part(client, address + "?shows=picture")
    lists = part(client, address + "?shows=lists")

    assert ("sheet-svg" in picture, "sheet-lists" in picture) == (True, False)
    assert ("sheet-svg" in lists, "sheet-lists" in lists) == (False, True)
    both = part(client, address)
    assert "sheet-svg" in both
    assert "sheet-lists" in both
    # A whole page has every part, with every query parameter.
    assert "sheet-lists" in text(client.get(address, {"shows": "picture"}))


def test_who_has_left_for_good_has_no_name_in_the_bracket(desk: Desk, client: Client) -> None:
    event = desk.start(a_plan("single-elimination"), 4)
    player = Entry.objects.get(tournament=event, number=1).player
    player.name, player.erased_at = "", desk.now
    player.save(update_fields=["name", "erased_at"])

    page = text(client.get(url("bracket", event.key)))

    assert "Guest 1<" not in page
    assert "Former player" in page
