"""Chat: the readers of a message, limits, permitted text, and deletion."""

from __future__ import annotations

import json
import time
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection

from engine.side import Side
from matches.models import ChatLine, Mute, Report, Room
from matches.play import chat, match_access
from matches.state import commands
from matches.state.errors import NotAllowed, TooMuchTalk
from players.accounts import accounts, exports
from players.clubs import clubs
from players.hooks import player_merged
from players.models import Notice, Player, Role, User
from runtime.models import TopicEvent
from tests.matches.http import Caller
from tests.matches.support import Table, club_terms, person
from tests.runtime.support import together

pytestmark = pytest.mark.django_db
WHITE, BLACK = Side


class Hall:
    """A match in a club, with two players, two spectators, an owner and a director, and an anonymous visitor."""

    def __init__(self, now: datetime, **agreed: Any) -> None:
        self.now = now
        self.people = {name: person(name.title(), now) for name in ("ann", "ben", "cid", "dot", "eve", "fay")}
        self.club = clubs.create(owner=self.people["eve"], name="Here", now=now)
        self.make_director("fay")
        self.table = Table(
            now,
            players=(self.people["ann"].player, self.people["ben"].player),
            club=self.club,
            agreed=club_terms(1, **agreed),
        )
        self.callers = {name: Caller(user) for name, user in self.people.items()}
        self.callers["nobody"] = Caller(None)
        self.said = 0

    def make_director(self, name: str) -> None:
        player = self.people[name].player
        clubs.join(club=self.club, player=player, now=self.now)
        clubs.set_role(club=self.club, player=player, role=Role.DIRECTOR, by=self.people["eve"], now=self.now)

    @property
    def path(self) -> str:
        return f"matches/{self.table.match.key}/chat/"

    def say(self, name: str, text: str, *, status: int = 201, **more: Any) -> Any:
        self.said += 1
        body = {"text": text, "key": f"line-{self.said:06d}", **more}
        return self.callers[name].post(self.path, body, status=status)

    def read(self, name: str, **query: Any) -> Any:
        return self.callers[name].get(self.path, **query)

    def texts(self, name: str) -> list[str]:
        return [line["text"] for line in self.read(name)["lines"]]

    def view(self, name: str) -> match_access.View:
        found = match_access.load_view(self.table.row, self.people[name])
        assert found is not None
        return found

    def speak(self, name: str, text: str, key: str = "", **more: Any) -> ChatLine:
        self.said += 1
        return chat.post_line(
            seen=self.view(name),
            author=self.people[name].player,
            text=text,
            client_key=key or f"line-{self.said:06d}",
            now=self.now,
            **more,
        )[0]

    def list_events(self, room: Room) -> list[tuple[str, Any]]:
        rows = TopicEvent.objects.filter(topic=f"chat.{self.table.match.key}.{room.value}").order_by("seq")
        return list(rows.values_list("name", "data"))


@pytest.fixture
def hall(now: datetime, monkeypatch: pytest.MonkeyPatch) -> Hall:
    found = Hall(now)
    monkeypatch.setattr("django.utils.timezone.now", lambda: found.now)
    return found


# Who hears whom


@pytest.mark.long
def test_what_the_players_said_stays_theirs_and_they_may_read_the_spectators_afterwards(hall: Hall) -> None:
    hall.say("ann", "Good luck")
    hall.say("ben", "And to you")
    hall.say("cid", "She should have doubled")
    for name in ("ann", "ben"):
        assert hall.texts(name) == ["Good luck", "And to you"]
    for name in ("cid", "dot"):
        assert hall.texts(name) == ["She should have doubled"]
    everything = ["Good luck", "And to you", "She should have doubled"]
    for name in ("eve", "fay"):
        assert hall.texts(name) == everything
    assert hall.texts("nobody") == []
    hall.table.begin()
    hall.table.give(WHITE, commands.Concede())
    for name in ("ann", "ben", "eve", "fay"):
        assert hall.texts(name) == everything
    for name in ("cid", "dot"):
        assert hall.texts(name) == ["She should have doubled"]
        assert hall.read(name)["reads"] == ["gallery"]
    assert hall.texts("nobody") == []


@pytest.mark.long
def test_everybody_talks_in_their_own_room(hall: Hall) -> None:
    rooms = {name: hall.read(name)["writes"] for name in hall.callers}
    assert rooms == {
        "ann": ["players"], "ben": ["players"], "cid": ["gallery"], "dot": ["gallery"],
        "eve": ["players", "gallery"], "fay": ["players", "gallery"], "nobody": [],
    }  # fmt: skip
    assert hall.say("cid", "hello", room="players", status=403)["code"] == "not-your-room"
    assert hall.say("ann", "hello", room="gallery", status=403)["code"] == "not-your-room"
    assert hall.say("nobody", "hello", status=401)["code"] == "not_authenticated"
    assert hall.say("fay", "Ten minutes", room="gallery")["room"] == "gallery"
    assert hall.say("fay", "Ten minutes")["room"] == "players"
    assert ChatLine.objects.count() == 2


def test_a_line_goes_to_its_own_stream(hall: Hall) -> None:
    line = hall.say("ann", "Good luck")
    assert hall.list_events(Room.PLAYERS) == [("said", line)]
    assert hall.list_events(Room.GALLERY) == []
    assert line["author"] == {"key": hall.people["ann"].player.key, "name": "Ann"}


def test_where_talk_is_off_there_is_none(now: datetime) -> None:
    hall = Hall(now, has_chat=False)
    for name in ("ann", "cid", "fay"):
        assert hall.say(name, "hello", status=403)["code"] == "chat-off"
        found = hall.read(name)
        assert (found["reads"], found["writes"], found["lines"]) == ([], [], [])
    topics = match_access.load_view(hall.table.row, hall.people["ann"]).topics  # type: ignore[union-attr]
    assert not any(topic.startswith("chat.") for topic in topics)


# What may be said, and how much


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "invalid"),
        ("  \n ", "empty_line"),
        ("\u200d", "empty_line"),
        ("pay \u202eme", "hidden_characters"),
        ("a\x00b", "invalid"),
        ("a\x07b", "hidden_characters"),
        ("zero\u200bwidth", "hidden_characters"),
        ("a" + "\u0301" * 9, "hidden_characters"),
        ("x" * 301, "too_long"),
        ("x" * 2000, "invalid"),
    ],
)
def test_a_line_that_cannot_be_read_is_refused(hall: Hall, text: str, code: str) -> None:
    assert hall.say("ann", text, status=400)["code"] == code
    assert not ChatLine.objects.exists()


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (" well\n\tplayed ", "well played"),
        (":-)", ":-)"),
        ("<b>&amp;</b>", "<b>&amp;</b>"),
        ("👩\u200d🎲", "👩\u200d🎲"),
        ("x" * 300, "x" * 300),
        ("e\u0301", "é"),
    ],
)
def test_a_line_is_kept_in_one_spelling(hall: Hall, text: str, kept: str) -> None:
    assert hall.say("ann", text)["text"] == kept


def test_the_same_line_sent_twice_is_said_once(hall: Hall) -> None:
    first = hall.callers["ann"].post(hall.path, {"text": "Hi", "key": "my-line-1"}, status=201)
    again = hall.callers["ann"].post(hall.path, {"text": "Hi", "key": "my-line-1"}, status=200)
    assert first == again
    other = hall.callers["ben"].post(hall.path, {"text": "Hi", "key": "my-line-1"}, status=201)
    assert other["key"] != first["key"], "a key belongs to its author"
    assert len(hall.list_events(Room.PLAYERS)) == 2


@pytest.mark.parametrize("body", [{"text": "Hi"}, {"text": "Hi", "key": "short"}, {"key": "my-line-1"}, []])
def test_a_body_that_is_none_is_refused(hall: Hall, body: Any) -> None:
    assert hall.callers["ann"].post(hall.path, body, status=400)["code"] == "invalid"


def test_nobody_says_more_than_others_can_read(hall: Hall) -> None:
    for n in range(5):
        hall.say("ann", f"line {n}")
        hall.now += timedelta(seconds=1)
    answer = hall.callers["ann"].send(hall.path, {"text": "more", "key": "one-too-many"})
    assert answer.status_code == 429
    assert json.loads(answer.content)["code"] == "too-much-talk"
    assert answer["Retry-After"] == "5"
    hall.say("ben", "Slowly!")
    hall.now += timedelta(seconds=5, milliseconds=1)
    hall.say("ann", "sorry")


def all_at_once(hall: Hall) -> list[str]:
    """Three more lines of one who has one left, each counted before any is written, if that is possible."""
    for n in range(4):
        hall.speak("ann", f"line {n}")

    def more(n: int) -> str:
        try:
            hall.speak("ann", "more", key=f"at-once-{n}")
        except TooMuchTalk:
            return "too much"
        return "said"

    return sorted(together(3, more))


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_guarded", [True, False])
@pytest.mark.long
def test_lines_at_once_are_counted_one_after_the_other(
    now: datetime, monkeypatch: pytest.MonkeyPatch, *, is_guarded: bool
) -> None:
    if not is_guarded:
        if connection.vendor != "postgresql":
            pytest.skip("SQLite lets one write at a time anyway")
        monkeypatch.setattr(chat, "_lock_author", lambda author: None)
    count = chat._enforce_rate_limit

    def count_slowly(*args: Any, **kwargs: Any) -> None:
        count(*args, **kwargs)
        time.sleep(0.3)

    monkeypatch.setattr(chat, "_enforce_rate_limit", count_slowly)
    met = all_at_once(Hall(now))
    assert met == (["said", "too much", "too much"] if is_guarded else ["said"] * 3)


@pytest.mark.django_db(transaction=True)
def test_one_line_sent_twice_at_once_is_one_line(now: datetime) -> None:
    hall = Hall(now)
    keys = together(3, lambda _: hall.speak("ann", "hi", key="the-same-line").key)
    assert len(set(keys)) == 1
    assert ChatLine.objects.count() == 1


def test_long_talk_is_read_page_by_page(hall: Hall) -> None:
    ChatLine.objects.bulk_create(
        ChatLine(
            match=hall.table.match,
            room=Room.PLAYERS,
            author=hall.people["ann"].player,
            text=f"line {n}",
            client_key=f"k{n}",
            at=hall.now + timedelta(seconds=n // 3),
        )
        for n in range(230)
    )
    pages, before = [], ""
    while True:
        found = hall.read("ben", **({"before": before} if before else {}))
        pages.append([line["text"] for line in found["lines"]])
        if not found["more"]:
            break
        before = found["lines"][0]["key"]
    assert [len(page) for page in pages] == [100, 100, 30]
    assert [text for page in reversed(pages) for text in page] == [f"line {n}" for n in range(230)]
    assert hall.read("ben", before="nothing000")["lines"] == []


# Not to listen


def test_whom_one_mutes_is_told_with_the_talk(hall: Hall) -> None:
    ann, ben = hall.callers["ann"], hall.people["ben"].player
    hall.say("ben", "bla bla")
    for _ in range(2):
        assert ann.send("mutes/", {"player": ben.key}).status_code == 204
    assert ann.list("mutes/") == [{"key": ben.key, "name": "Ben"}]
    assert hall.read("ann")["muted"] == [ben.key]
    assert hall.read("ben")["muted"] == []
    assert ann.client.delete(f"/api/v1/mutes/{ben.key}/").status_code == 204
    assert hall.read("ann")["muted"] == []


def test_one_mutes_others_who_are_there(hall: Hall) -> None:
    ann = hall.callers["ann"]
    assert (
        ann.post("mutes/", {"player": hall.people["ann"].player.key}, status=409)["code"] == "mute-yourself"
    )
    ann.post("mutes/", {"player": "nobody0000"}, status=404)
    assert not Mute.objects.exists()


# To complain, and to take away


def test_a_report_reaches_the_directors_once(hall: Hall) -> None:
    line = hall.say("ben", "You cheat")
    for name in ("ann", "ann"):
        answer = hall.callers[name].send(f"{hall.path}{line['key']}/report/", {"reason": "rude"})
        assert answer.status_code == 204
    notices = Notice.objects.filter(dedupe_key=f"chat-report:{line['key']}")
    assert {notice.user for notice in notices} == {hall.people["eve"], hall.people["fay"]}
    assert all("You cheat" in notice.text and "Ben" in notice.text for notice in notices)
    assert Report.objects.get().reason == "rude"


def test_without_a_club_those_who_run_the_site_are_told(now: datetime) -> None:
    table = Table(now)
    root = person("Root", now)
    User.objects.filter(pk=root.pk).update(is_superuser=True)
    seen = match_access.load_view(table.row, table.black.user)
    said, _ = chat.post_line(seen=seen, author=table.black, text="Boo", client_key="a-line-1", now=now)
    chat.report(
        seen=match_access.load_view(table.row, table.white.user),
        key=said.key,
        by=table.white,
        reason="",
        now=now,
    )
    assert Notice.objects.get().user == root


def test_a_director_who_said_it_is_not_asked_about_it(hall: Hall) -> None:
    line = hall.say("fay", "Play faster, snails")
    hall.callers["ann"].send(f"{hall.path}{line['key']}/report/", {})
    assert [notice.user for notice in Notice.objects.all()] == [hall.people["eve"]]


def test_what_one_cannot_read_one_cannot_report(hall: Hall) -> None:
    line = hall.say("cid", "Look at that")
    hall.callers["ann"].post(f"{hall.path}{line['key']}/report/", {}, status=404)
    answer = hall.callers["cid"].post(f"{hall.path}{line['key']}/report/", {}, status=409)
    assert answer["code"] == "own-line"
    hall.callers["ann"].post(f"{hall.path}nothing000/report/", {}, status=404)
    assert not Report.objects.exists()


@pytest.mark.long
def test_nobody_reports_everything(hall: Hall) -> None:
    lines = []
    for n in range(11):
        lines.append(hall.say("ben", f"line {n}"))
        hall.now += timedelta(seconds=3)
    met = [hall.callers["ann"].send(f"{hall.path}{line['key']}/report/", {}).status_code for line in lines]
    assert met == [204] * 10 + [429]


def test_a_line_that_is_hidden_is_gone_for_all_but_directors(hall: Hall) -> None:
    line = hall.say("ben", "You cheat")
    for name in ("ann", "ben", "cid"):
        met = hall.callers[name].send(f"{hall.path}{line['key']}/hide/", {}).status_code
        assert met in {403, 404}
    for _ in range(2):
        hidden = hall.callers["fay"].post(f"{hall.path}{line['key']}/hide/", {}, status=200)
        assert hidden["hidden"]
    assert hall.texts("ann") == [""]
    assert hall.texts("ben") == [""]
    assert hall.texts("eve") == ["You cheat"]
    gone = {"key": line["key"], "room": "players"}
    assert hall.list_events(Room.PLAYERS) == [("hidden", gone), ("hidden", gone)], (
        "nobody can read it up there either"
    )
    assert ChatLine.objects.get().hidden_by == hall.people["fay"].player


def test_a_director_who_plays_hides_nothing(hall: Hall) -> None:
    hall.make_director("ann")
    line = hall.speak("ben", "Hm")
    with pytest.raises(NotAllowed):
        chat.hide(seen=hall.view("ann"), key=line.key, by=hall.people["ann"].player, now=hall.now)


# What becomes of it when people do


def test_who_leaves_has_said_nothing(hall: Hall) -> None:
    hall.speak("cid", "secret of mine")
    hall.speak("dot", "me too")
    chat.mute(player=hall.people["dot"].player, muted=hall.people["cid"].player)
    chat.mute(player=hall.people["cid"].player, muted=hall.people["ann"].player)
    line = ChatLine.objects.get(text="me too")
    chat.report(seen=hall.view("cid"), key=line.key, by=hall.people["cid"].player, reason="x", now=hall.now)
    accounts.erase(user=hall.people["cid"], now=hall.now)
    assert [line.text for line in ChatLine.objects.all()] == ["me too"]
    assert not Mute.objects.exists()
    assert not Report.objects.exists()
    assert "secret of mine" not in json.dumps(hall.list_events(Room.GALLERY))
    assert hall.list_events(Room.GALLERY)[-1][0] == "hidden"


def test_two_rows_of_one_person_talk_as_one(hall: Hall) -> None:
    kept, dropped, dot = (hall.people[name].player for name in ("cid", "ann", "dot"))
    said = [hall.speak("cid", "a", key="the-key-1"), hall.speak("dot", "b")]
    ChatLine.objects.create(
        match=hall.table.match,
        room=Room.GALLERY,
        author=dropped,
        text="c",
        client_key="the-key-1",
        at=hall.now,
    )
    for one, other in ((kept, dropped), (dropped, kept), (kept, dot), (dropped, dot), (dot, dropped)):
        chat.mute(player=one, muted=other)
    for by in (kept, dropped):
        Report.objects.create(line=said[1], by=by, at=hall.now)
    chat.move_chat(kept=kept, dropped=dropped)
    assert {line.text for line in ChatLine.objects.filter(author=kept)} == {"a", "c"}
    assert set(Mute.objects.values_list("player", "muted")) == {(kept.pk, dot.pk), (dot.pk, kept.pk)}
    assert Report.objects.get().by == kept
    assert player_merged.has_listeners()


def test_an_export_holds_what_was_said(hall: Hall) -> None:
    hall.speak("ann", "Good luck")
    chat.mute(player=hall.people["ann"].player, muted=hall.people["ben"].player)
    found = chat.export_chat(Player.objects.get(user=hall.people["ann"]))
    assert found["muted"] == ["Ben"]
    assert [line["text"] for line in found["said"]] == ["Good luck"]  # type: ignore[attr-defined]
    export = exports.request_export(user=hall.people["ann"], now=hall.now)
    exports.write_export({"export_id": export.pk}, now=hall.now)
    export.refresh_from_db()
    assert json.loads(export.content)["talk"]["said"][0]["text"] == "Good luck"
