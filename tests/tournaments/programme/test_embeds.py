"""What other sites may frame, and what feed readers read: public events alone, and never a cookie."""

from __future__ import annotations

import re
from datetime import timedelta
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.urls import reverse

from tests.clients import signed_in
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.support import text, url
from tournaments.plan import setup
from tournaments.play import corrections, incidents

ATOM = "{http://www.w3.org/2005/Atom}"


def addresses(desk: Desk) -> dict[str, str]:
    return {
        "bracket": url("embed_bracket", desk.event.key),
        "standings": url("embed_standings", desk.event.key),
        "events": url("embed_events", desk.club.slug),
    }


def test_only_what_is_meant_to_be_framed_can_be(desk: Desk) -> None:
    desk.start(a_plan("single-elimination"), 4)
    client = Client()
    for address in addresses(desk).values():
        answer = client.get(address)
        assert answer.status_code == 200, address
        assert "frame-ancestors *" in answer["Content-Security-Policy"], address
        assert "script-src 'self'" in answer["Content-Security-Policy"], address
        assert "X-Frame-Options" not in answer, address
    for address in (desk.event.get_absolute_url(), url("bracket", desk.event.key), "/"):
        answer = client.get(address)
        assert "frame-ancestors 'none'" in answer["Content-Security-Policy"], address
        assert answer["X-Frame-Options"] == "DENY", address


@pytest.mark.parametrize("name", ["bracket", "standings", "events"])
def test_a_frame_neither_reads_cookies_nor_sets_any(desk: Desk, name: str) -> None:
    desk.start(a_plan("single-elimination"), 4)
    address = addresses(desk)[name]
    director = signed_in(desk.director)
    director.cookies["theme"] = "dark"
    before = {key: morsel.value for key, morsel in director.cookies.items()}

    mine = director.get(address)
    theirs = Client().get(address)

    assert not mine.cookies
    assert not theirs.cookies
    assert {key: morsel.value for key, morsel in director.cookies.items()} == before
    assert 'data-theme="auto"' in text(mine)
    assert "csrf" not in text(mine).lower()
    assert "<form" not in text(mine)
    assert 'data-theme="dark"' in text(Client().get(f"{address}?theme=dark"))
    assert 'data-theme="auto"' in text(Client().get(f'{address}?theme="x'))


def test_a_frame_shows_what_is_played_and_follows_it(desk: Desk) -> None:
    desk.start(a_plan("single-elimination"), 4)
    where = addresses(desk)
    before = text(Client().get(where["bracket"]))
    assert before.count("Guest 1") >= 1
    assert f'data-live="event.{desk.event.key}"' in before
    first = desk.open()[0]
    assert first.a
    assert first.b
    desk.play(first.key)
    after = text(Client().get(where["bracket"]))
    assert after != before
    assert '<base target="_blank">' in after
    for number in range(1, 5):
        assert f"Guest {number}" in text(Client().get(where["standings"]))
    assert "Thursday" in text(Client().get(where["events"]))


def test_a_frame_of_rounds_has_no_picture(desk: Desk) -> None:
    desk.start(a_plan("swiss", rounds=3), 6)
    page = text(Client().get(addresses(desk)["bracket"]))
    assert "sheet-svg" not in page
    assert "Guest 6" in page


def test_drafts_are_framed_by_nobody_and_in_no_feed(desk: Desk) -> None:
    details = setup.Details(name="Secret", starts_at=desk.now)
    draft = setup.draft(club=desk.club, by=desk.director, key="draftdraft", details=details, now=desk.now)
    director = signed_in(desk.director)
    for client in (Client(), director):
        for name in ("embed_bracket", "embed_standings", "results_feed"):
            assert client.get(url(name, draft.key)).status_code == 404, name
        assert "Secret" not in text(client.get(url("embed_events", desk.club.slug)))
        assert "Secret" not in text(client.get(url("events_feed", desk.club.slug)))


def entries(path: str) -> list[ElementTree.Element]:
    response = Client().get(path)
    assert response["Content-Type"].startswith("application/atom+xml")
    assert not response.cookies
    return ElementTree.fromstring(response.content).findall(f"{ATOM}entry")


def read_tag(entry: ElementTree.Element, name: str) -> str:
    return entry.findtext(f"{ATOM}{name}") or ""


def test_the_feed_of_a_club_names_its_events(desk: Desk) -> None:
    desk.announce(a_plan("single-elimination"), 4, place="The Lantern")
    [entry] = entries(url("events_feed", desk.club.slug))
    assert read_tag(entry, "title") == "Thursday"
    assert read_tag(entry, "id") == f"urn:uuid:{desk.event.uid}"
    assert "The Lantern" in read_tag(entry, "summary")
    link = entry.find(f"{ATOM}link")
    assert link.attrib["href"] == f"http://testserver{desk.event.get_absolute_url()}"


def test_the_feed_of_an_event_names_its_results_and_a_corrected_one_is_the_same_entry(desk: Desk) -> None:
    desk.start(a_plan("single-elimination"), 4)
    path = url("results_feed", desk.event.key)
    assert entries(path) == []
    row = desk.play("main/1.1")
    [entry] = entries(path)
    assert read_tag(entry, "id") == f"urn:uuid:{row.uid}"
    names = f"{row.a.player.public_name} \u2013 {row.b.player.public_name}"
    figures = "5 \u2013 0" if row.winner == row.a else "0 \u2013 5"
    assert read_tag(entry, "title") == f"{names}: {figures}"

    assert read_tag(entry, "updated") == read_tag(entry, "published")
    desk.now += timedelta(minutes=1)
    desk.do(corrections.correct_result, key="main/1.1", score=(5, 4), reason="Read wrongly")
    [again] = entries(path)
    assert read_tag(again, "id") == read_tag(entry, "id")
    assert read_tag(again, "updated") > read_tag(entry, "updated"), "readers are told that it is another"
    assert read_tag(again, "title") == f"{names}: 5 \u2013 4"


def test_the_feed_says_in_words_what_was_not_played(desk: Desk) -> None:
    desk.start(a_plan("single-elimination"), 4)
    one, other = desk.open()
    desk.do(incidents.record_forfeit, key=one.key, loser=one.a.number, reason="Gone home")
    desk.do(incidents.record_double_forfeit, key=other.key, reason="Nobody came")
    told = [
        read_tag(entry, "title").partition(": ")[2] for entry in entries(url("results_feed", desk.event.key))
    ]
    assert sorted(told) == ["Double forfeit", f"{one.b.player.public_name} won (Forfeit)"]


def test_the_rows_of_coming_events_keep_clear_of_the_edge_of_the_frame(desk: Desk) -> None:
    desk.start(a_plan("single-elimination"), 4)
    page = text(Client().get(reverse("tournaments:embed_events", args=[desk.club.slug])))
    assert re.search(r'<div class="card">\s*<ul class="list">', page), (
        "rows have their room only as a list in a card"
    )


def test_pages_tell_readers_of_their_feeds(desk: Desk) -> None:
    desk.start(a_plan("single-elimination"), 4)
    page = text(Client().get(desk.event.get_absolute_url()))
    assert f'href="{url("results_feed", desk.event.key)}"' in page
    assert f'href="{url("events_feed", desk.club.slug)}"' in text(
        Client().get(reverse("tournaments:club_events", args=[desk.club.slug]))
    )
