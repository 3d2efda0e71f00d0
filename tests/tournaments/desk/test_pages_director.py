"""The director's pages: from a template to the final ranking, and everything that goes wrong in between."""

from __future__ import annotations

import re
from datetime import datetime

import pytest
from django.test import Client

from players.accounts import accounts
from players.keys import new_key
from tests import prepared
from tests.tournaments.desk.test_acts import RULINGS
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.support import Browser, text, url
from tournaments.base.settings import Settings
from tournaments.desk import rulings
from tournaments.desk.acts import map_page_acts
from tournaments.models import Draw, Entry, Pairing, Ruling, Stage, Tournament
from tournaments.plan.templates import TEMPLATES
from tournaments.play import corrections, incidents, snapshots

pytestmark = pytest.mark.today


def form_of(template: str, **more: str) -> dict[str, str]:
    return {
        "key": new_key(),
        "name": "Thursday",
        "starts_at": "2031-03-06T19:30",
        "match_length": "7",
        "format_label": "",
        "capacity": "",
        "place": "",
        "about": "",
        "template": template,
    } | more


# From a template


@pytest.mark.parametrize("template", TEMPLATES)
def test_a_template_is_shown_with_what_it_comes_to_and_made(
    desk: Desk, window: Client, template: str
) -> None:
    address = url("create", desk.club.slug)
    page = text(window.get(address, {"template": template, "players": "8"}))
    assert "With 8 players" in page
    assert str(TEMPLATES[template].name) in page

    rounds = {"rounds": "4"} if TEMPLATES[template].rounds else {}
    window.post(address, form_of(template, publish="yes", **rounds))

    event = Tournament.objects.get()
    assert event.status == "PUBLISHED"
    # Where the best of so many games is played, the length follows from them.
    assert event.match_length == (2 if template == "beginners" else 7)
    assert event.format_label == ""
    assert event.played_as
    stage = Stage.objects.get(tournament=event, number=1)
    assert stage.format == TEMPLATES[template].plan(7, 4).stages[0].format
    if rounds:
        assert stage.options["rounds"] == 4


def test_the_preview_counts_every_match(desk: Desk, window: Client) -> None:
    page = text(window.get(url("create", desk.club.slug), {"template": "club-night", "players": "16"}))

    # docs/pairing.md: together with the main draw that is 28 matches for 16 players.
    assert "28 matches" in page


def test_without_a_template_it_is_only_announced(desk: Desk, window: Client) -> None:
    for nonsense in ("", "no-such"):
        window.post(url("create", desk.club.slug), form_of(nonsense))
    assert not Stage.objects.exists()


def test_a_refused_form_keeps_its_template(desk: Desk, window: Client) -> None:
    answer = window.post(url("create", desk.club.slug), form_of("swiss", name="", rounds="6"))

    assert answer.status_code == 422
    page = answer.content.decode()
    assert 'name="template" value="swiss"' in page
    assert 'name="rounds" min="1" max="15" required value="6"' in page


# Settings


def settings_form(window: Client, key: str, **changes: str) -> dict[str, str]:
    form = window.get(url("arrange", key)).context["form"]
    stages = window.get(url("arrange", key)).context["stages"]
    said = {name: form[name].value() for name in form.fields}
    for stage in stages:
        said |= {stage.add_prefix(name): stage[name].value() for name in stage.fields}
    found = {
        name: "on" if value is True else value for name, value in said.items() if value not in (None, False)
    }
    return found | changes


def test_settings_are_changed_and_kept(desk: Desk, window: Client) -> None:
    event = desk.announce(TEMPLATES["club-night"].plan(7, 0), 4)
    changes = {
        "match_length": "9",
        "stage-1-final": "11",
        "stage-1-side-consolation": "3",
        "stage-1-draw": "rating",
        "stage-1-pairs": "draft",
        "lateness": "5: 1, 12: loss",
        "reporting": "both",
        "confirm_minutes": "15",
    }

    answer = window.post(url("arrange", event.key), settings_form(window, event.key, **changes))

    assert answer.status_code == 302
    event = desk.fresh()
    stage = Stage.objects.get(tournament=event)
    assert (event.match_length, event.reporting, event.confirm_minutes) == (9, "both", 15)
    assert event.lateness == [[5, 1], [12, None]]
    assert event.needs_check_in
    assert (stage.pairs, stage.options) == ("draft", {"draw": "rating"})
    assert {(rule["bracket"], rule.get("round", 1), rule["length"]) for rule in stage.rules} == {
        ("consolation", 1, 3),
        ("main", -1, 11),
    }
    assert Entry.objects.filter(tournament=event).count() == 4
    # The page shows the saved value.
    assert settings_form(window, event.key)["lateness"] == "5: 1, 12: loss"


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("lateness", "soon", "Write it like this"),
        ("lateness", "10: 1, 5: 2", "lateness"),
        ("match_length", "0", "greater than or equal to 1"),
        ("stage-1-round_days", "3", "Minutes or days, not both."),
    ],
)
def test_settings_that_cannot_be_come_back(
    desk: Desk, window: Client, field: str, value: str, words: str
) -> None:
    event = desk.announce(TEMPLATES["club-night"].plan(7, 0))
    said = settings_form(window, event.key, **{"stage-1-round_minutes": "60", field: value})

    answer = window.post(url("arrange", event.key), said)

    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert f'value="{value}"' in answer.content.decode()


# Roster


@pytest.mark.long
@pytest.mark.share
def test_names_are_pasted_checked_in_and_seeded(desk: Desk, window: Client) -> None:
    event = desk.announce(a_plan("single-elimination", draw="hand"))

    window.post(url("admit_named", event.key), {"names": "Ann Abel\n\n  Bo   Berg \r\nann abel\nCid Cole\n"})
    page = text(window.get(url("roster", event.key)))
    assert "3 players" in page
    window.post(url("check_in_for", event.key), {"entry": "1"})
    window.post(url("check_in_for", event.key), {"everyone": "yes"})
    window.post(url("check_in_for", event.key), {"entry": "2", "here": "no"})
    here = set(Entry.objects.filter(checked_in_at__isnull=False).values_list("number", flat=True))
    assert here == {1, 3}
    window.post(url("describe", event.key, "2"), {"seed": "1", "rating": "1612.5", "club": "Bern"})
    entry = Entry.objects.get(tournament=event, number=2)
    assert (entry.seed, entry.rating, entry.club) == (1, 1612.5, "Bern")
    window.post(url("take_out", event.key), {"player": entry.player.key})
    assert "Bo Berg" not in text(window.get(url("roster", event.key))).partition("event-admit")[0]


@pytest.mark.parametrize("names", ["", "\n \n", "A\u202eB", "X" * 81])
def test_names_that_are_none_come_back(desk: Desk, window: Client, names: str) -> None:
    event = desk.announce(a_plan("single-elimination"))

    answer = window.post(url("admit_named", event.key), {"names": names})

    assert answer.status_code == 422
    assert not Entry.objects.exists()


# Draw


@pytest.mark.long
@pytest.mark.share
def test_a_draw_is_looked_at_mended_and_published(desk: Desk, window: Client) -> None:
    event = desk.announce(a_plan("single-elimination"), 5)
    address = url("draw", event.key)
    assert event.seed not in text(window.get(address)) or event.seed == "7"

    window.post(url("preview_draw", event.key))
    before = Draw.objects.get().lines
    assert text(window.get(address)).count('class="drawn__pair"') == 4
    assert window.post(url("preview_draw", event.key)).status_code == 422, "a second one says why"
    assert window.post(url("swap_lines", event.key), {"line": ["1"]}).status_code == 422
    window.post(url("swap_lines", event.key), {"line": ["1", "3"], "reason": "Neighbours"})
    after = Draw.objects.get().lines
    assert (after[0], after[2]) == (before[2], before[0])
    window.post(url("preview_draw", event.key), {"reason": "Somebody was forgotten"})
    assert Draw.objects.get().attempt == 2
    answer = window.post(url("publish_draw", event.key), {"note": "Seen by all"})

    assert answer.url == url("desk", event.key)
    assert desk.fresh().status == "RUNNING"
    assert Draw.objects.get().note == "Seen by all"
    log = text(window.get(url("rulings", event.key)))
    for words in ("Drew again", "Exchanged two lines of the draw", "Neighbours", "Published the draw"):
        assert words in log


def test_a_refused_exchange_of_lines_keeps_ticks_and_reason(desk: Desk, window: Client) -> None:
    event = desk.announce(a_plan("single-elimination"), 5)
    window.post(url("preview_draw", event.key))
    lines = Draw.objects.get().lines
    bye, other, *_rest = [at for at, number in enumerate(lines, 1) if number is None]
    alone = bye + 1 if bye % 2 else bye - 1
    # One line, and two by whose exchange two byes would meet.
    for ticked in ({alone}, {alone, other}):
        answer = window.post(url("swap_lines", event.key), {"line": [*ticked], "reason": "Neighbours"})
        assert answer.status_code == 422
        page = answer.content.decode()
        assert set(map(int, re.findall(r'name="line" value="(\d+)"[^>]*\schecked', page))) == ticked
        assert page.count('value="Neighbours"') == 1
    assert Draw.objects.get().lines == lines


def test_everyone_is_here_goes_when_everyone_is(desk: Desk, window: Client) -> None:
    event = desk.announce(a_plan("single-elimination", Settings(needs_check_in=True)), 3)
    assert 'name="everyone" value="yes"' in window.get(url("roster", event.key)).content.decode()

    window.post(url("check_in_for", event.key), {"everyone": "yes"})

    assert 'name="everyone" value="yes"' not in window.get(url("roster", event.key)).content.decode()


def test_everyone_is_here_leaves_out_the_waiting_list(desk: Desk, window: Client) -> None:
    settings = Settings(needs_check_in=True, has_waiting_list=True)
    event = desk.announce(a_plan("single-elimination", settings), 3, capacity=2)

    window.post(url("check_in_for", event.key), {"everyone": "yes"})

    here = event.entries.filter(checked_in_at__isnull=False).order_by("number")
    assert list(here.values_list("number", flat=True)) == [1, 2]


@pytest.mark.parametrize("name", ["draw", "first_draw"])
def test_a_preview_of_rounds_shows_the_pairs_and_the_bye(desk: Desk, window: Client, name: str) -> None:
    event = desk.announce(a_plan("swiss", rounds=3), 5)
    window.post(url("preview_draw", event.key))

    page = text(window.get(url(name, event.key)))

    assert page.count('class="drawn__pair"') == 3
    assert page.count('<span class="drawn__name">bye</span>') == 1


def test_a_draw_that_cannot_be_says_why(desk: Desk, window: Client) -> None:
    event = desk.announce(a_plan("single-elimination"), 1)

    answer = window.post(url("preview_draw", event.key))

    assert answer.status_code == 422
    assert "At least two players must have entered." in answer.content.decode()


# Results


@pytest.mark.long
def test_results_are_typed_as_they_come(desk: Desk, window: Client) -> None:
    event = desk.start(a_plan("single-elimination"), 4)
    keys = [row.key for row in desk.open()]

    wrong = window.post(url("enter_result", event.key), {"match": keys[0], "score": "5 5"})
    assert wrong.status_code == 422
    assert 'value="5 5"' in wrong.content.decode()
    assert "A match to 5 ends when one has 5 points" in wrong.content.decode()
    for key, score in zip(keys, ("5 3", "2:5"), strict=True):
        assert window.post(url("enter_result", event.key), {"match": key, "score": score}).status_code == 302
    twice = window.post(url("enter_result", event.key), {"match": keys[0], "score": "4 5"})
    assert twice.status_code == 422
    row = twice.content.decode()
    assert "Not entered, from this page: 4 5." in row, "beside the match, with the result that stands"
    final = desk.open()[0]
    window.post(url("enter_result", event.key), {"match": final.key, "score": "0-5"})

    assert desk.fresh().status == "FINISHED"
    page = text(window.get(url("desk", event.key)))
    assert "The last match is in: the event is over" in page
    assert "The same again next week" in page
    assert "Winner" in text(window.get(event.get_absolute_url()))


@pytest.mark.long
def test_the_desk_shows_matches_by_state(desk: Desk, window: Client) -> None:
    event = desk.start(a_plan("progressive-consolation"), 8)
    desk.play("main/1.1")

    ready, waiting, done = (
        text(window.get(url("desk", event.key), {"state": state})) for state in ("ready", "waiting", "done")
    )
    assert ready.count('name="score"') == 3
    assert waiting.count("match--waiting") == 2
    assert done.count("match--decided") == 1
    part = window.get(url("desk", event.key), headers={"HX-Request": "true"}).content.decode()
    assert 'id="desk" hx-swap-oob="true"' in part
    assert "<html" not in part


# Acts: each first says what it will do, and then does it


def said_of(name: str, desk: Desk) -> dict[str, str]:
    """Valid fields for the form of an act."""
    row = desk.open()[0]
    done = Pairing.objects.filter(tournament=desk.event, state="decided", kind="played").first()
    match = {"match": row.key, "reason": "It had to be"}
    one = {"entry": str(row.a.number), "reason": "It had to be"}
    return {
        "result": match | {"score": "5 1"},
        "call": match | {"table": "7"},
        "late": match | {"entry": str(row.a.number), "points": "2"},
        "walkover": match | {"loser": str(row.a.number)},
        "forfeit": match | {"loser": str(row.a.number)},
        "no-show": match | {"loser": str(row.a.number)},
        "double-forfeit": match,
        "void": match,
        "correct": {
            "match": done.key if done else "",
            "reason": "Written the wrong way round",
            "kind": "played",
            "score": f"{done.score_b} {done.score_a}" if done else "",
        },
        "late-entry": {"name": "Late Larry", "place": "wait", "reason": ""},
        "withdraw": one | {"after": "no"},
        "disqualify": one,
        "substitute": one | {"name": "Sub Sally"},
        "exchange": one | {"other": str(row.b.number if row.b else 0)},
        "away": {"entries": str(row.a.number)},
        "pause": {"reason": "Dinner"},
        "end-early": {"reason": "The room closes"},
    }[name]


DOABLE = [
    name
    for name in map_page_acts()
    if name not in {"rule", "resume", "back", "add-round", "ask-bye", "break-ties"}
]


@pytest.fixture
def under_way(db: None, now: datetime) -> Desk:
    """Seven play, and one match is over."""

    def make() -> Desk:
        desk = Desk(now)
        desk.start(a_plan("progressive-consolation"), 7)
        desk.play(desk.open()[0].key)
        return desk

    return prepared.begin("under way", now, make)


@pytest.mark.long
@pytest.mark.parametrize("name", DOABLE)
def test_an_act_is_foreseen_and_changes_nothing_until_it_is_done(under_way: Desk, name: str) -> None:
    desk, event, window = under_way, under_way.event, Browser(under_way.director)
    said = said_of(name, desk)
    address = url("act", event.key, name)
    match = f"?match={said['match']}" if "match" in said else ""
    assert str(map_page_acts()[name].title) in text(window.get(address + match)).replace("&#x27;", "'")

    before = snapshots.take_snapshot(desk.fresh())
    answer = window.post(address, said)
    if answer.status_code == 200:
        assert "What will happen" in answer.content.decode()
        assert snapshots.take_snapshot(desk.fresh()) == before
        answer = window.post(address, said | {"sure": "yes"})

    assert answer.status_code == 302, answer.content.decode()
    assert snapshots.take_snapshot(desk.fresh()) != before or name in {"call", "pause", "late", "away"}
    ruling = desk.ruling()
    assert ruling.act in RULINGS[name]
    assert ruling.get_act_display() in text(window.get(url("rulings", event.key)))


@pytest.mark.long
def test_acts_are_the_directors_alone(desk: Desk, client: Client) -> None:
    event = desk.start(a_plan("swiss", rounds=3), 4)
    other = accounts.register(email="o@example.org", password=None, name="Other", now=desk.now)
    client.force_login(other)
    before = snapshots.take_snapshot(desk.fresh())

    said = {"match": desk.open()[0].key, "entry": "1", "reason": "Because", "sure": "yes"}
    assert len(map_page_acts()) > 20
    for name in map_page_acts():
        address = url("act", event.key, name)
        assert client.get(address, {"match": said["match"]}).status_code == 403, name
        assert client.post(address, said).status_code == 403, name
        assert snapshots.take_snapshot(desk.fresh()) == before, name


@pytest.mark.long
@pytest.mark.usefixtures("standing_clock")
def test_a_wrong_result_is_corrected_two_rounds_later_and_taken_back(desk: Desk, window: Client) -> None:
    event = desk.start(a_plan("progressive-consolation"), 8)
    for _ in range(2):
        for row in desk.open():
            if desk.row(row.key).state == "ready":
                desk.play(row.key)
    before = snapshots.take_snapshot(desk.fresh())
    first = desk.row("main/1.1")
    said = {"match": "main/1.1", "kind": "played", "score": f"{first.score_b} {first.score_a}"}
    address = url("act", event.key, "correct")

    assert window.post(address, said).status_code == 422, "it needs a reason"
    seen = window.post(address, said | {"reason": "Wrong way round"}).content.decode()
    assert "results no longer count" in seen
    assert "result lost" in seen
    assert first.a
    assert "Not " in seen
    window.post(address, said | {"reason": "Wrong way round", "sure": "yes"})
    assert desk.row("main/1.1").winner_id != first.winner_id

    ruling = desk.ruling()
    assert "Take it back" in text(window.get(url("rulings", event.key)))
    back = url("restore", event.key, str(ruling.pk))
    assert "Take it back: Corrected a result" in text(window.get(back))
    assert "What will happen" in window.post(back, {"reason": "It was right"}).content.decode()
    assert window.post(back, {"reason": "It was right", "sure": "yes"}).status_code == 302
    assert snapshots.take_snapshot(desk.fresh()) == before
    assert "taken back" in text(window.get(url("rulings", event.key)))


def test_the_log_names_who_played_when_a_result_was_entered(desk: Desk, window: Client) -> None:
    event = desk.start(a_plan("single-elimination", draw="listed"), 4)
    desk.play("main/1.1", 1)
    desk.play("main/1.2", 2)
    desk.play("main/2.1", 1)
    assert desk.row("main/1.1").b.number == 4
    desk.do(corrections.correct_result, key="main/1.1", score=(0, 5), reason="Read the wrong way")

    log = text(window.get(url("rulings", event.key)))

    assert "Final: Guest 1 \u2013 Guest 2" in log
    assert "Final: Guest 4" not in log


def test_refusals_keep_what_was_typed(desk: Desk, window: Client) -> None:
    event = desk.start(a_plan("single-elimination"), 4)
    row = desk.open()[0]
    desk.do(incidents.record_walkover, key=row.key, loser=row.a.number)

    for name, said, kept in (
        ("result", {"score": "5 2"}, "5 2"),
        ("forfeit", {"loser": str(row.a.number), "reason": "I saw it"}, "I saw it"),
    ):
        answer = window.post(url("act", event.key, name), {"match": row.key, **said})

        page = answer.content.decode()
        assert answer.status_code == 422
        assert "This match has a result. If it is wrong, correct it." in page
        assert f'value="{kept}"' in page


def test_one_match_with_all_that_was_said(desk: Desk, window: Client) -> None:
    event = desk.start(a_plan("single-elimination"), 4)
    row = desk.open()[0]
    desk.do(incidents.call_match, key=row.key, table="3")

    page = text(window.get(url("pairing", event.key, row.key)))

    for words in ("T3", "Called a match", "No-show", "Double forfeit", "Penalty points for lateness"):
        assert words in page
    assert "Correct the result" not in page
    assert "Open since" in page
    assert window.get(url("pairing", event.key, "main/9.9")).status_code == 404
    desk.play(row.key)
    page = text(window.get(url("pairing", event.key, row.key)))
    assert "Correct the result" in page
    assert "Open since" not in page
    assert "<dt>Decided</dt>" in page
    assert "Double forfeit" not in page


def test_pausing_and_going_on(desk: Desk, window: Client) -> None:
    event = desk.start(a_plan("single-elimination"), 4)

    window.post(url("act", event.key, "pause"), {"reason": "Dinner"})
    assert desk.fresh().paused_at is not None
    page = text(window.get(url("desk", event.key)))
    assert "The event is paused" in page
    assert "<q>Dinner</q>" in page
    forms = re.findall(r'<form class="match__form".*?</form>', page, re.DOTALL)
    assert forms
    for control in re.findall(r"<(?:button|input class)[^>]*>", "".join(forms)):
        assert " disabled" in control
    window.post(url("act", event.key, "resume"), {"reason": ""})
    assert desk.fresh().paused_at is None


@pytest.mark.long
def test_a_round_more_and_put_away(desk: Desk, window: Client) -> None:
    event = desk.start(a_plan("swiss", rounds=1), 4)
    said = {"stage": "1", "reason": ""}
    assert "What will happen" in window.post(url("act", event.key, "add-round"), said).content.decode()
    window.post(url("act", event.key, "add-round"), said | {"sure": "yes"})
    assert Stage.objects.get().options["rounds"] == 2
    desk.play_out()
    assert "Archive the event" in text(window.get(url("desk", event.key)))
    window.post(url("archive", event.key))
    assert desk.fresh().archived_at is not None
    page = text(window.get(url("desk", event.key)))
    assert "Archived: it has left" in page
    assert "Archive the event" not in page


# Rulings


def test_the_rulings_are_read_page_by_page(
    desk: Desk, window: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rulings, "MOST", 3)
    desk.start(a_plan("single-elimination"), 4)
    for key in list(desk.pairs()):
        desk.play(key)
    whole = list(Ruling.objects.filter(tournament=desk.event).order_by("-pk").values_list("pk", flat=True))
    assert len(whole) > 3

    seen, address = [], url("rulings", desk.event.key)
    while address:
        log = window.get(address).context["log"]
        seen += [line.pk for line in log.lines]
        address = f"{url('rulings', desk.event.key)}?before={log.older}" if log.older else ""

    assert seen == whole
    assert window.get(url("rulings", desk.event.key), {"before": "soon"}).status_code == 200


@pytest.mark.long
def test_after_a_result_the_next_one_can_be_typed(desk: Desk, window: Client) -> None:
    """With script the desk comes back in the answer, without one after a redirect; the next field has the focus."""
    event = desk.start(a_plan("single-elimination"), 8)
    keys = [row.key for row in desk.open()]

    def focused(page: str) -> list[str]:
        forms = [part.split("</form>")[0] for part in page.split('<form class="match__form"')[1:]]
        return [key for form in forms for key in keys if f'value="{key}"' in form and "autofocus" in form]

    assert focused(text(window.get(url("desk", event.key)))) == []
    sent = {"match": keys[1], "score": "5 3"}
    page = text(window.post(url("enter_result", event.key), sent, follow=True))
    assert focused(page) == [keys[2]]
    part = text(
        window.post(
            url("enter_result", event.key), {"match": keys[3], "score": "5 3"}, headers={"HX-Request": "true"}
        )
    )
    assert focused(part) == [keys[0]], "after the last comes the first again"
    assert "<html" not in part
    assert 'id="desk" hx-swap-oob' not in part
    assert "5–3 is entered." in part  # noqa: RUF001
    assert 'placeholder="5 0"' not in page
    wrong = window.post(
        url("enter_result", event.key), {"match": keys[2], "score": "9 9"}, headers={"HX-Request": "true"}
    )
    assert wrong.status_code == 422
    assert focused(wrong.content.decode()) == [keys[2]]
    assert desk.row(keys[2]).state == "ready"
