"""Attempts over HTTP to learn a roll before it is due, or to choose it."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from engine import fair
from engine.actions import Flagged, Rolled
from engine.errors import Unreadable
from engine.fair import Chain, Party, compute_commitment, compute_next_link
from engine.fair_check import Trust, verify_log
from engine.fair_log import FairLog
from engine.game import Phase
from engine.side import Side
from matches.journal import dice, journal
from matches.journal.journal import RequestIdentity
from matches.models import JournalEntry, Match
from matches.play import deadlines, directing, play
from matches.state import commands
from matches.state.commands import Command
from matches.state.errors import MatchError, NotAllowed, NotAPlayer
from matches.state.facts import Asked
from matches.state.rulings import Start, TakeBack
from matches.state.status import Status
from matches.watch import exports
from players.clubs import clubs
from tests.matches.support import Table, club_terms, person

pytestmark = pytest.mark.django_db
WHITE, BLACK = Side


def unchanged(row: Match, now: Match) -> bool:
    return all(
        getattr(row, field.attname) == getattr(now, field.attname) for field in row._meta.concrete_fields
    )


def refused(table: Table, side: Side, command: Command, **more: Any) -> str:
    """Give a command that must be refused and change nothing; return why."""
    row, lines = table.row, JournalEntry.objects.count()
    with pytest.raises(MatchError) as caught:
        table.give(side, command, **more)
    assert unchanged(row, table.row)
    assert JournalEntry.objects.count() == lines
    return caught.value.code


def to_roll(table: Table) -> Side:
    """Play on until a player is to roll and no share is deposited for it; the result is the player's side."""
    while True:
        state = table.state
        table.wait(seconds=1)
        if state.dicing.owing:
            table.act()
            continue
        if state.match.game.phase is Phase.TO_ROLL and state.asked is None:
            return state.owing[0]
        side = state.owing[0]
        own = {} if state.match.game.phase is Phase.TO_PLAY else table.shares(side, 1)
        command = commands.Take() if state.match.game.phase is Phase.DOUBLED else table.next_command(side)
        table.give(side, command, shares=own)


def reach_open_request(table: Table) -> tuple[Side, int]:
    """Bring the match to a roll that waits for the opponent's share; return who asked, and for which."""
    while table.state.asked is None:
        side = to_roll(table)
        table.give(side, commands.Roll(), shares=table.shares(side, 1))
    return table.state.asked.side, table.state.asked.number


def verified(table: Table) -> FairLog:
    """Verify the published dice and return their log."""
    assert list(journal.find_problems(table.row)) == []
    log = FairLog.parse(exports.build_dice_log(table.row).text().encode())
    check = verify_log(log)
    assert check.holds, check.problems
    return log


def public(table: Table) -> str:
    """Everything that anyone may read of the match so far, as text."""
    lines = [line.body() for line in journal.list_lines(table.row)]
    return json.dumps([lines, table.row.cache])


@pytest.fixture
def begun(table: Table) -> Table:
    table.begin()
    return table


# -- shares that are not the right ones ---------------------------------------------------------------------


def wrong_links(table: Table, side: Side) -> dict[str, Callable[[int], bytes]]:
    own, others = table.chain(side), table.chain(side.other)
    step = table.state.dicing.step
    ours = dice._load_server_chain(table.state.dicing, table.row.salts[-1])
    return {
        "out of thin air": lambda number: random.Random(number).randbytes(32),
        "nothing": lambda number: bytes(32),
        "of the roll before": lambda number: own.share(step(number) - 1),
        "of the roll after": lambda number: own.share(step(number) + 1),
        "of a roll far ahead": lambda number: own.share(step(number) + 9),
        "its own head": lambda number: own.head,
        "the opponent's": lambda number: others.share(step(number)),
        "the opponent's last": lambda number: others.share(step(number) - 1),
        "the opponent's head": lambda number: others.head,
        "the server's, had it leaked": lambda number: ours.share(step(number)),
        "the server's last": lambda number: ours.share(step(number) - 1),
        "another chain's": lambda number: Chain.grow(bytes([7]) * 32, 768).share(step(number)),
        "the stand-in for none": lambda number: fair.compute_absent_share(
            table.match.key, Party.from_side(side), number
        ),
        "one bit off": lambda number: bytes([own.share(step(number))[0] ^ 1]) + own.share(step(number))[1:],
    }


def test_no_share_but_the_promised_one_is_taken(begun: Table) -> None:
    side, number = reach_open_request(begun)
    for name, link in wrong_links(begun, side.other).items():
        code = refused(begun, side.other, commands.Share(), shares={number: link(number)})
        assert code == "wrong-share", name
    begun.give(side.other, commands.Share(), shares=begun.shares(side.other, 1))
    assert verified(begun).rolls[-1].number == number


def test_the_roller_has_no_choice_of_shares_either(begun: Table) -> None:
    side = to_roll(begun)
    number = begun.state.dicing.next
    for name, link in wrong_links(begun, side).items():
        code = refused(begun, side, commands.Roll(), shares={number: link(number)})
        assert code == "wrong-share", name
    begun.match.deposits = {}
    begun.match.save(update_fields=["deposits"])
    assert refused(begun, side, commands.Roll(), shares={}) == "share-needed"


def test_a_share_that_was_deposited_is_not_exchanged_for_another(begun: Table) -> None:
    side = to_roll(begun)
    number = begun.state.dicing.next
    waiting = side.other
    begun.give(waiting, commands.Share(), shares=begun.shares(waiting, 1))
    for link in wrong_links(begun, waiting).values():
        refused(begun, waiting, commands.Share(), shares={number: link(number)})
    begun.give(side, commands.Roll(), shares=begun.shares(side, 1))
    given = verified(begun).rolls[-1].links[Party.from_side(waiting)]
    assert given == begun.chain(waiting).share(number)


def test_the_share_of_a_later_roll_makes_no_roll(begun: Table) -> None:
    side, number = reach_open_request(begun)
    chain, step = begun.chain(side.other), begun.state.dicing.step
    for later in (number + 1, number + 2):
        answer = begun.give(side.other, commands.Share(), shares={later: chain.share(step(later))})
        assert answer.steps == ()
    # An earlier share can be computed from a later one, but the server does not compute it for the player.
    assert begun.state.asked is not None
    code = refused(begun, side.other, commands.Share(), shares={number + 3: chain.share(step(number + 3))})
    assert code == "share-not-due"
    begun.give(side.other, commands.Share(), shares={number: chain.share(step(number))})
    assert begun.state.dicing.next > number
    for _ in range(10):
        begun.act()
    verified(begun)


def test_an_old_share_is_of_no_use(begun: Table) -> None:
    side, number = reach_open_request(begun)
    old = begun.chain(side.other).share(begun.state.dicing.step(number - 1))
    answer = begun.give(side.other, commands.Share(), shares={number - 1: old})
    assert answer.steps == ()
    assert str(number - 1) not in begun.row.deposits[Party.from_side(side.other)]
    assert refused(begun, side.other, commands.Share(), shares={number: old}) == "wrong-share"


def test_one_gives_shares_for_oneself_alone(begun: Table) -> None:
    side, number = reach_open_request(begun)
    theirs = {number: begun.chain(side.other).share(begun.state.dicing.step(number))}
    assert refused(begun, side, commands.Share(), shares=theirs) == "wrong-share"


def test_a_spectator_gives_nothing(begun: Table, now: datetime) -> None:
    side, _number = reach_open_request(begun)
    stranger = person("Cora", now).player
    row = begun.row
    with pytest.raises(NotAPlayer):
        play.submit(
            match_id=row.pk,
            player=stranger,
            command=commands.Share(),
            after=row.head,
            now=begun.now,
            shares=begun.shares(side.other, 1),
            request=RequestIdentity(),
        )
    assert unchanged(row, begun.row)


# -- looking ahead ------------------------------------------------------------------------------------------


def test_nothing_that_is_not_due_is_rolled_or_shown(begun: Table) -> None:
    side = to_roll(begun)
    ours = dice._load_server_chain(begun.state.dicing, begun.row.salts[-1])
    number = begun.state.dicing.next
    link = ours.share(begun.state.dicing.step(number)).hex()
    both = {s: begun.shares(s, 3) for s in Side}

    for command in (commands.Roll(), commands.Move(), commands.Double(), commands.Take()):
        refused(begun, side.other, command, shares=both[side.other])
    begun.give(side.other, commands.Share(), shares=both[side.other])
    begun.give(side, commands.Share(), shares=both[side])

    # Both deposited all their shares, but no player requested the roll: so nothing is public.
    assert begun.state.dicing.next == number
    assert link not in public(begun)
    for party in Party.from_side(side), Party.from_side(side.other):
        assert begun.row.deposits[party][str(number)] not in public(begun)
    begun.give(side, commands.Roll(), shares={})
    assert link in public(begun)


def test_who_has_seen_the_roll_cannot_double_any_more(begun: Table) -> None:
    side, _number = reach_open_request(begun)
    head = begun.row.head - 1
    assert refused(begun, side, commands.Double(), after=head) == "stale"
    assert refused(begun, side, commands.Double()) == "roll-pending"


def test_a_roll_request_is_answered_once(begun: Table) -> None:
    side = to_roll(begun)
    begun.give(side.other, commands.Share(), shares=begun.shares(side.other, 1))
    head, shares = begun.row.head, begun.shares(side, 1)
    first = begun.give(side, commands.Roll(), shares=shares, after=head, key="the only roll")
    for _ in range(3):
        again = begun.give(side, commands.Roll(), shares=shares, after=head, key="the only roll")
        assert [step.line for step in again.steps] == [step.line for step in first.steps]
    assert refused(begun, side, commands.Roll(), shares={}, after=head, key="another one") == "stale"
    number = first.steps[0].line.thrown
    assert [roll.number for roll in verified(begun).rolls].count(number.number) == 1


# -- keeping back -------------------------------------------------------------------------------------------


def test_who_keeps_the_share_back_loses_on_time(begun: Table) -> None:
    side, number = reach_open_request(begun)
    state = begun.state
    ours = dice._load_server_chain(state.dicing, begun.row.salts[-1]).share(state.dicing.step(number))
    assert state.clock.turn is side.other
    assert state.deadline is not None
    begun.now = journal.to_datetime(state.deadline)
    begun.wait(seconds=3)

    assert deadlines.sweep(begun.now) == 1

    assert begun.row.winner == side.word
    assert any(line.fact == Flagged(side.other) for line in journal.list_lines(begun.row))
    # The share is never published, so it cannot be shown afterwards that withholding it paid.
    assert ours.hex() not in public(begun)
    assert ours.hex() not in exports.build_dice_log(begun.row).text()
    assert (
        refused(begun, side.other, commands.Share(), shares=begun.shares(side.other, 1)) == "play-after-end"
    )


@pytest.mark.long
@pytest.mark.parametrize("is_roller", [False, True])
def test_to_give_the_chain_up_while_a_roll_is_in_the_air_gains_nothing(begun: Table, is_roller: bool) -> None:
    side, number = reach_open_request(begun)
    state = begun.state
    quitter = side if is_roller else side.other
    step = state.dicing.step(number)
    ours = dice._load_server_chain(state.dicing, begun.row.salts[-1]).share(step)
    # Two rolls are open to him, with his share and without. Each is made with ours, of which nothing is known.
    assert ours.hex() not in public(begun)
    assert compute_next_link(ours).hex() in public(begun), "the last one is, and does not lead on"

    begun.give(quitter, commands.Forgo("just when it suits me"), shares={})
    if is_roller:
        begun.give(side.other, commands.Share(), shares=begun.shares(side.other, 1))

    log = verified(begun)
    roll = log.rolls[-1]
    assert roll.number == number
    assert roll.links[Party.from_side(quitter)] is None
    assert roll.links.server == ours
    assert [check.trust for check in verify_log(log).rolls][-1] is Trust.WEAKER
    assert refused(begun, quitter, commands.Forgo(), shares={}) == "no-chain"
    for _ in range(10):
        begun.act()
    assert all(roll.links[Party.from_side(quitter)] is None for roll in verified(begun).rolls[number - 1 :])


def test_a_chain_lost_before_its_head_was_shown_holds_up_nobody(table: Table) -> None:
    for side in Side:
        table.promise(side)
    table.give(BLACK, commands.Open(table.chain(BLACK).head), shares={})
    assert table.row.due == "white"

    table.give(WHITE, commands.Forgo("the page was closed"), shares={})

    assert table.row.status == Status.LIVE
    table.open()
    log = verified(table)
    assert log.epochs[0].heads.a is log.epochs[0].commitments.a is None
    assert {check.trust for check in verify_log(log).rolls} == {Trust.WEAKER}


# -- promises -----------------------------------------------------------------------------------------------


def seal(table: Table, side: Side, head: bytes) -> bytes:
    return compute_commitment(table.match.key, Party.from_side(side), table.player(side).key, head)


def test_the_promise_of_another_is_not_ones_own(table: Table) -> None:
    table.promise(WHITE)
    theirs = table.state.dicing.commitments
    for sealed in (theirs.a, theirs.server):
        assert sealed is not None
        assert refused(table, BLACK, commands.Promise(sealed), shares={}) == "equal-commitments"


def test_the_same_chain_as_the_opponents_is_refused(table: Table) -> None:
    """A player with the opponent's chain could cancel it out. Here the chain was even stolen."""
    stolen = table.chain(WHITE)
    table.promise(WHITE)
    table.give(BLACK, commands.Promise(seal(table, BLACK, stolen.head)), shares={})
    table.give(WHITE, commands.Open(stolen.head), shares={})

    assert refused(table, BLACK, commands.Open(stolen.head), shares={}) == "equal-heads"

    table.give(BLACK, commands.Forgo("caught"), shares={})
    table.open()
    verified(table)


@pytest.mark.parametrize("ahead", [1, 3, 700])
def test_a_chain_that_runs_into_the_opponents_is_refused(table: Table, ahead: int) -> None:
    """The same mirror a few steps off: his share of one roll would be hers of another."""
    stolen, head = table.chain(WHITE), table.chain(WHITE).head
    for _ in range(ahead):
        head = compute_next_link(head)
    table.promise(WHITE)
    table.give(BLACK, commands.Promise(seal(table, BLACK, head)), shares={})
    table.give(WHITE, commands.Open(stolen.head), shares={})
    assert refused(table, BLACK, commands.Open(head), shares={}) == "equal-heads"


@pytest.mark.parametrize(
    ("whose", "ahead"),
    [("mine", 0), ("mine", 1), ("mine", -1), ("theirs", 0), ("theirs", 5), ("ours", 0), ("ours", -4)],
)
def test_a_chain_that_has_served_does_not_serve_again(
    now: datetime, monkeypatch: pytest.MonkeyPatch, whose: str, ahead: int
) -> None:
    """Its links are known to everyone: a second set of chains must not be made of the first."""
    monkeypatch.setattr(dice, "compute_chain_length", lambda points: 6)
    table = Table(now, agreed=club_terms(1))
    dicing = table.state.dicing
    first = {"mine": table.chain(BLACK), "theirs": table.chain(WHITE)}
    first["ours"] = dice._derive_chain(
        dice.settings.SECRET_KEY, dicing.match, table.row.salts[0], dicing.length
    )
    while table.state.dicing.first == 1:
        table.wait(seconds=1)
        table.act()
    used = first[whose]
    head = used.share(-ahead) if ahead < 0 else used.head
    for _ in range(ahead):
        head = compute_next_link(head)
    table.promise(WHITE)
    table.give(BLACK, commands.Promise(seal(table, BLACK, head)), shares={})

    assert refused(table, BLACK, commands.Open(head), shares={}) == "equal-heads"

    table.give(BLACK, commands.Forgo("caught"), shares={})
    table.give(WHITE, commands.Open(table.chain(WHITE).head), shares={})
    table.act()
    verified(table)


def test_nobody_promises_after_having_seen_a_head(table: Table) -> None:
    """Heads are shown when all have promised, and a promise is given once."""
    table.promise(WHITE)
    assert refused(table, WHITE, commands.Open(table.chain(WHITE).head), shares={}) == "dice-not-sealed"
    assert refused(table, WHITE, commands.Promise(bytes(32)), shares={}) == "dice-promised"
    table.promise(BLACK)
    table.give(WHITE, commands.Open(table.chain(WHITE).head), shares={})

    for again in (commands.Promise(bytes(32)), commands.Promise(), commands.Promise(words="better ones")):
        assert refused(table, BLACK, again, shares={}) == "dice-promised"
    other = Chain.grow(bytes([9]) * 32, table.state.dicing.length)
    assert refused(table, BLACK, commands.Open(other.head), shares={}) == "wrong-head"
    assert refused(table, BLACK, commands.Open(table.chain(WHITE).head), shares={}) == "wrong-head"
    assert refused(table, WHITE, commands.Open(table.chain(WHITE).head), shares={}) == "dice-not-sealed"


def test_nothing_is_rolled_before_all_have_shown_what_they_promised(table: Table) -> None:
    for side in Side:
        table.promise(side)
    head = dice._derive_chain(
        dice.settings.SECRET_KEY, table.match.key, table.row.salts[0], table.state.dicing.length
    ).head
    table.give(WHITE, commands.Open(table.chain(WHITE).head), shares={})
    assert head.hex() not in public(table), "we show ours last"
    assert refused(table, WHITE, commands.Roll(), shares={}) == "dice-not-ready"
    share = {1: table.chain(WHITE).share(1)}
    assert refused(table, WHITE, commands.Share(), shares=share) == "no-chain"
    table.give(BLACK, commands.Open(table.chain(BLACK).head), shares={})
    assert head.hex() in public(table)


def test_a_chain_and_words_at_once_are_no_promise(table: Table) -> None:
    """A document with both could not be read afterwards."""
    both = commands.Promise(bytes(range(32)), "and a few words")
    assert refused(table, WHITE, both, shares={}) == "two-promises"


# -- taking back --------------------------------------------------------------------------------------------


def test_no_player_takes_a_roll_back(now: datetime) -> None:
    owner = person("Olga", now)
    table = Table(now, club=clubs.create(owner=owner, name="Here", now=now))
    table.begin()
    row = table.row
    for side in Side:
        with pytest.raises(NotAllowed):
            directing.rule(
                match_id=row.pk,
                user=table.player(side).user,  # type: ignore[arg-type]
                ruling=TakeBack(to_start_of=Start.TURN),
                reason="I did not like it",
                after=row.head,
                now=table.now,
                request=RequestIdentity(),
            )
    assert unchanged(row, table.row)


@pytest.mark.long
def test_a_roll_that_was_taken_back_is_gone_for_good(now: datetime) -> None:
    """A director may undo it, and everyone sees that; the next one is another one, of new shares."""
    owner = person("Olga", now)
    table = Table(now, club=clubs.create(owner=owner, name="Here", now=now))
    table.begin()
    seen = []
    for _ in range(4):
        to_roll(table)
        while not isinstance(journal.list_lines(table.row)[-1].fact, Rolled):
            table.wait(seconds=1)
            table.act()
        seen.append(table.state.dicing.next - 1)
        row = table.row
        directing.rule(
            match_id=row.pk,
            user=owner,
            ruling=TakeBack(to_start_of=Start.TURN),
            reason="cocked dice",
            after=row.head,
            now=table.now,
            request=RequestIdentity(),
        )
    log = verified(table)
    assert {roll.number for roll in log.rolls if roll.taken_back} >= set(seen)
    assert len({roll.links.server for roll in log.rolls}) == len(log.rolls)
    assert [roll.number for roll in log.rolls] == list(range(1, len(log.rolls) + 1))


# -- the document -------------------------------------------------------------------------------------------


def documents(now: datetime, monkeypatch: pytest.MonkeyPatch) -> dict[str, FairLog]:
    """One document of each kind, short enough to be spoiled everywhere."""
    monkeypatch.setattr(dice, "compute_chain_length", lambda points: 8)
    players = (person("Ann", now).player, person("Ben", now).player)
    found = {}
    for name, chained in (("sealed", (WHITE, BLACK)), ("weaker", (BLACK,)), ("typed", (WHITE,))):
        table = Table(now, agreed=club_terms(1), players=players, chained=chained)
        if name == "typed":
            table.promise(WHITE)
            table.give(BLACK, commands.Promise(words="some words"), shares={})
            table.give(WHITE, commands.Open(table.chain(WHITE).head), shares={})
        for _ in range(30):
            table.wait(seconds=1)
            table.act()
        table.give(WHITE, commands.Concede(), shares={})
        found[name] = verified(table)
    strict = Table(now, agreed=club_terms(1), players=players)
    strict.begin()
    for _ in range(6):
        side, _number = reach_open_request(strict)
        strict.wait(seconds=1)
        strict.give(side.other, commands.Share(), shares=strict.shares(side.other, 1))
    assert any(isinstance(line.fact, Asked) for line in journal.list_lines(strict.row))
    found["strict"] = verified(strict)
    return found


def places(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of all numbers and texts in a document."""
    if isinstance(value, dict):
        return [place for key, each in value.items() for place in places(each, (*at, key))]
    if isinstance(value, list):
        return [place for key, each in enumerate(value) for place in places(each, (*at, key))]
    return [at]


def spoiled(document: Any, place: tuple[Any, ...], rng: random.Random) -> Any:
    """The document with something else in one place, of the same form."""
    changed = json.loads(json.dumps(document))
    inside = changed
    for key in place[:-1]:
        inside = inside[key]
    inside[place[-1]] = other(inside[place[-1]], rng)
    return changed


def other(value: Any, rng: random.Random) -> Any:
    match value:
        case bool():
            return not value
        case int():
            return value % 6 + 1 if value <= 6 else value + 1
        case None:
            return rng.randbytes(32).hex()
        case str() if len(value) == 64:
            where = rng.randrange(64)
            digit = rng.choice([each for each in "0123456789abcdef" if each != value[where]])
            return value[:where] + digit + value[where + 1 :]
        case _:
            return {"strict": "sealed", "sealed": "strict", "A": "B", "B": "A"}.get(value, f"{value}x")


def signed(document: Any) -> Any:
    """The document with the digest that fits it; None where it is not one any more."""
    try:
        return replace(FairLog.from_json(document), digest=None).to_json()
    except Unreadable:
        return None


def holds(document: Any) -> bool:
    try:
        return verify_log(FairLog.parse(json.dumps(document).encode())).holds
    except Unreadable:
        return False


@pytest.mark.long
def test_a_document_that_was_altered_anywhere_does_not_hold(
    now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(5)
    for name, log in documents(now, monkeypatch).items():
        document = log.to_json()
        assert holds(document), name
        for place in places(document):
            assert not holds(spoiled(document, place, rng)), (name, place)


# Fields that a server could change in a document that it signs again: the length of a chain, how it got a
# share, which player was on roll (the record of the match says that too), and why new chains began.
ITS_WORD = {"length", "mode", "roller", "taken_back", "reason", "digest", "format", "version", "scheme"}


def is_its_word(place: tuple[Any, ...], log: FairLog) -> bool:
    # Nothing is bound to the name of one who gave no chain.
    is_nameless = place[0] == "parties" and all(epoch.heads[Party(place[1])] is None for epoch in log.epochs)
    return is_nameless or bool(ITS_WORD & set(place))


@pytest.mark.long
def test_to_sign_an_altered_document_anew_does_not_help(
    now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(6)
    for name, log in documents(now, monkeypatch).items():
        document = log.to_json()
        tried = 0
        for place in places(document):
            if is_its_word(place, log):
                continue
            tried += 1
            changed = spoiled(document, place, rng)
            if (forged := signed(changed)) is not None:
                assert not holds(forged), (name, place)
        assert tried > 60, name


@pytest.mark.long
def test_each_label_is_met_in_the_documents_that_were_spoiled(
    now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = documents(now, monkeypatch)
    labels = {name: {check.trust for check in verify_log(log).rolls} for name, log in found.items()}
    assert Trust.STRICT in labels["strict"]
    assert Trust.SEALED in labels["sealed"] <= {Trust.SEALED, Trust.STRICT}
    assert labels["weaker"] == labels["typed"] == {Trust.WEAKER}
    assert max(len(log.epochs) for log in found.values()) > 1
