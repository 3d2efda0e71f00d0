"""The next match to call: by the published order, for every state of the room."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from venue.queue import (
    FREE,
    STREAM,
    Call,
    MatchId,
    Name,
    QueueResult,
    ReadyMatch,
    ReservedTable,
    RoomNow,
    RunningMatch,
    StreamRequest,
    TableId,
    TableNow,
    compute_result,
    describe_reason,
    find_next_calls,
    find_reason,
    needs_stream_table,
    sort_matches,
)

pytestmark = pytest.mark.pure

NOW = 100_000.0
NAMES = [Name(f"p{number}") for number in range(12)]
TABLES = [TableId(f"t{number}") for number in range(6)]


def ready(
    match: str, players: str, *, since: float = NOW, blocks: int = 0, fixed: str | None = None
) -> ReadyMatch:
    """A match of players with names of one letter."""
    return ReadyMatch(
        MatchId(match), tuple(map(Name, players)), since, blocks, None if fixed is None else TableId(fixed)
    )


def room(
    *waiting: ReadyMatch,
    tables: str = "1",
    running: dict[str, str] | None = None,
    free_since: dict[str, float] | None = None,
) -> RoomNow:
    """A room of free tables with names of one letter."""
    return RoomNow(
        now=NOW,
        tables=tuple(TableNow(TableId(name)) for name in tables),
        running=tuple(
            RunningMatch(TableId(at), tuple(map(Name, who))) for at, who in (running or {}).items()
        ),
        ready=waiting,
        free_since={Name(player): at for player, at in (free_since or {}).items()},
    )


def called(given_room: RoomNow) -> list[tuple[str, str]]:
    return [(call.match, call.table) for call in find_next_calls(given_room)]


times = st.integers(0, 120).map(lambda minutes: NOW - 60 * minutes)


@st.composite
def rooms(draw: st.DrawFn) -> RoomNow:
    """Any room: players in several matches, tables in every state, byes, matches fixed to tables."""
    tables = tuple(
        TableNow(name, draw(st.sampled_from(["free", "free", "held", "broken"])))
        for name in TABLES[: draw(st.integers(0, 6))]
    )
    at = st.none() | st.sampled_from(TABLES)
    few = st.lists(st.sampled_from(NAMES), max_size=2, unique=True).map(tuple)
    running = tuple(RunningMatch(draw(at), who) for who in draw(st.lists(few, max_size=2)))
    waiting = tuple(
        ReadyMatch(
            MatchId(f"m{number}"),
            draw(few),
            draw(times),
            draw(st.integers(0, 2)),
            draw(st.none() | st.sampled_from([table.id for table in tables])) if tables else None,
        )
        for number in range(draw(st.integers(0, 8)))
    )
    return RoomNow(NOW, tables, running, waiting, draw(st.dictionaries(st.sampled_from(NAMES), times)))


def wait(given_room: RoomNow, match: ReadyMatch) -> list[float]:
    """The waiting time of each player of a match, the longest first."""
    since = given_room.free_since
    return sorted((NOW - since.get(player, match.since) for player in match.players), reverse=True)


@pytest.mark.long
@given(rooms())
def test_nobody_and_no_table_twice(given_room: RoomNow) -> None:
    calls = find_next_calls(given_room)
    matches = {match.id: match for match in given_room.ready}
    seated = [player for call in calls for player in matches[call.match].players]
    seated += [player for match in given_room.running for player in match.players if player in seated]
    assert len(seated) == len(set(seated))
    taken = [call.table for call in calls]
    assert len(taken) == len(set(taken))
    assert not {match.table for match in given_room.running}.intersection(taken)
    assert all(table.state == FREE for table in given_room.tables if table.id in taken)
    assert all(matches[call.match].fixed in (None, call.table) for call in calls)


@pytest.mark.long
@given(rooms())
def test_nobody_is_overtaken_without_a_published_reason(given_room: RoomNow) -> None:
    calls = find_next_calls(given_room)
    matches = {match.id: match for match in given_room.ready}
    busy = {player for match in given_room.running for player in match.players}
    busy.update(player for call in calls for player in matches[call.match].players)
    left = {match for match in given_room.ready if match.id not in {call.match for call in calls}}
    could_begin = [
        match for match in left if len(match.players) == 2 and not busy.intersection(match.players)
    ]
    for call in calls:
        chosen = matches[call.match]
        if chosen.fixed is not None:
            continue
        for passed in could_begin:
            # A match fixed to a table waits for that table.
            if passed.fixed is None:
                by = [(one.blocks, wait(given_room, one), NOW - one.since) for one in (chosen, passed)]
                assert by[0] >= by[1]


@pytest.mark.long
@given(rooms())
def test_no_table_stays_empty_while_a_match_could_begin_there(given_room: RoomNow) -> None:
    calls = find_next_calls(given_room)
    matches = {match.id: match for match in given_room.ready}
    busy = {player for match in given_room.running for player in match.players}
    busy.update(player for call in calls for player in matches[call.match].players)
    taken = {match.table for match in given_room.running} | {call.table for call in calls}
    empty = {table.id for table in given_room.tables if table.state == FREE} - taken
    for match in given_room.ready:
        if match.id in {call.match for call in calls} or len(match.players) < 2:
            continue
        where = empty if match.fixed is None else empty & {match.fixed}
        assert busy.intersection(match.players) or not where


@pytest.mark.long
@given(rooms(), st.randoms(use_true_random=False))
def test_the_order_of_writing_changes_nothing_but_the_table(given_room: RoomNow, random: object) -> None:
    mixed = list(given_room.ready)
    random.shuffle(mixed)  # type: ignore[attr-defined]
    assert find_next_calls(replace(given_room, ready=tuple(mixed))) == find_next_calls(given_room)


def test_the_order_is_the_published_one() -> None:
    waiting = [
        ready("by name", "ab", since=NOW - 60),
        ready("longer ready", "cd", since=NOW - 120),
        ready("longer free", "ef", since=NOW),
        ready("others wait", "gh", since=NOW, blocks=1),
        ready("more wait", "ij", since=NOW, blocks=2),
        ready("fixed", "kl", since=NOW, fixed="3"),
        ready("a later name", "mn", since=NOW - 60),
    ]
    free = dict.fromkeys("abcdmn", NOW - 10) | {"f": NOW - 500}
    night = room(*waiting, tables="1234567", free_since=free)
    expected = ["fixed", "more wait", "others wait", "longer free", "longer ready", "a later name", "by name"]
    assert [match.id for match in sort_matches(night)] == expected
    assert called(night) == list(zip(expected, "3124567", strict=True))


def test_the_reason_says_what_counts() -> None:
    night = room(
        ready("final", "ab", fixed="2", blocks=1),
        ready("semi", "cd", since=NOW - 14 * 60 - 59, blocks=3),
        tables="12",
        free_since={"b": NOW - 60},
    )
    assert find_next_calls(night) == (
        Call(
            MatchId("final"),
            TableId("2"),
            "fixed to table 2 by the director; b waited 1 min; 1 later match waits for this match",
        ),
        Call(MatchId("semi"), TableId("1"), "c waited 14 min; 3 later matches wait for this match"),
    )


def test_a_closed_table_puts_no_winner_ahead_of_who_waits() -> None:
    """Elsewhere the players of a table that closed were seated first, and one player was passed over three times."""
    free_since = {"z": NOW - 3600, "y": NOW - 3600}
    passed = ready("passed over", "zy", since=NOW - 3600)
    for turn in range(3):
        # A table has just closed: the winners of its match are ready, and one table is left.
        winners = ready(f"winners {turn}", "ab", since=NOW)
        night = room(winners, passed, tables="1", free_since={**free_since, "a": NOW, "b": NOW})
        night = replace(night, tables=(TableNow(TableId("0"), "broken"), *night.tables))
        assert called(night) == [("passed over", "1")]


def test_a_bye_holds_no_table() -> None:
    """In other programs a bye has occupied a table."""
    assert called(room(ready("bye", "a", since=0), ready("match", "bc"))) == [("match", "1")]


def test_who_plays_elsewhere_is_passed_over_and_keeps_their_place() -> None:
    first, second = ready("first", "ab", since=NOW - 60), ready("second", "cd")
    assert called(room(first, second, running={"9": "ax"})) == [("second", "1")]
    assert called(room(first, second, running={})) == [("first", "1")]


def test_a_player_who_is_still_playing_has_not_waited() -> None:
    match = ready("first", "ab", blocks=1)
    since = {"a": NOW - 3600, "b": NOW - 120}
    assert find_reason(room(match, running={"9": "ax"}, free_since=since), match).longest == "b"
    both = room(match, running={"8": "ay", "9": "bx"}, free_since=since)
    assert find_reason(both, match).longest is None
    assert describe_reason(both, match) == "1 later match waits for this match"


def test_a_match_waits_for_the_table_it_is_fixed_to() -> None:
    night = room(ready("fixed", "ab", fixed="1"), ready("other", "cd"), tables="12", running={"1": "xy"})
    assert called(night) == [("other", "2")]


def test_a_time_in_the_future_is_no_advantage() -> None:
    early, late = ready("early", "ab", since=NOW), ready("late", "cd", since=NOW + 900)
    night = room(early, late, free_since={"c": NOW + 900, "d": NOW + 900})
    assert called(night) == [("early", "1")]
    assert "waited 0 min" in find_next_calls(room(late))[0].why


# ---- the queue of the stream (V9)


def on_air(
    *waiting: ReadyMatch, queue: str, soon: str = "", tables: str = "1", cameras: str = "s", **more: object
) -> RoomNow:
    """A room whose tables of *cameras* are tagged for the stream, and a queue of matches by letter."""
    night = room(*waiting, tables=tables, **more)  # type: ignore[arg-type]
    tagged = tuple(TableNow(TableId(name), FREE, (STREAM,)) for name in cameras)
    wanted = tuple(StreamRequest(MatchId(name), name in soon) for name in queue)
    return replace(night, tables=tagged + night.tables, stream=wanted)


def test_the_next_of_the_stream_that_is_ready_goes_to_its_table_first() -> None:
    night = on_air(ready("A", "ab", since=NOW - 900, blocks=3), ready("S", "cd"), queue="FS", tables="")
    assert find_next_calls(night) == (Call(MatchId("S"), TableId("s"), "next on stream; c waited 0 min"),)


def test_the_order_of_the_stream_is_the_directors() -> None:
    later, first = ready("A", "ab", since=NOW - 900, blocks=3), ready("S", "cd")
    assert called(on_air(later, first, queue="SA")) == [("S", "s")]
    # The other waits for the stream, though a table is free.
    assert called(on_air(later, first, queue="AS")) == [("A", "s")]


def test_others_are_given_the_table_of_the_stream_last() -> None:
    one, two = ready("A", "ab", blocks=1), ready("B", "cd")
    assert called(on_air(one, queue="F")) == [("A", "1")]
    assert called(on_air(one, two, queue="F")) == [("A", "1"), ("B", "s")]
    assert called(on_air(one, queue="")) == [("A", "s")]


def test_a_table_is_kept_for_what_is_about_to_be_ready_until_somebody_has_waited_for_ten_minutes() -> None:
    def night(minutes: int, seconds: int = 0) -> RoomNow:
        return on_air(
            ready("A", "ab", since=NOW - 60 * minutes - seconds), queue="F", soon="F", tables="", cameras="st"
        )

    assert called(night(0)) == [("A", "t")]
    assert compute_result(night(0)).kept == (ReservedTable(TableId("s"), MatchId("F"), None),)
    full = replace(night(9, 59), tables=night(0).tables[:1])
    assert compute_result(full) == QueueResult((), (ReservedTable(TableId("s"), MatchId("F"), NOW + 1),))
    over = replace(night(10), tables=night(0).tables[:1])
    assert called(over) == [("A", "s")]


def test_where_a_player_of_the_next_still_plays_its_table_is_kept_too() -> None:
    night = on_air(ready("S", "cd"), ready("A", "ab"), queue="S", tables="", running={"9": "cx"})
    assert compute_result(night) == QueueResult((), (ReservedTable(TableId("s"), MatchId("S"), NOW + 600),))


@pytest.mark.parametrize("state", ["broken", "held"])
def test_what_is_wanted_on_stream_is_played_elsewhere_only_where_its_tables_are_broken(state: str) -> None:
    night = on_air(ready("S", "cd"), queue="S")
    night = replace(night, tables=(replace(night.tables[0], state=state), night.tables[1]))
    assert called(night) == ([("S", "1")] if state == "broken" else [])
    assert not any("stream" in call.why for call in find_next_calls(night))


def test_what_is_fixed_to_a_table_goes_there() -> None:
    night = on_air(ready("S", "cd", fixed="1"), queue="S")
    assert called(night) == [("S", "1")]
    assert "stream" not in find_next_calls(night)[0].why


@st.composite
def rooms_on_air(draw: st.DrawFn) -> RoomNow:
    """Any room with a queue of the stream: matches that are ready, about to be, and neither."""
    night = draw(rooms())
    tables = tuple(replace(table, tags=(STREAM,)) if draw(st.booleans()) else table for table in night.tables)
    ids = [match.id for match in night.ready] + [MatchId("f1"), MatchId("f2")]
    wanted = draw(st.lists(st.sampled_from(ids), max_size=4, unique=True))
    return replace(
        night, tables=tables, stream=tuple(StreamRequest(one, draw(st.booleans())) for one in wanted)
    )


@pytest.mark.long
@given(rooms_on_air())
def test_with_a_stream_nobody_is_overtaken_without_a_published_reason(night: RoomNow) -> None:
    said = compute_result(night)
    matches = {match.id: match for match in night.ready}
    tags = {table.id: table.tags for table in night.tables}
    seated = {call.match for call in said.calls}
    busy = {player for match in night.running for player in match.players}
    busy.update(player for call in said.calls for player in matches[call.match].players)
    left = [
        match
        for match in night.ready
        if match.id not in seated and len(match.players) == 2 and not busy.intersection(match.players)
    ]
    for call in said.calls:
        chosen = matches[call.match]
        is_next = call.why.startswith("next on stream")
        assert not is_next or STREAM in tags[call.table]
        assert is_next == (chosen.fixed is None and needs_stream_table(night, chosen))
        for passed in left:
            if passed.fixed is not None or chosen.fixed is not None:
                continue
            if needs_stream_table(night, passed):
                # It waits for a table of the stream: one of those goes only to who is before it in that queue.
                assert STREAM not in tags[call.table] or is_next
            elif not is_next:
                by = [(one.blocks, wait(night, one), NOW - one.since) for one in (chosen, passed)]
                assert by[0] >= by[1]
    taken = {match.table for match in night.running} | {call.table for call in said.calls}
    empty = {table.id for table in night.tables if table.state == FREE} - taken
    kept = {each.table: each for each in said.kept}
    assert kept.keys() <= empty
    assert all(STREAM in tags[table] for table in kept)
    for match in left:
        open_to = {
            table
            for table in empty
            if (
                match.fixed == table
                if match.fixed
                else not needs_stream_table(night, match) or STREAM in tags[table]
            )
        }
        # An empty table that a waiting match could use is kept for a stated reason, for ten minutes at most.
        assert open_to <= kept.keys()
        assert all(NOW < kept[table].until <= match.since + 600 for table in open_to)


@pytest.mark.long
@given(rooms())
def test_without_a_queue_a_tag_changes_nothing(night: RoomNow) -> None:
    tagged = replace(night, tables=tuple(replace(table, tags=(STREAM,)) for table in night.tables))
    assert compute_result(tagged) == compute_result(night)
