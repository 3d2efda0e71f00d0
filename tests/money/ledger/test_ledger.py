"""The ledger of an event: payments, sums due, payouts, and lines that are never changed."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from money import receivers, verifiers
from money.errors import (
    BadSplit,
    BadTerms,
    DueChanged,
    LinesThere,
    NoMoney,
    NothingToPay,
    NotSettled,
    PaidAlready,
    TermsFixed,
    TooLate,
    UnknownLine,
)
from money.ledger import ledger
from money.models import EventMoney, LineKind, MoneyLine
from money.terms import formatting, terms
from money.terms.terms import PoolTerms, ReducedFee
from players.accounts import accounts as people
from players.models import Player
from tests.money.conftest import Till
from tests.tournaments.event_desk import a_plan
from tournaments.base.errors import NotDirector, ReasonNeeded, UnknownEntrant
from tournaments.models import Entry
from tournaments.plan import drawing, setup
from tournaments.plan.templates import StagePlan
from tournaments.play import corrections, directing

KNOCK_OUT = a_plan("single-elimination")


def night(till: Till, players: int = 4, **said: Any) -> None:
    """An event that is announced, with its fees."""
    till.announce(KNOCK_OUT, players)
    till.agree(**said)


def test_everybody_pays_at_once_but_who_has_paid_or_left(till: Till) -> None:
    night(till, 4, fee=2000)
    till.do(ledger.pay, entrant=1)
    till.do(directing.withdraw_player, player_key=till.event.entries.get(number=2).player.key)
    written = till.do(ledger.pay_all, entrants=[1, 2, 3, 4])
    assert [(line.entrant, line.amount) for line in written] == [(3, 2000), (4, 2000)]
    with pytest.raises(PaidAlready):
        till.do(ledger.pay_all, entrants=[1, 2, 3, 4])


def test_all_fees_at_once_are_numbered_as_one_by_one(till: Till) -> None:
    night(till, 3, fee=2000, registration=500)
    (fee, _) = till.do(ledger.pay, entrant=2)
    till.do(ledger.cancel_line, line=fee.number, why="Too early")
    written = till.do(ledger.pay_all, entrants=[3, 2, 1])
    assert [
        (line.number, line.entrant, line.kind, line.item, line.turn, line.amount) for line in written
    ] == [
        (5, 1, "fee", 1, 0, 2000),
        (6, 1, "registration", 1, 0, 500),
        (7, 2, "fee", 1, 2, 2000),
        (8, 2, "registration", 1, 2, 500),
        (9, 3, "fee", 1, 0, 2000),
        (10, 3, "registration", 1, 0, 500),
    ]


def test_all_fees_at_once_take_no_query_for_each(till: Till) -> None:
    asked = []
    for players in (4, 12):
        night(till, players, fee=2000, registration=500)
        with CaptureQueriesContext(connection) as queries:
            till.do(ledger.pay_all, entrants=range(1, players + 1))
        asked.append(len(queries))
    assert asked[0] == asked[1]


def all_pay(till: Till) -> None:
    for entry in Entry.objects.filter(tournament=till.event, withdrawn_at__isnull=True):
        till.do(ledger.pay, entrant=entry.number)


def finish(till: Till) -> None:
    till.do(drawing.publish)
    till.play_out()


def test_every_event_begins_without_money(till: Till) -> None:
    till.announce(KNOCK_OUT, 4)
    assert not EventMoney.objects.exists()
    with pytest.raises(NoMoney):
        till.do(ledger.pay, entrant=1)


def test_fees_are_agreed_before_the_start_and_fixed_then(till: Till) -> None:  # R57
    night(till, fee=1000)
    till.agree(fee=1500, prizes={"main": ["100"]})
    assert till.account.money.fee == 1500
    till.do(drawing.publish)
    with pytest.raises(TermsFixed):
        till.agree(fee=2000)
    with pytest.raises(TermsFixed):
        till.do(terms.open_pool, terms=PoolTerms("Jackpot", 500))
    with pytest.raises(TermsFixed):
        till.do(terms.delete_terms)


def test_an_event_may_be_free(till: Till) -> None:  # R58
    night(till, fee=0, added=5000, prizes={"main": ["100"]})
    with pytest.raises(NothingToPay):
        till.do(ledger.pay, entrant=1)
    finish(till)
    assert list(till.account.due.values()) == [5000]


@pytest.mark.parametrize(
    "said",
    [
        {"currency": "eur"},
        {"currency": "EURO"},
        {"currency": "€"},
        {"decimals": 1},
        {"fee": -1},
        {"added": 10**12 + 1},
        {"rake_percent": Decimal(101)},
        {"prizes": {"main": ["60", "50"]}},
        {"prizes": {"main": ["-1"]}},
        {"prizes": {"main": ["1/0"]}},
        {"prizes": {"main": ["much"]}},
        {"steps": {8: {"main": ["60", "50"]}}},
        {"steps": {0: {"main": ["60"]}}},
    ],
)
def test_terms_that_cannot_be(till: Till, said: dict[str, Any]) -> None:
    till.announce(KNOCK_OUT)
    with pytest.raises(BadTerms):
        till.agree(**said)
    assert not EventMoney.objects.exists()


def test_fees_that_were_taken_are_not_changed(till: Till) -> None:
    night(till)
    till.do(ledger.pay, entrant=1)
    with pytest.raises(LinesThere):
        till.agree(fee=100)
    with pytest.raises(LinesThere):
        till.do(terms.delete_terms)
    till.agree(added=100)
    till.do(ledger.cancel_line, line=1, why="Wrong night")
    till.agree(fee=100)


def test_the_decimals_are_not_changed_below_a_side_pool(till: Till) -> None:
    night(till, players=2)
    till.do(terms.open_pool, terms=PoolTerms("Jackpot", 1000))
    with pytest.raises(BadTerms, match="close the side pools first"):
        till.agree(currency="JPY", decimals=0)
    till.agree(currency="USD")
    till.do(terms.close_pool, pool=1)
    till.agree(currency="JPY", decimals=0)


def test_money_can_be_switched_off_again(till: Till) -> None:
    night(till)
    till.do(terms.delete_terms)
    assert not EventMoney.objects.exists()


def test_only_directors_touch_the_money(till: Till) -> None:
    night(till)
    stranger = people.register(email="x@example.org", password=None, name="Stranger", now=till.now)
    for act, what in (
        (ledger.pay, {"entrant": 1}),
        (ledger.spend, {"amount": 1, "note": "Tea"}),
        (ledger.cancel_line, {"line": 1, "why": "Why"}),
        (terms.delete_terms, {}),
    ):
        with pytest.raises(NotDirector):
            act(tournament_id=till.pk, by=stranger, now=till.now, **what)


def test_paid_is_said_once_and_by_whom(till: Till) -> None:
    night(till, registration=300)
    lines = till.do(ledger.pay, entrant=1)
    assert [(line.kind, line.amount, line.by, line.at) for line in lines] == [
        ("fee", 2000, till.director, till.now),
        ("registration", 300, till.director, till.now),
    ]
    with pytest.raises(PaidAlready):
        till.do(ledger.pay, entrant=1)
    with pytest.raises(UnknownEntrant):
        till.do(ledger.pay, entrant=9)
    assert (till.account.settlement.fees, till.account.registration, till.account.in_hand) == (
        2000,
        300,
        2300,
    )


def test_a_re_entry_pays_once_more(till: Till) -> None:
    night(till)
    with pytest.raises(NothingToPay):
        till.do(ledger.pay, entrant=1, again=True)
    till.do(ledger.pay, entrant=1)
    till.do(ledger.pay, entrant=1, again=True)
    till.do(ledger.pay, entrant=1, again=True)
    assert [(line.item, line.turn) for line in till.account.lines] == [(1, 0), (2, 0), (3, 0)]
    assert till.account.settlement.fees == 6000


def test_a_line_is_taken_back_by_another_and_never_changed(till: Till) -> None:
    night(till, registration=300)
    till.do(ledger.pay, entrant=1)
    with pytest.raises(ReasonNeeded):
        till.do(ledger.cancel_line, line=1, why=" ")
    till.do(ledger.cancel_line, line=2, why="They have left")
    assert [(line.amount, line.corrects_id, line.note) for line in MoneyLine.objects.order_by("number")] == [
        (2000, None, ""),
        (300, None, ""),
        (-2000, MoneyLine.objects.get(number=1).pk, "They have left"),
        (-300, MoneyLine.objects.get(number=2).pk, "They have left"),
    ]
    with pytest.raises(PaidAlready):
        till.do(ledger.cancel_line, line=1, why="Again")
    with pytest.raises(UnknownLine):
        till.do(ledger.cancel_line, line=3, why="A counter-entry")
    till.do(ledger.pay, entrant=1)
    assert till.account.settlement.fees == 2000
    assert list(verifiers.verify_ledgers()) == []


def test_a_registration_fee_is_taken_back_after_another_payment_was(till: Till) -> None:
    night(till, registration=500, reduced=[ReducedFee("Junior", 1000)])
    (line, *_) = till.do(ledger.pay, entrant=1, reduced="Junior")
    till.do(ledger.cancel_line, line=line.number, why="No junior")
    again = till.do(ledger.pay, entrant=1)
    till.do(ledger.cancel_line, line=again[-1].number, why="They have left")
    assert not any(till.account.totals.values())
    for gone in (line, *again):
        with pytest.raises(PaidAlready):
            till.do(ledger.cancel_line, line=gone.number, why="Again")
    till.do(ledger.pay, entrant=1)
    assert till.account.in_hand == 2500
    assert list(verifiers.verify_ledgers()) == []


def test_a_registration_fee_is_taken_back_after_its_entry_fee(till: Till) -> None:
    """In ledgers of earlier versions a fee may have been taken back alone."""
    night(till, registration=500)
    fee, registration = till.do(ledger.pay, entrant=1)
    MoneyLine.objects.create(
        money=fee.money, number=3, kind="fee", entrant=1, item=1, turn=1, amount=-2000, corrects=fee, note="Left",
        at=till.now,
    )  # fmt: skip
    (rest,) = till.do(ledger.cancel_line, line=registration.number, why="They have left")
    assert (rest.kind, rest.amount) == ("registration", -500)
    assert not any(till.account.totals.values())


def test_the_database_lets_nobody_change_a_line(till: Till) -> None:
    night(till)
    (line,) = till.do(ledger.pay, entrant=1)
    for change in ({"amount": 1}, {"note": "x"}, {"number": 7}, {"entrant": 2}):
        with pytest.raises(IntegrityError), transaction.atomic():
            MoneyLine.objects.filter(pk=line.pk).update(**change)
    MoneyLine.objects.filter(pk=line.pk).update(by=None)


@pytest.mark.parametrize(
    "wrong",
    [
        {"amount": 0},
        {"amount": -5},
        {"kind": "fee", "entrant": None},
        {"kind": "expense", "entrant": 1},
        {"kind": "tip"},
        {"number": 1},
        {"turn": 0},
    ],
)
def test_the_database_refuses_lines_that_cannot_be(till: Till, wrong: dict[str, Any]) -> None:
    night(till)
    (line,) = till.do(ledger.pay, entrant=1)
    sound: dict[str, Any] = {
        "money": line.money, "number": 2, "kind": "fee", "entrant": 1, "item": 1, "turn": 1, "amount": 5,
        "at": till.now,
    }  # fmt: skip
    with pytest.raises(IntegrityError), transaction.atomic():
        MoneyLine.objects.create(**{**sound, **wrong})
    MoneyLine.objects.create(**sound)


def test_prizes_are_paid_out_once_when_the_order_stands(till: Till) -> None:
    night(till)
    all_pay(till)
    with pytest.raises(NotSettled):
        till.do(ledger.pay_out, entrant=1, amount=3600)
    finish(till)
    # 80.00 less 10 percent; third and fourth place share the third prize.
    assert dict(till.account.due) == {1: 3600, 2: 720, 3: 2160, 4: 720}
    with pytest.raises(DueChanged, match=r"36\.00 EUR"):
        till.do(ledger.pay_out, entrant=1, amount=3000)
    till.do(ledger.pay_out, entrant=1, amount=3600)
    with pytest.raises(PaidAlready):
        till.do(ledger.pay_out, entrant=1, amount=3600)
    assert (till.account.in_hand, dict(till.account.paid_out)) == (4400, {1: 3600})


def test_who_has_not_paid_adds_nothing_to_the_prizes(till: Till) -> None:
    night(till)
    till.do(ledger.pay, entrant=2)
    finish(till)
    assert sum(till.account.due.values()) == 1800


def test_a_corrected_result_says_what_is_due_now_and_leaves_what_was_paid(till: Till) -> None:
    night(till, players=2, prizes={"main": ["70", "30"]})
    all_pay(till)
    finish(till)
    till.do(ledger.pay_out, entrant=1, amount=2520)
    till.do(corrections.correct_result, key="main/1.1", score=(0, 5) if till.row("main/1.1").a.number == 1 else (5, 0),
            reason="Written down the wrong way round")  # fmt: skip
    account = till.account
    assert (dict(account.due), dict(account.paid_out)) == ({1: 1080, 2: 2520}, {1: 2520})
    assert MoneyLine.objects.filter(kind=LineKind.PAYOUT).count() == 1
    with pytest.raises(PaidAlready):
        till.do(ledger.pay_out, entrant=1, amount=1080)
    # They bring it back, and get what is theirs.
    payout = MoneyLine.objects.get(kind=LineKind.PAYOUT)
    till.do(ledger.cancel_line, line=payout.number, why="The result was corrected")
    till.do(ledger.pay_out, entrant=1, amount=1080)
    till.do(ledger.pay_out, entrant=2, amount=2520)
    assert till.account.in_hand == 400
    assert list(verifiers.verify_ledgers()) == []


def test_only_contributors_win_a_side_pool(till: Till) -> None:
    night(till, fee=0, prizes={})
    till.do(terms.open_pool, terms=PoolTerms("Jackpot", 500, rake_percent=Decimal(5)))
    till.do(terms.open_pool, terms=PoolTerms("Nobody's", 500))
    for entrant in (3, 4):
        till.do(ledger.stake, entrant=entrant, pool=1)
    with pytest.raises(PaidAlready):
        till.do(ledger.stake, entrant=3, pool=1)
    with pytest.raises(NothingToPay):
        till.do(ledger.stake, entrant=2, pool=7)
    with pytest.raises(LinesThere):
        till.do(terms.close_pool, pool=1)
    till.do(terms.close_pool, pool=2)
    finish(till)
    assert dict(till.account.due) == {3: 950}
    with pytest.raises(TooLate):
        till.do(ledger.stake, entrant=1, pool=1)


def test_a_side_pool_of_an_event_without_a_draw_goes_by_the_places_that_were_entered(till: Till) -> None:
    till.announce(None, 3, match_length=5)
    till.agree(fee=0, prizes={})
    till.do(terms.open_pool, terms=PoolTerms("Jackpot", 500))
    for entrant in (2, 3):
        till.do(ledger.stake, entrant=entrant, pool=1)
    till.do(directing.start_event)
    keys = Entry.objects.filter(tournament=till.event).values_list("number", "player__key")
    till.do(directing.record_finish, places={key: number for number, key in keys})
    assert dict(till.account.due) == {2: 1000}


@pytest.mark.long
def test_prizes_of_the_consolation(till: Till) -> None:
    plan = a_plan("progressive-consolation")
    till.announce(plan, 8)
    till.agree(rake_percent=Decimal(0), prizes={"main": ["50", "25"], "consolation": ["25"]})
    all_pay(till)
    finish(till)
    due = till.account.due
    assert (due[1], due[2], sum(due.values()), len(due)) == (8000, 4000, 16000, 3)


def won_by(till: Till, key: str) -> int:
    winner = till.row(key).winner
    assert winner
    return winner.number


def lost_by(till: Till, key: str) -> int:
    row = till.row(key)
    assert row.a
    assert row.b
    return row.a.number if row.winner == row.b else row.b.number


@pytest.mark.long
def test_who_won_the_consolation_takes_no_prize_of_the_main_draw(till: Till) -> None:  # M12
    till.announce(a_plan("progressive-consolation"), 8)
    prizes = {"main": ["50", "20", "10", "4"], "consolation": ["10", "4", "2"]}
    till.agree(rake_percent=Decimal(0), prizes=prizes)
    all_pay(till)
    finish(till)
    due = dict(till.account.due)
    semis = {lost_by(till, "main/2.1"), lost_by(till, "main/2.2")}
    consoled = won_by(till, "consolation/3.1")
    assert till.entry(consoled).place == 3, "the final order puts whoever won the consolation third"
    # 16,000 units: who lost a semi-final shares 10 and 4 percent.
    paid = dict.fromkeys(semis, 1120)
    paid[consoled] = paid.get(consoled, 0) + 1600
    second = lost_by(till, "consolation/3.1")
    paid[second] = paid.get(second, 0) + 640
    for who in paid:
        extra = due[who] - paid[who]
        assert extra in {0, 160, 320}, "the third prize of the consolation is shared by those who came so far"
    assert (due[1], due[won_by(till, "main/3.1")]) == (8000, 8000)
    assert sum(due.values()) == 16000


@pytest.mark.long
def test_a_side_pool_is_read_from_the_main_draw_alone(till: Till) -> None:  # P107
    till.announce(a_plan("progressive-consolation"), 8)
    till.agree(rake_percent=Decimal(0), prizes={"main": ["100"]})
    for number, reading in enumerate(("main", "consolation-first"), 1):
        till.do(terms.open_pool, terms=PoolTerms(f"Pool {number}", 500, ["100"], reading=reading))
    all_pay(till)
    till.do(drawing.publish)
    # Four play for a place in the semi-finals; the loser of the first match wins every match of the
    # consolation.
    first = till.row("main/1.1")
    lucky = first.b.number
    till.play("main/1.1", first.a.number)
    play_on(till, lucky, "main")
    semi = lost_by(till, "main/2.1")
    for pool in (1, 2):
        for who in (lucky, semi):
            till.do(ledger.stake, entrant=who, pool=pool)
    play_on(till, lucky)
    till.fresh()
    assert won_by(till, "consolation/3.1") == lucky
    assert till.entry(lucky).place == 3, "in the final order the consolation counts"
    shares = [share for share in till.account.settlement.shares if share.pool is not None]
    assert {share.pool: int(share.player.rpartition("\0")[2]) for share in shares} == {0: semi, 1: lucky}


@pytest.mark.long
def test_first_prize_is_for_the_stage_that_decides_the_event(till: Till) -> None:
    till.announce_stages()
    till.agree(rake_percent=Decimal(0), prizes={"main": ["75"], "consolation": ["25"]})
    till.do(terms.open_pool, terms=PoolTerms("Jackpot", 500))
    all_pay(till)
    for number in range(1, 13):
        till.do(ledger.stake, entrant=number, pool=1)
    finish(till)
    champion, consoled = won_by(till, "title/main/2.1"), won_by(till, "rest/consolation/3.1")
    assert till.entry(champion).place == 1
    # 24,000 units, and the side pool of 6,000.
    assert dict(till.account.due) == {champion: 18000 + 6000, consoled: 6000}


@pytest.mark.long
def test_finals_after_a_knock_out_decide_the_first_prize(till: Till) -> None:
    stages = (
        StagePlan(format="progressive-consolation", name="day"),
        StagePlan(
            format="single-elimination", name="finals", takes=({"stage": "day", "first": 1, "last": 2},)
        ),
    )
    till.announce(a_plan(stages), 8)
    till.agree(rake_percent=Decimal(0), prizes={"main": ["75"], "consolation": ["25"]})
    all_pay(till)
    till.do(drawing.publish)
    # The lower number wins each match but the last.
    while rows := [row for row in till.open() if row.stage.name == "day"]:
        till.play(rows[0].key)
    (final,) = till.open()
    till.play(final.key, max(final.a.number, final.b.number))
    till.fresh()
    champion, consoled = won_by(till, "finals/main/1.1"), won_by(till, "day/consolation/3.1")
    assert champion != won_by(till, "day/main/3.1")
    assert dict(till.account.due) == {champion: 12000, consoled: 4000}


def play_on(till: Till, lucky: int, bracket: str = "") -> None:
    """Play every match of a bracket, or all matches; the player *lucky* wins every time."""
    while rows := [row for row in till.open() if bracket in row.key]:
        row = rows[0]
        till.play(row.key, lucky if lucky in {row.a.number, row.b.number} else None)


@pytest.mark.long
def test_prizes_go_by_the_number_of_entries(till: Till) -> None:
    steps = {4: {"main": ["60", "40"]}, 8: {"main": ["50", "30", "20"]}}
    night(till, players=3, rake_percent=Decimal(0), prizes={"main": ["100"]}, steps=steps)
    assert till.account.prizes == {"main": ["100"]}
    till.do(directing.admit_named, names=["Guest 4"])
    assert till.account.prizes == {"main": ["60", "40"]}
    till.do(directing.withdraw_player, player_key=till.player(4).key)
    assert till.account.prizes == {"main": ["100"]}
    till.do(directing.admit_named, names=[f"Late {number}" for number in range(6)])
    all_pay(till)
    finish(till)
    assert sorted(till.account.due.values(), reverse=True)[:2] == [9000, 5400]


def test_registration_fees_cover_expenses_before_the_prizes_do(till: Till) -> None:  # M11
    night(till, players=2, registration=300, rake_percent=Decimal(0))
    all_pay(till)
    till.do(ledger.spend, amount=500, note="Room")
    assert (till.account.settlement.expenses, till.account.in_hand) == (0, 4100)
    till.do(ledger.spend, amount=500, note="Tea")
    assert till.account.settlement.prize_money == 3600


def test_odd_units_are_given_alike_in_every_language(till: Till) -> None:  # M8
    night(till, fee=0, added=1005)
    finish(till)
    Player.objects.filter(pk=till.player(2).pk).update(name="", erased_at=till.now)
    Player.objects.filter(pk=till.player(4).pk).update(name="Emma")
    for language, name in (("en", "Former player"), ("de", "Ehemaliges Mitglied")):
        with translation.override(language):
            account = till.account
            assert (account.due[2], account.due[4]) == (100, 101)
            assert account.name_of(2) == name


@pytest.mark.long
def test_players_divide_their_prizes(till: Till) -> None:  # P108
    night(till)
    all_pay(till)
    finish(till)
    with pytest.raises(BadSplit, match=r"57\.60 EUR"):
        till.do(ledger.split, shares={1: 3000, 3: 3000})
    with pytest.raises(BadSplit):
        till.do(ledger.split, shares={1: 6000, 3: -240})
    till.do(ledger.split, shares={1: 2880, 3: 2880}, note="Agreed before the final")
    assert dict(till.account.due) == {1: 2880, 2: 720, 3: 2880, 4: 720}
    till.do(ledger.split, shares={1: 2900, 3: 2860})
    till.do(ledger.cancel_line, line=MoneyLine.objects.filter(kind="split").first().number, why="No more")
    assert dict(till.account.due) == {1: 2900, 2: 720, 3: 2860, 4: 720}
    till.do(ledger.pay_out, entrant=1, amount=2900)
    with pytest.raises(PaidAlready):
        till.do(ledger.split, shares={1: 2880, 3: 2880})
    assert list(verifiers.verify_ledgers()) == []


def test_a_split_is_among_players_of_the_event(till: Till) -> None:
    night(till)
    all_pay(till)
    finish(till)
    before = till.account.lines
    with pytest.raises(UnknownEntrant):
        till.do(ledger.split, shares={1: 1000, 999: 2600})
    assert till.account.lines == before


def test_a_later_split_stays_when_an_earlier_one_is_taken_back(till: Till) -> None:
    night(till, players=2, fee=0, added=4000, prizes={"main": ["75", "25"]})
    finish(till)
    (first, _) = till.do(ledger.split, shares={1: 0, 2: 4000})
    till.do(ledger.split, shares={1: 4000, 2: 0})
    till.do(ledger.cancel_line, line=first.number, why="Agreed otherwise")
    assert dict(till.account.due) == {1: 4000}
    assert not till.account.lapsed
    assert list(verifiers.verify_ledgers()) == []


@pytest.mark.long
def test_a_later_split_lapses_if_its_total_came_from_an_earlier_one(till: Till) -> None:
    night(till)
    all_pay(till)
    finish(till)
    (first, _) = till.do(ledger.split, shares={1: 0, 3: 5760})
    till.do(ledger.split, shares={3: 0, 2: 6480})
    till.do(ledger.cancel_line, line=first.number, why="Agreed otherwise")
    account = till.account
    assert account.due == account.won
    (lapsed,) = account.lapsed
    assert (lapsed.players, lapsed.agreed, lapsed.together) == ((2, 3), 6480, 2880)
    assert list(verifiers.verify_ledgers()) == []


@pytest.mark.long
def test_an_agreed_split_follows_the_corrected_final_and_lapses_where_it_fits_no_more(till: Till) -> None:
    """ADR 83: the agreed sum remains after a corrected score, and lapses with another finalist."""
    night(till, players=4, fee=0, added=4000, rake_percent=Decimal(0), prizes={"main": ["75", "25"]})
    finish(till)
    final = till.row("main/2.1")
    two = final.a.number, final.b.number
    till.do(ledger.split, shares=dict.fromkeys(two, 2000), note="Agreed before the final")
    agreed = dict.fromkeys(sorted(two), 2000)
    assert dict(sorted(till.account.due.items())) == agreed

    score = (final.score_b, final.score_a)
    till.do(
        corrections.correct_result, key="main/2.1", score=score, reason="Written down the wrong way round"
    )
    assert sorted(till.account.won.values()) == [1000, 3000]
    assert dict(sorted(till.account.due.items())) == agreed
    assert not till.account.lapsed
    assert list(verifiers.verify_ledgers()) == []

    # Another person comes into the final and wins it.
    first = till.row("main/1.1")
    till.do(
        corrections.correct_result,
        key="main/1.1",
        score=(first.score_b, first.score_a),
        reason="That was the wrong way round, too",
        stand=False,
    )
    till.play_out()
    account = till.account
    assert account.due == account.won
    (lapsed,) = account.lapsed
    assert (lapsed.players, lapsed.agreed) == (tuple(sorted(two)), 4000)
    assert lapsed.together in {1000, 3000}
    assert list(verifiers.verify_ledgers()) == []
    till.do(ledger.cancel_line, line=lapsed.line, why="Another final was played")
    assert not till.account.lapsed


def test_a_draft_is_thrown_away_with_its_terms(till: Till) -> None:
    details = setup.Details(name="Draft", starts_at=till.now)
    till.event = setup.draft(
        club=till.club, by=till.director, key="draftdraft", details=details, now=till.now
    )
    till.agree()
    setup.discard(tournament_id=till.pk, by=till.director)
    assert not EventMoney.objects.exists()


def test_an_entry_that_is_gone_leaves_its_lines(till: Till) -> None:
    night(till)
    till.do(terms.open_pool, terms=PoolTerms("Jackpot", 500))
    till.do(ledger.pay, entrant=4)
    till.do(ledger.stake, entrant=4, pool=1)
    till.do(directing.withdraw_player, player_key=till.player(4).key)
    Entry.objects.filter(tournament=till.event, number=4).delete()
    finish(till)
    assert (till.account.settlement.fees, till.account.settlement.stakes) == (2000, (500,))
    assert list(verifiers.verify_ledgers()) == []


def test_the_verifier_finds_what_is_wrong(till: Till) -> None:
    night(till)
    (line,) = till.do(ledger.pay, entrant=1)
    MoneyLine.objects.create(
        money=line.money, number=5, kind="fee", entrant=1, item=1, turn=1, amount=-1, note="x",
        corrects=line, at=till.now,
    )  # fmt: skip
    assert len(list(verifiers.verify_ledgers())) == 2


def test_the_same_acts_are_the_same_settlement_whenever_they_were_written(till: Till) -> None:
    night(till)
    all_pay(till)
    finish(till)
    before = till.account.settlement
    till.now += timedelta(days=1)
    till.do(ledger.spend, amount=1, note="Stamp")
    till.do(ledger.cancel_line, line=5, why="No stamp")
    assert till.account.settlement == before


def test_a_person_s_own_lines_are_in_their_export(till: Till) -> None:
    night(till)
    till.do(ledger.pay, entrant=1)
    till.do(ledger.pay, entrant=2)
    (found,) = receivers.export_lines(till.player(2))
    assert (found["line"], found["units"], found["currency"]) == (2, 2000, "EUR")


@pytest.mark.parametrize(
    ("decimals", "units", "said"),
    [(0, 1234567, "1,234,567 XTS"), (2, 1205, "12.05 XTS"), (3, -5, "\u22120.005 XTS")],
)
def test_amounts_are_written_with_the_decimals_of_their_currency(
    decimals: int, units: int, said: str
) -> None:
    assert formatting.format_amount(units, EventMoney(currency="XTS", decimals=decimals)) == said
