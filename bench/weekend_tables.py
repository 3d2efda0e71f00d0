"""People at the tables of `bench.weekend`: phones without an account, score sheets, records, helpers, and the till."""

from __future__ import annotations

import functools
import json
import random
import re
import threading
import time
import uuid
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from html import unescape
from typing import Any, Final

from bench.weekend_hand import Hand
from bench.weekend_people import choose_score, is_over, list_open
from engine import formats
from engine.side import BySide
from tests.samples import bouts

LETTERS: Final = re.compile(rb'<strong class="letters">([^<]+)</strong>')
LINK: Final = re.compile(rb"/helping/([A-Za-z0-9_:.-]+)/")
HELPER: Final = re.compile(rb'name="helper" value="(\d+)"')
EXPECTED: Final = re.compile(
    rb'name="match" value="([^"]+)">\s*<input type="hidden" name="expects" value="([^"]*)"'
)
ENTERED: Final = b" is entered."
OPTION: Final = re.compile(rb'<option value="(\d+)"')
SEEN: Final = re.compile(rb'name="saw" value="([^"]*)"')
RECORDS: Final = {1: "one-point", 3: "three-points", 5: "five-points"}
# Outcomes of a record that leave its result standing.
DECIDED: Final = frozenset({"confirmed", "entered", "fits"})
LONGEST_VERDICT: Final = 120.0
# So many results a helper enters before the link is taken back.
HELPED: Final = 6
# Money of the events that have some: cents and percents.
FEE: Final = 2000
REGISTRATION: Final = 300
ADDED: Final = 5000
STAKE: Final = 500
RAKE_PERCENT: Final = 10
PRIZES: Final = (50, 30, 20)


class Phone:
    """A phone that was put at a match by its code, for one of the two players."""

    def __init__(self, director: Hand, code: str, row: dict[str, Any], side: str) -> None:
        # In the network of the club.
        self.hand = Hand(director.url, director.journal, source=director.source)
        self.entry = row[side]["entry"]
        self._code = code
        self._match = row["uid"]

    def say(self, act: str, **fields: Any) -> bool:
        """Claim a seat, report, confirm or dispute. True if the server accepted it."""
        body = {"act": act, "match": self._match, **fields}
        return self.hand.call(f"phone {act}", "POST", f"codes/{self._code}/", body)[0] == 200

    def tap(self, number: int, winner: str, key: str) -> bool:
        """Write down a game on the sheet."""
        body = {"do": "game", "key": key, "number": number, "winner": winner, "end": "single", "cube": 1}
        return self.hand.call("phone sheet", "POST", f"codes/{self._code}/sheet/", body)[0] == 200

    def close(self) -> None:
        self.hand.close()


def keep_tables(
    director: Hand,
    pages: Hand,
    events: Sequence[str],
    pace: float,
    over: threading.Event,
    chance: random.Random,
) -> None:
    """Play at the tables of these events: players report by phone, or keep the score, and the other one answers."""
    going = list(events)
    while going and not over.is_set():
        event = chance.choice(going)
        if rows := list_open(director, event):
            row = chance.choice(rows)
            if code := find_code(pages, event, row["key"]):
                _play_at_table(director, pages, event, row, code, chance)
        elif is_over(director, event):
            going.remove(event)
        time.sleep(chance.expovariate(1 / pace))


def find_code(pages: Hand, event: str, key: str) -> str:
    """Return the code of a match as a player finds it: by typing the letters of its card; "" if it has none."""
    found = LETTERS.search(pages.read("page code", f"/events/{event}/code/{key}/", anew=True))
    if found is None:
        return ""
    answer = pages.post_form("letters", "/m/", letters=found[1].decode())
    return answer.location.removeprefix("/m/").rstrip("/")


def _play_at_table(
    director: Hand, pages: Hand, event: str, row: dict[str, Any], code: str, chance: random.Random
) -> None:
    journal = director.journal
    one, other = (Phone(director, code, row, side) for side in chance.sample("ab", 2))
    try:
        if not (one.say("who", player=one.entry) and other.say("who", player=other.entry)):
            return
        by_sheet = chance.random() < 0.4
        score = _keep_score(one, row["length"], chance) if by_sheet else choose_score(row["length"], chance)
        if not score or not (by_sheet or one.say("report", score=score)):
            return
        body = {"key": row["key"], "score": score}
        roll = chance.random()
        if roll < 0.8 and other.say("confirm", score=score):
            journal.note_act(event, {"act": "confirm", **body}, {})
        elif roll < 0.9 and other.say("dispute", score=score):
            director.act(event, "rule", **body, decision="result", reason="both were asked")
    finally:
        one.close()
        other.close()


def _keep_score(phone: Phone, length: int, chance: random.Random) -> list[int]:
    """Write down a match game by game, with a network failure in the middle.

    Return its score, empty if refused. The taps made during the failure are sent afterwards, and the last tap
    before it is sent again.
    """
    winners, score = [], [0, 0]
    while max(score) < length:
        side = chance.randrange(2)
        score[side] += 1
        winners.append("ab"[side])
    taps = [(number, winner, uuid.uuid4().hex) for number, winner in enumerate(winners, 1)]
    cut = chance.randrange(len(taps))
    for tap in (*taps[:cut], *taps[max(0, cut - 1) :]):
        if not phone.tap(*tap):
            return []
    return score


@functools.cache
def read_record(length: int) -> tuple[bytes, list[int]]:
    """Return the record of a match of so many points, and its score, White's points first."""
    name = RECORDS[length]
    played = bouts.play(bouts.BOUTS[name], f"{name} weekend", BySide("Ada", "Bo"))
    # What is won beyond the length of the match does not count.
    return formats.write(played.record, "mat"), [min(points, length) for points in played.scorer.score]


def hand_in(director: Hand, club: str, event: str, row: dict[str, Any]) -> None:
    """Hand in the record of a match, and say who was White, until there is a verdict."""
    data, score = read_record(row["length"])
    answer = director.upload("record", "/api/v1/records/", ("match.mat", data), club=club, match=row["uid"])
    if answer.status != 202:
        director.journal.note_refusal(f"record {answer.status}")
        return
    key = json.loads(answer.text)["submissions"][0]["key"]
    outcome = _await_outcome(director, key)
    if (
        outcome == "who"
        and director.call("record who", "POST", f"records/{key}/who/", {"white": "a"})[0] == 200
    ):
        outcome = _await_outcome(director, key)
    if outcome in DECIDED:
        director.journal.note_act(
            event, {"act": "record", "key": row["key"], "score": score}, {"outcome": outcome}
        )
    else:
        director.journal.note_refusal(f"record {outcome or 'without a verdict'}")


def _await_outcome(director: Hand, key: str) -> str:
    began = time.monotonic()
    while time.monotonic() - began < LONGEST_VERDICT:
        told = json.loads(director.read("record verdict", f"/api/v1/records/{key}/", anew=True))
        if told["state"] != "waiting" and told["outcome"]:
            director.journal.note("record judged after", time.monotonic() - began)
            return str(told["outcome"])
        time.sleep(1.0)
    director.journal.note_error(f"record {key} has no verdict after {LONGEST_VERDICT:.0f} s")
    return ""


def keep_records(
    director: Hand,
    club: str,
    events: Sequence[str],
    pace: float,
    over: threading.Event,
    chance: random.Random,
) -> None:
    """Hand in records of open matches now and then."""
    while not over.wait(chance.expovariate(1 / pace)):
        event = chance.choice(events)
        if rows := [row for row in list_open(director, event) if row["length"] in RECORDS]:
            hand_in(director, club, event, chance.choice(rows))
        elif all(is_over(director, each) for each in events):
            return


def help_out(
    director: Hand, pages: Hand, event: str, pace: float, over: threading.Event, chance: random.Random
) -> None:
    """Enter results as a helper until the link is taken back, and try once more."""
    pages.post_form("make a helper's link", f"/events/{event}/helpers/", name="Anna")
    page = pages.read("page helpers", f"/events/{event}/helpers/", anew=True)
    link, number = LINK.search(page), HELPER.search(page)
    if link is None or number is None:
        director.journal.note_error(f"{event} has no link for a helper")
        return
    helper = Hand(director.url, director.journal, source=director.source)
    helper.post_form("take up a helper's link", f"/helping/{link[1].decode()}/")
    entered = 0
    while entered < HELPED and not over.is_set():
        entered += _enter_as_helper(director, helper, event, chance) is not None
        if is_over(director, event) or over.wait(chance.expovariate(1 / pace)):
            break
    pages.post_form("take a link back", f"/events/{event}/helpers/back/", helper=number[1].decode())
    answer = helper.post_form(
        "helper without a link", f"/events/{event}/helping/result/", match="1", score="1 0"
    )
    if answer.status != 403:
        director.journal.note_error(f"a helper whose link was taken back is answered {answer.status}")
    helper.close()


def _enter_as_helper(director: Hand, helper: Hand, event: str, chance: random.Random) -> list[int] | None:
    """Enter one result; return its score, or None if there is nothing to enter or it was refused."""
    page = helper.read("page helping", f"/events/{event}/helping/", anew=True)
    lengths = {row["key"]: row["length"] for row in list_open(director, event)}
    open_rows = [(unescape(key.decode()), unescape(seen.decode())) for key, seen in EXPECTED.findall(page)]
    open_rows = [(key, seen) for key, seen in open_rows if key in lengths]
    if not open_rows:
        return None
    key, seen = chance.choice(open_rows)
    score = choose_score(lengths[key], chance)
    answer = helper.post_form(
        "helper result",
        f"/events/{event}/helping/result/",
        match=key,
        score=f"{score[0]} {score[1]}",
        expects=seen,
    )
    if helper.was_repeated:
        with director.journal.lock:
            director.journal.unsure[event] += 1
    # The next page says what was entered, or that it had been done already.
    if answer.status != 302 or ENTERED not in helper.read(
        "page helping", f"/events/{event}/helping/", anew=True
    ):
        director.journal.note_refusal(f"helper result {answer.status}")
        return None
    director.journal.note_act(event, {"act": "help", "key": key, "score": score}, {})
    return score


def set_money(director: Hand, event: str) -> None:
    """Set fees, prizes and a side pool, before the event begins."""
    terms = {
        "currency": "EUR", "decimals": 2, "fee": FEE, "registration": REGISTRATION, "added": ADDED,
        "rake_percent": str(RAKE_PERCENT), "prizes": {"main": [str(share) for share in PRIZES]},
    }  # fmt: skip
    director.call("money terms", "PUT", f"events/{event}/money/", terms)
    pool = {"name": "Side pool", "stake": STAKE, "prizes": ["100"]}
    director.call("money pool", "POST", f"events/{event}/money/pools/", pool)


def keep_till(
    director: Hand, events: Sequence[str], seconds: float, over: threading.Event, chance: random.Random
) -> None:
    """Take fees and stakes in so many seconds, take some back, pay for the hall, and pay out what is due in the end."""
    todo = [(event, row["number"]) for event in events for row in director.list(f"events/{event}/entries/")]
    chance.shuffle(todo)
    for event, number in todo:
        if over.wait(chance.expovariate(len(todo) / seconds)):
            break
        lines = write(director, event, act="pay", entrant=number)
        if lines and chance.random() < 0.1:
            for line in lines:
                write(director, event, act="take_back", line=line["number"], note="gave a note of ten")
            write(director, event, act="pay", entrant=number)
        if chance.random() < 0.3:
            write(director, event, act="stake", entrant=number, pool=1)
        if chance.random() < 0.05:
            write(director, event, act="spend", amount=chance.randrange(100, 900), note="coffee")
    going = {*events}
    while going and not over.wait(1.0):
        going -= pay_out_ended(director, going)
    # An event can end in the moment in which everybody stops waiting.
    pay_out_ended(director, going)


def pay_out_ended(director: Hand, events: Iterable[str]) -> set[str]:
    """Pay out what is due in the events that are over; return them."""
    ended = {event for event in events if is_over(director, event)}
    for event in ended:
        pay_out(director, event)
    return ended


def pay_out(director: Hand, event: str) -> None:
    """Pay out everything that is due."""
    money = json.loads(director.read("API money", f"/api/v1/events/{event}/money/", anew=True))
    for due in money["due"]:
        if due["amount"]:
            write(director, event, act="pay_out", entrant=due["entrant"], amount=due["amount"])


def write(director: Hand, event: str, **fields: Any) -> list[dict[str, Any]]:
    """Write into the ledger of an event; return its lines, none if it was refused."""
    status, lines = director.call(f"money {fields['act']}", "POST", f"events/{event}/money/lines/", fields)
    if status != 201:
        return []
    with director.journal.lock:
        director.journal.money.setdefault(event, []).extend(lines)
    return list(lines)


def open_room(pages: Hand, club: str, tables: int) -> str:
    """Open a room with tables; return its name, by which the forms of events offer it."""
    name = f"Hall {uuid.uuid4().hex[:4]}"
    pages.post_form("open a room", f"/clubs/{club}/rooms/new/", name=name, tables=f"1-{tables}")
    return name


def use_room(pages: Hand, event: str) -> None:
    """Switch on automatic calls to the tables of the club's room."""
    page = pages.read("page room", f"/events/{event}/room/", anew=True)
    room, seen = OPTION.search(page), SEEN.search(page)
    if room is None:
        pages.journal.note_error(f"{event}: no room to choose")
        return
    pages.post_form(
        "choose a room",
        f"/events/{event}/room/",
        room=room[1].decode(),
        mode="automatic",
        saw=unescape(seen[1].decode()) if seen else "",
    )


def watch_rooms(hand: Hand, clubs: Sequence[str], over: threading.Event, _chance: random.Random) -> None:
    """Check every ten seconds that no player is called to two tables and no table has two matches."""
    while not over.wait(10.0):
        for club in clubs:
            for room in hand.list(f"clubs/{club}/rooms/"):
                for problem in find_double_calls(room["calls"]):
                    hand.journal.note_error(f"room of {club}: {problem}")


def find_double_calls(calls: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Yield each match that is at two tables, and each table with two matches."""
    matches = Counter((call["event"], call["match"]) for call in calls)
    tables = Counter(call["table"] for call in calls)
    for what, count in [*matches.items(), *tables.items()]:
        if count > 1:
            yield f"{what} is called {count} times"
