from __future__ import annotations

from collections import Counter
from dataclasses import replace
from hashlib import sha256

import pytest

from draw import facts, seeding, stages
from draw.event import Draw, Entrant, EntrantId, Event, From, LeaveTime, PairingExclusion
from draw.options import BadOption
from tests.draw import kit
from tests.draw.kit import by_key, find_lines


def lines(event: Event) -> list[str | None]:
    return [None if one is None else str(one) for one in find_lines(stages.propose(event))]


def with_all(event: Event, **columns: list[object]) -> Event:
    rows = [
        replace(one, **{name: column[at] for name, column in columns.items()})  # type: ignore[arg-type]
        for at, one in enumerate(event.entrants)
    ]
    return replace(event, entrants=tuple(rows))


def test_by_rating_equal_ones_by_lot() -> None:
    event = with_all(kit.event(4, "single-elimination", draw="rating"), rating=[1500, 1800, 1500, None])
    assert lines(event)[0] == "p2"
    assert lines(event)[1] == "p4"
    seconds = {lines(replace(event, seed=str(seed)))[2] for seed in range(20)}
    assert seconds == {"p1", "p3"}


def test_only_the_best_are_seeded() -> None:
    event = with_all(
        kit.event(8, "single-elimination", draw="rating", seeds=2), rating=[900 + at for at in range(8)]
    )
    tops = [lines(replace(event, seed=str(seed))) for seed in range(30)]
    assert {row[0] for row in tops} == {"p8"}
    assert {row[4] for row in tops} == {"p7"}
    assert len({row[2] for row in tops}) > 2


def test_pots_fill_the_lines_in_order() -> None:
    event = with_all(
        kit.event(8, "single-elimination", draw="pots"), pot=[1, 2, 2, 1, None, None, None, None]
    )
    for seed in range(20):
        row = lines(replace(event, seed=str(seed)))
        assert {row[0], row[4]} == {"p1", "p4"}
        assert {row[2], row[6]} == {"p2", "p3"}


def test_by_hand() -> None:
    event = with_all(kit.event(4, "single-elimination", draw="hand"), seed=[None, None, 1, 2])
    assert lines(event)[0] == "p3"
    assert lines(event)[2] == "p4"
    twice = with_all(kit.event(4, "single-elimination", draw="hand"), seed=[None, 1, 1, 2])
    with pytest.raises(BadOption, match="1 was given twice"):
        stages.propose(twice)


def test_every_line_is_as_likely() -> None:
    event = kit.event(4, "single-elimination")
    first = Counter(lines(replace(event, seed=str(seed)))[0] for seed in range(400))
    assert set(first) == {"p1", "p2", "p3", "p4"}
    assert min(first.values()) > 60


def test_clubs_are_kept_apart_and_seeds_and_byes_stay() -> None:
    event = with_all(
        kit.event(13, "single-elimination", draw="rating", seeds=4, keep_apart=True),
        club=[f"club {at % 3}" for at in range(13)],
        rating=[2000 - at for at in range(13)],
    )
    plain = replace(
        event, stages=(replace(event.stages[0], options=kit.Options.from_values(draw="rating", seeds=4)),)
    )
    for seed in range(20):
        row = lines(replace(event, seed=str(seed)))
        assert [row[0], row[4], row[8], row[12]] == ["p1", "p4", "p2", "p3"]
        assert {one for one in row if one} == set(kit.names(13))
        before = lines(replace(plain, seed=str(seed)))
        assert [at for at, one in enumerate(row) if one is None] == [
            at for at, one in enumerate(before) if one is None
        ]
        clubs = {one.id: one.club for one in event.entrants}
        for a, b in zip(row[::2], row[1::2], strict=True):
            assert a is None or b is None or clubs[EntrantId(a)] != clubs[EntrantId(b)]


def test_what_cannot_be_kept_apart_is_counted() -> None:
    event = with_all(
        kit.event(4, "single-elimination", keep_apart=True),
        family=["Bernoulli"] * 3 + [""],
        club=["", "x", "x", ""],
    )
    reasons = {reason.code: dict(reason.figures) for reason in stages.propose(event).why}
    assert reasons["clashes"] == {"pairs": 1}


def test_nobody_is_exchanged_with_a_bye() -> None:
    event = kit.event(3, "single-elimination", keep_apart=True)
    event = with_all(event, club=["x", "x", "x"])
    for seed in range(6):
        assert {reason.code for reason in stages.propose(replace(event, seed=str(seed))).why} >= {"clashes"}


def test_wishes_keep_apart_too() -> None:
    event = kit.event(4, "single-elimination", keep_apart=True)
    wish = PairingExclusion(frozenset({EntrantId("p1"), EntrantId("p2"), EntrantId("nobody")}))
    for seed in range(20):
        row = lines(replace(event, apart=(wish,), seed=str(seed)))
        assert {"p1", "p2"} not in [set(row[:2]), set(row[2:])]


def test_a_published_draw_is_followed_whatever_happens() -> None:
    event = kit.event(5, "single-elimination")
    drawn = stages.propose(event)
    published = Draw("", tuple(find_lines(drawn)), "random", commitment=seeding.compute_commitment("7"))
    event = replace(event, draws=(published,), seed="another")
    assert stages.propose(event).pairs == drawn.pairs
    fewer = replace(event, entrants=tuple(kit.replace(one, left=LeaveTime.NOW) for one in event.entrants))
    assert lines(fewer) == lines(event)


@pytest.mark.parametrize("lines", [("p1", "p2", "p3"), ("p1", "p1"), ("p1", "stranger")])
def test_lines_that_are_no_sheet_are_refused(lines: tuple[str, ...]) -> None:
    published = Draw("", tuple(EntrantId(one) for one in lines), "by hand")
    with pytest.raises(BadOption, match="draw: has 2, 4, 8"):
        stages.propose(replace(kit.event(5, "single-elimination"), draws=(published,)))


class TestLate:
    def event(self, count: int = 5) -> Event:
        return kit.event(count, "single-elimination", draw="listed")

    def come(self, event: Event, *names: str, **changes: object) -> Event:
        newcomers = tuple(Entrant(EntrantId(name), arrived=2, **changes) for name in names)  # type: ignore[arg-type]
        return replace(event, entrants=(*event.entrants, *newcomers))

    def test_the_lowest_seed_loses_his_bye(self) -> None:
        event = self.come(self.event(), "late", "later")
        proposal = stages.propose(event)
        assert proposal.pairs == (("p4", "p5"), ("p2", "later"), ("p3", "late"))
        assert [bye.entrant for bye in proposal.byes] == ["p1"]
        codes = {(reason.code, reason.about) for reason in proposal.why}
        assert {("late", "late"), ("late", "later")} <= codes

    def test_nobody_moves_once_a_match_was_made(self) -> None:
        event = self.come(self.event(), "late")
        event = facts.make_pairings(event, stages.propose(event))
        earlier = replace(
            event, entrants=(*event.entrants[:5], Entrant(EntrantId("x"), arrived=2), *event.entrants[5:])
        )
        assert by_key(stages.propose(earlier))["main/1.4"].entrants == ("p3", "late")
        assert by_key(stages.propose(earlier))["main/1.3"].entrants == ("p2", "x")

    def test_a_bye_that_was_used_is_gone(self) -> None:
        event = facts.make_pairings(self.event(), stages.propose(self.event()))
        started = by_key(stages.propose(event))["main/2.2"]
        assert started.entrants == ("p2", "p3")
        late = self.come(event, "late", "later")
        assert by_key(stages.propose(late))["main/1.1"].entrants == ("p1", "late")
        assert [reason.about for reason in stages.propose(late).why if reason.code == "no line"] == ["later"]

    def test_the_hand_may_place_him(self) -> None:
        published = Draw(
            "", tuple(find_lines(stages.propose(self.event()))), "listed", late=((2, EntrantId("late")),)
        )
        event = replace(self.come(self.event(), "late", "gone"), draws=(published,))
        assert by_key(stages.propose(event))["main/1.1"].entrants == ("p1", "late")

    def test_a_line_that_is_taken_or_not_there_is_not_his(self) -> None:
        lines = tuple(find_lines(stages.propose(self.event())))
        for line in (1, 99):
            late = replace(
                self.come(self.event(), "late"),
                draws=(Draw("", lines, "x", late=((line, EntrantId("late")),)),),
            )
            assert by_key(stages.propose(late))["main/1.4"].entrants == ("p3", "late")

    def test_one_who_has_left_or_is_away_takes_no_line(self) -> None:
        event = self.come(self.event(), "late", left=LeaveTime.NOW)
        assert by_key(stages.propose(event))["main/1.4"].b.origin is From.NOBODY
        event = replace(self.come(self.event(), "late"), absent=frozenset({EntrantId("late")}))
        event = replace(
            event, rounds=facts.make_pairings(self.event(), stages.propose(self.event())).rounds[:0]
        )
        assert by_key(stages.propose(event))["main/1.4"].b.origin is From.NOBODY

    def test_two_lines_that_are_both_empty_are_no_bye(self) -> None:
        published = Draw("", (EntrantId("p1"), EntrantId("p2"), None, None), "by hand")
        event = replace(self.come(self.event(2), "late"), draws=(published,))
        assert [reason.code for reason in stages.propose(event).why if reason.about == "late"] == ["no line"]

    def test_a_sheet_counted_without_byes_has_no_room(self) -> None:
        event = kit.event(24, "single-elimination", draw="listed", sides=("c: AB.C.D.|.|.",))
        assert [
            reason.code for reason in stages.propose(self.come(event, "late")).why if reason.about == "late"
        ] == ["no line"]


def test_a_commitment_fits_one_seed() -> None:
    promised = seeding.compute_commitment("s3cret")
    assert promised == sha256(b"barpoint draw\ns3cret").hexdigest()
    assert seeding.is_committed("s3cret", promised.upper())
    assert not seeding.is_committed("secret", promised)


def test_sizes() -> None:
    assert [seeding.compute_size(count) for count in (0, 1, 2, 3, 4, 5, 1024)] == [0, 1, 2, 4, 4, 8, 1024]
    assert seeding.place_seeds(()) == ()
