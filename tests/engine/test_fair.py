"""The dice scheme: a second implementation, its test vector, and attempts to cheat."""

from __future__ import annotations

import hashlib
import hmac
import json
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import fair
from engine.dice import ROLLS, Dice
from engine.errors import Impossible, Unreadable
from engine.fair import ByParty, Chain, Party
from engine.fair_check import Trust, verify_log
from engine.fair_log import Epoch, FairLog, Roll, ShareMode
from engine.side import BLACK, WHITE

A, B, S = Party
USERS = ByParty("ann", "bob", "club.example")
NOBODY = ByParty(None, None, None)
VECTOR = [(2, 2), (6, 5), (5, 4), (6, 2), (2, 6), (3, 2), (5, 2), (4, 5)]


# -- a second implementation, from the text of the scheme and without the engine --------------------------


def plain_chain(secret, length):
    links = [secret]
    for _ in range(length):
        links.append(hashlib.sha256(b"bgdice/v1/chain" + links[-1]).digest())
    return links


def plain_dice(match, number, a, b, server):
    dice, counter = [], 0
    while len(dice) < 2:
        message = b"bgdice/v1/roll|" + match + b"|" + number.to_bytes(4, "big") + b"|" + a + b + b"|"
        block = hmac.new(server, message + counter.to_bytes(4, "big"), hashlib.sha256).digest()
        dice += [byte % 6 + 1 for byte in block if byte < 252]
        counter += 1
    return tuple(dice[:2])


# -- a match to verify --------------------------------------------------------------------------------


def chains(length=8, seeds=(2, 3, 1)):
    return ByParty(*(Chain.grow(bytes([seed]) * 32, length) for seed in seeds))


def epoch_of(chains, first=1, match="m1", without=(), seeds=NOBODY, reason=""):
    """The promises for *chains*, where those *without* have none."""
    length = chains.server.length
    given = {party: None if party in without else chain for party, chain in chains.items()}
    heads = ByParty(*(chain and chain.head for chain in given.values()))
    promised = ByParty(
        *(
            chain and fair.compute_commitment(match, party, USERS[party], chain.head)
            for party, chain in given.items()
        )
    )
    return Epoch(first, length, promised, heads, seeds, reason)


def rolled(epoch, chains, number, roller=A, mode=ShareMode.STRICT, without=(), match="m1"):
    """Roll *number*, to which those *without* gave no link."""
    step = number - epoch.first + 1
    links = ByParty(*(None if party in without else chain.share(step) for party, chain in chains.items()))
    shares = ByParty(*(links[party] or stand_in(epoch, match, party, number) for party in Party))
    return Roll(number, roller, mode, links, fair.roll(match, number, shares))


def stand_in(epoch, match, party, number):
    words = epoch.seeds[party]
    if words is None:
        return fair.compute_absent_share(match, party, number)
    return fair.compute_typed_share(match, party, number, words)


def match_log(rolls=8):
    """A match of one game: the vector's first roll is a tie, A opens with 6-5, B plays 5-4 and so on."""
    made = chains(max(rolls, 8))
    epoch = epoch_of(made)
    rollers = [None, None, *(B if number % 2 else A for number in range(3, rolls + 1))][:rolls]
    modes = [ShareMode.SEALED if number % 3 == 0 else ShareMode.STRICT for number in range(1, rolls + 1)]
    return FairLog(
        "m1",
        USERS,
        (epoch,),
        tuple(
            rolled(epoch, made, number, roller, mode)
            for number, (roller, mode) in enumerate(zip(rollers, modes, strict=True), 1)
        ),
    )


def changed(log, number, /, **values):
    rolls = list(log.rolls)
    rolls[number - 1] = replace(rolls[number - 1], **values)
    return replace(log, rolls=tuple(rolls))


def codes(log):
    return [problem.code for problem in verify_log(log).problems]


# -- the arithmetic -----------------------------------------------------------------------------------


def test_the_published_vector():
    made = chains()
    for number, dice in enumerate(VECTOR, 1):
        shares = made.map(lambda chain, step=number: chain.share(step))
        assert fair.roll("m1", number, shares) == dice


def test_the_second_implementation_agrees():
    rng = random.Random(20261120)
    rejected = 0
    for number in range(1, 400):
        a, b, server = (rng.randbytes(32) for _ in range(3))
        shares = ByParty(a, b, server)
        assert fair.roll("Pokal 7/3 é", number, shares) == plain_dice(
            "Pokal 7/3 é".encode(), number, a, b, server
        )
        message = b"bgdice/v1/roll|m|" + number.to_bytes(4, "big") + b"|" + a + b + b"|" + bytes(4)
        block = hmac.new(server, message, hashlib.sha256).digest()
        kept = [byte % 6 + 1 for byte in block if byte < 252]
        rejected += len(block) - len(kept)
        faces = fair.generate_faces("m", number, shares)
        assert [next(faces) for _ in kept] == kept
        assert 1 <= next(faces) <= 6  # from the second block
    assert rejected > 100


def test_a_chain_is_given_back_to_front_and_no_further():
    chain = Chain.grow(b"s" * 32, 5)
    assert list(chain.links) == plain_chain(b"s" * 32, 5)
    assert fair.is_linked(chain.share(1), chain.head)
    assert fair.is_linked(chain.share(4), chain.share(1), steps=3)
    assert not fair.is_linked(chain.share(1), chain.share(2))
    for step in (0, 6):
        with pytest.raises(Impossible, match="serves 5 rolls"):
            chain.share(step)


@pytest.mark.parametrize(
    ("secret", "length"), [(b"short", 5), (b"s" * 33, 5), (b"s" * 32, 0), (b"s" * 32, 4097)]
)
def test_a_chain_has_32_secret_bytes_and_a_length(secret, length):
    with pytest.raises(Impossible):
        Chain.grow(secret, length)


def test_a_commitment_is_bound_to_match_part_and_person():
    head = b"h" * 32
    assert (
        fair.compute_commitment("m1", A, "ann", head)
        == hashlib.sha256(b"bgdice/v1/commit|m1|A|ann|" + head).digest()
    )
    others = {
        fair.compute_commitment(*words, head)
        for words in [("m2", A, "ann"), ("m1", B, "ann"), ("m1", A, "bob"), ("m1", A, "a")]
    }
    assert len(others | {fair.compute_commitment("m1", A, "ann", head)}) == 5


@pytest.mark.parametrize("name", ["", "m|A", "x" * 201, "\ud800"])
def test_a_name_that_would_blur_what_is_hashed_is_refused(name):
    with pytest.raises(Impossible):
        fair.compute_commitment(name, A, "ann", b"h" * 32)


def test_parties_and_sides():
    assert (Party.from_side(WHITE), Party.from_side(BLACK)) == (A, B)


def test_stand_ins_are_bound_to_match_part_and_roll():
    digest = hashlib.sha256(b"bgdice/v1/seed|m1|A|\x00\x00\x00\x07|my lucky words").digest()
    assert fair.compute_typed_share("m1", A, 7, "my lucky words") == digest
    assert (
        fair.compute_absent_share("m1", B, 7)
        == hashlib.sha256(b"bgdice/v1/none|m1|B|\x00\x00\x00\x07").digest()
    )


# -- the page that explains it ------------------------------------------------------------------------

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "dice.md").read_text()


def fenced(language):
    return [block.split("```")[0] for block in PAGE.split(f"```{language}\n")[1:]]


def test_the_page_has_its_numbers_right():
    """Recomputed with hashlib alone, as a stranger would who has nothing but the page."""
    said = {line[:22].strip(): line[22:].strip() for line in fenced("text")[0].splitlines()}
    links = {part: plain_chain(bytes.fromhex(said[f"{part} secret"]), 8) for part in "ABS"}
    users = {"A": b"ann", "B": b"bob", "S": b"club.example"}
    computed = {}
    for part, chain in links.items():
        promise = b"bgdice/v1/commit|m1|" + part.encode() + b"|" + users[part] + b"|" + chain[8]
        computed |= {
            f"{part} secret": chain[0],
            f"{part} head": chain[8],
            f"{part} commitment": hashlib.sha256(promise).digest(),
            f"{part} share of roll 1": chain[7],
        }
    message = b"bgdice/v1/roll|m1|\0\0\0\1|" + links["A"][7] + links["B"][7] + b"|\0\0\0\0"
    computed["block of roll 1"] = hmac.new(links["S"][7], message, hashlib.sha256).digest()
    computed["A typed roll 1"] = hashlib.sha256(b"bgdice/v1/seed|m1|A|\0\0\0\1|four leaves").digest()
    computed["A absent roll 1"] = hashlib.sha256(b"bgdice/v1/none|m1|A|\0\0\0\1").digest()
    assert said == {name: value.hex() for name, value in computed.items()}
    for number in range(1, 9):
        shares = [links[part][8 - number] for part in "ABS"]
        assert plain_dice(b"m1", number, *shares) == VECTOR[number - 1]


def test_the_page_shows_a_true_document():
    (example,) = fenced("json")
    check = verify_log(FairLog.parse(example.encode()))
    assert check.holds
    assert [roll.computed for roll in check.rolls] == VECTOR[:3]
    # The digest as the page describes it.
    document = json.loads(example)
    digest = bytes.fromhex(document.pop("digest"))
    spelled = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert hashlib.sha256(b"bgdice/v1/log|" + spelled.encode()).digest() == digest


# -- uniformity ---------------------------------------------------------------------------------------


def chi_square(counts, expected):
    return sum((counts[each] - share) ** 2 / share for each, share in expected.items())


def test_the_dice_are_uniform():
    rng = random.Random(4)
    made = ByParty(*(Chain.grow(rng.randbytes(32), 4096) for _ in Party))
    throws = Counter(
        fair.roll(f"m{match}", number, made.map(lambda chain, step=number: chain.share(step)))
        for match in range(5)
        for number in range(1, 4097)
    )
    total = throws.total()
    cells = {(first, second): total / 36 for first in range(1, 7) for second in range(1, 7)}
    assert chi_square(throws, cells) < 66.6  # 35 degrees of freedom, one in a thousand
    rolls = Counter()
    for throw, times in throws.items():
        rolls[Dice.from_numbers(*throw)] += times
    assert chi_square(rolls, {dice: total * dice.weight / 36 for dice in ROLLS}) < 45.3  # 20 degrees


@pytest.mark.parametrize("honest", Party)
def test_one_honest_party_is_enough(honest):
    """The two others give the same shares for ever, which is the worst they can do without seeing the third."""
    rng = random.Random(8)
    throws = Counter(
        fair.roll(
            "m",
            1,
            ByParty(*(rng.randbytes(32) if party is honest else party.encode() * 32 for party in Party)),
        )
        for _ in range(7200)
    )
    assert chi_square(throws, {(a, b): 200 for a in range(1, 7) for b in range(1, 7)}) < 66.6


# -- a document that holds ----------------------------------------------------------------------------


def test_a_true_document_holds():
    log = match_log()
    check = verify_log(log)
    assert check.holds
    assert check.first is None
    assert [roll.computed for roll in check.rolls] == VECTOR
    assert all(roll.holds for roll in check.rolls)
    assert (check.count(Trust.STRICT), check.count(Trust.SEALED), check.count(Trust.WEAKER)) == (6, 2, 0)
    assert FairLog.parse(log.text().encode()) == replace(log, digest=log.computed_digest())
    assert verify_log(FairLog.parse(log.text().encode())).holds
    plain = check.to_json()
    assert plain["holds"]
    assert plain["rolls"][2] == {
        "number": 3,
        "claimed": [5, 4],
        "computed": [5, 4],
        "trust": "sealed",
        "typed": [],
        "absent": [],
        "holds": True,
    }


def test_what_counts_for_the_match_record():
    log = changed(match_log(5), 4, taken_back=True)
    assert log.counted() == ((WHITE, Dice(6, 5)), (BLACK, Dice(5, 4)), (BLACK, Dice(6, 2)))
    assert changed(log, 2, dice=(5, 6)).counted()[0] == (BLACK, Dice(6, 5))
    assert changed(log, 5, roller=A).counted()[2] == (WHITE, Dice(6, 2))


def test_when_a_chain_is_used_up_new_promises_follow():
    first, second = chains(3), chains(4, seeds=(12, 13, 11))
    epochs = (epoch_of(first), epoch_of(second, first=4))
    rolls = [rolled(epochs[0], first, number, None if number == 1 else A) for number in (1, 2, 3)]
    rolls += [rolled(epochs[1], second, number) for number in (4, 5)]
    log = FairLog("m1", USERS, epochs, tuple(rolls))
    assert verify_log(log).holds
    assert verify_log(log).notes == ()
    # Without them there is nothing to hold a fourth roll to.
    bare = verify_log(replace(log, epochs=epochs[:1]))
    assert bare.first.code == "chain-used-up"
    assert bare.first.roll == 4


def test_chains_begun_early_are_said_with_their_reason():
    first, second = chains(8), chains(8, seeds=(12, 13, 11))
    epochs = (epoch_of(first), epoch_of(second, first=3, reason="A plays on another device"))
    rolls = (
        rolled(epochs[0], first, 1, None),
        rolled(epochs[0], first, 2, None),
        rolled(epochs[1], second, 3),
    )
    check = verify_log(FairLog("m1", USERS, epochs, rolls))
    assert check.holds
    assert [(note.code, note.roll) for note in check.notes] == [("epoch-early", 3)]
    assert "another device" in check.to_json()["notes"][0]["message"]
    silent = replace(epochs[1], reason="")
    assert (
        "no reason was given" in verify_log(FairLog("m1", USERS, (epochs[0], silent), rolls)).notes[0].message
    )
    # Promises for rolls that never came are verified too.
    assert verify_log(
        FairLog("m1", USERS, (*epochs, epoch_of(chains(seeds=(5, 6, 7)), first=9)), rolls)
    ).holds


def test_a_missing_share_is_labelled_and_the_chain_goes_on():
    made = chains()
    epoch = epoch_of(made)
    rolls = (
        rolled(epoch, made, 1, None),
        rolled(epoch, made, 2, None),
        rolled(epoch, made, 3, B, without=(A,)),
        rolled(epoch, made, 4, A, without=(A, B)),
        rolled(epoch, made, 5, B),
    )
    check = verify_log(FairLog("m1", USERS, (epoch,), rolls))
    assert check.holds
    assert [roll.trust for roll in check.rolls] == ["strict", "strict", "weaker", "weaker", "strict"]
    assert [roll.absent for roll in check.rolls] == [(), (), (A,), (A, B), ()]
    assert rolls[2].dice == fair.roll(
        "m1", 3, ByParty(fair.compute_absent_share("m1", A, 3), made.b.share(3), made.server.share(3))
    )


def test_typed_words_stand_in_for_a_chain():
    made = chains()
    epoch = epoch_of(made, without=(A, B), seeds=ByParty("four leaves", None, None))
    log = FairLog("m1", USERS, (epoch,), (rolled(epoch, made, 1, None, without=(A, B)),))
    check = verify_log(FairLog.parse(log.text().encode()))
    assert check.holds
    assert (check.rolls[0].trust, check.rolls[0].typed, check.rolls[0].absent) == (Trust.WEAKER, (A,), (B,))
    other = replace(epoch, seeds=ByParty("five leaves", None, None))
    assert codes(replace(log, epochs=(other,))) == ["wrong-dice"]


# -- documents that lie -------------------------------------------------------------------------------


def test_the_first_roll_that_fails_is_named_and_the_rest_go_on():
    log = changed(match_log(), 3, dice=(6, 6))
    check = verify_log(changed(log, 6, dice=(1, 1)))
    assert [(problem.code, problem.roll) for problem in check.problems] == [
        ("wrong-dice", 3),
        ("wrong-dice", 6),
    ]
    assert check.first.message == "The shares make 5-4, not 6-6."
    assert [roll.holds for roll in check.rolls] == [True, True, False, True, True, False, True, True]
    assert not check.to_json()["holds"]


@pytest.mark.parametrize("party", Party)
def test_a_share_that_is_not_the_next_of_its_chain(party):
    log = match_log()
    forged = replace(log.rolls[3].links, **{{A: "a", B: "b", S: "server"}[party]: b"f" * 32})
    assert ("wrong-link", 4) in {
        (problem.code, problem.roll) for problem in verify_log(changed(log, 4, links=forged)).problems
    }
    assert verify_log(changed(log, 4, links=forged)).rolls[4].holds


def test_a_mirror_gives_nothing():
    """B echoes what A says: the head, the promise, or, a roll late, the shares."""
    made = chains()
    with pytest.raises(Impossible, match="equal heads"):
        fair.require_distinct(ByParty(made.a.head, made.a.head, made.server.head), "heads")
    with pytest.raises(Impossible, match="equal shares"):
        fair.roll("m1", 1, ByParty(made.a.share(1), made.a.share(1), made.server.share(1)))

    echo = ByParty(made.a, made.a, made.server)
    epoch = epoch_of(echo)
    links = echo.map(lambda chain: chain.share(1))
    log = FairLog("m1", USERS, (epoch,), (Roll(1, None, ShareMode.STRICT, links, (3, 1)),))
    assert codes(log) == ["equal-heads", "equal-shares"]
    copied = replace(
        epoch_of(made), commitments=replace(epoch_of(made).commitments, b=epoch_of(made).commitments.a)
    )
    assert codes(FairLog("m1", USERS, (copied,), ())) == ["wrong-commitment"]

    late = ByParty(made.a, Chain((*made.a.links[1:], fair.compute_next_link(made.a.head))), made.server)
    epoch = epoch_of(late)
    rolls = tuple(rolled(epoch, late, number, None) for number in (1, 2))
    assert [problem.code for problem in verify_log(FairLog("m1", USERS, (epoch,), rolls)).problems] == [
        "repeated-share",
        "repeated-share",
    ]


def test_rolls_have_their_places():
    log = match_log()
    assert codes(changed(log, 5, number=6)) == ["wrong-number"]
    swapped = replace(log, rolls=(*log.rolls[:3], log.rolls[4], log.rolls[3], *log.rolls[5:]))
    assert codes(swapped)[0] == "wrong-number"
    left_out = replace(log, rolls=(*log.rolls[:3], *log.rolls[4:]))
    assert verify_log(left_out).first.roll == 4
    assert codes(changed(log, 2, roller=A)) == ["tie-kept"]
    assert codes(changed(changed(log, 2, roller=A), 1, taken_back=True)) == []


def test_promises_have_their_order():
    log = match_log()
    assert "epoch-order" in codes(replace(log, epochs=(replace(log.epochs[0], first=2),)))
    assert "chain-used-up" in codes(replace(log, epochs=()))
    assert "epoch-order" in codes(replace(log, epochs=(*log.epochs, *log.epochs)))


def test_a_player_without_a_chain_cannot_give_a_link():
    made = chains()
    log = match_log(1)
    assert codes(replace(log, epochs=(epoch_of(made, without=(A,)),))) == ["wrong-link"]


def test_a_document_of_nothing_but_faults_is_left_early():
    log = match_log(200)
    forged = replace(log, rolls=tuple(replace(roll, number=roll.number + 1) for roll in log.rolls))
    check = verify_log(forged)
    assert len(check.rolls) < 101
    assert check.problems[-1].code == "too-many-problems"


TEXT = match_log().text().encode()


@pytest.mark.long
@settings(max_examples=400)
@given(st.integers(0, len(TEXT) - 1), st.integers(1, 255))
def test_any_altered_byte_is_noticed(place, mask):
    altered = bytearray(TEXT)
    altered[place] ^= mask
    try:
        log = FairLog.parse(bytes(altered))
    except Unreadable:
        return
    if json.loads(altered) != json.loads(TEXT):  # a blank may become another blank
        assert not verify_log(log).holds


# -- documents that are none --------------------------------------------------------------------------


def damaged(path, value):
    document = json.loads(TEXT)
    place = document
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return document


HEX = "ab" * 32


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (["format"], "bardice"),
        (["version"], 2),
        (["scheme"], "bgdice/v2"),
        (["more"], 1),
        (["match"], ""),
        (["match"], "a|b"),
        (["match"], "\ud834"),
        (["match"], "x" * 300),
        (["parties"], {"A": "ann", "B": "bob"}),
        (["parties", "A"], 5),
        (["epochs"], {}),
        (["epochs", 0, "length"], 0),
        (["epochs", 0, "length"], 5000),
        (["epochs", 0, "first"], True),
        (["epochs", 0, "heads", "S"], None),
        (["epochs", 0, "heads", "A"], None),
        (["epochs", 0, "seeds", "A"], "words and a chain"),
        (["rolls", 0], 5),
        (["rolls", 0, "dice"], [1, 7]),
        (["rolls", 0, "dice"], [1]),
        (["rolls", 0, "mode"], "open"),
        (["rolls", 0, "roller"], "S"),
        (["rolls", 0, "roller"], []),
        (["rolls", 0, "taken_back"], 1),
        (["rolls", 0, "links", "S"], None),
        (["rolls", 0, "links", "A"], HEX.upper()),
        (["rolls", 0, "links", "A"], HEX[:-2]),
        (["rolls", 0, "number"], 10**9),
        (["digest"], None),
    ],
)
def test_a_document_of_another_form_is_refused(path, value):
    with pytest.raises(Unreadable, match="cannot be read"):
        FairLog.from_json(damaged(path, value))


@pytest.mark.parametrize(
    "data", [b"", b"\xff\xfe", b"{", b"[" * 100_000, b'{"a": 1, "a": 2}', b"9" * 5000, b" " * 16_000_001]
)
def test_bytes_that_are_no_document_are_refused(data):
    with pytest.raises(Unreadable):
        FairLog.parse(data)
