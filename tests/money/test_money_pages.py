"""The pages of an event's money: the director's account, the prizes that all may see, sheets and receipts."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client

from money import verifiers
from money.ledger import ledger
from money.models import EventMoney, LineKind, MoneyLine
from money.terms import terms
from money.terms.terms import PoolTerms
from money.terms.terms_forms import MoneyTermsForm, get_split_parts, parse_amount
from players.models import NameStyle, Player
from tests.money.conftest import Till
from tests.tournaments.event_desk import a_plan
from tests.tournaments.support import shown
from tournaments.plan import drawing
from tournaments.play import corrections

TERMS = {
    "currency": "eur", "decimals": "2", "fee": "20", "registration": "2,50", "added": "", "rake_percent": "10",
    "split": "", "main": "50, 30 20 %", "consolation": "",
}  # fmt: skip


@pytest.fixture
def desk(till: Till, client: Client) -> Till:
    client.force_login(till.director)
    till.announce(a_plan("single-elimination"), 4)
    return till


def at(till: Till, page: str = "money/") -> str:
    return f"/events/{till.event.key}/{page}"


def words(response: Any, status: int = 200) -> str:
    assert response.status_code == status, response
    text = re.sub(r"<[^>]+>", " ", response.content.decode())
    return re.sub(r"\s+", " ", text.replace("\xa0", " "))


def test_an_event_is_played_without_money_until_a_director_says_so(desk: Till, client: Client) -> None:
    assert "This event is played without money" in words(client.get(at(desk)))
    assert client.get(at(desk, "prizes/"))["Location"] == desk.event.get_absolute_url()
    assert "Prizes" not in words(client.get(desk.event.get_absolute_url()))
    assert client.get(at(desk, "money/payouts/")).status_code == 404
    assert client.post(at(desk, "money/terms/"), TERMS)["Location"] == at(desk)
    money = EventMoney.objects.get()
    assert (money.currency, money.fee, money.registration, money.rake_percent, money.prizes) == (
        "EUR", 2000, 250, Decimal(10), {"main": ["50", "30", "20"]},
    )  # fmt: skip
    assert "72.00 EUR if everyone pays" in words(client.get(at(desk)))
    assert client.post(at(desk, "money/drop/")).status_code == 302
    assert not EventMoney.objects.exists()


def test_an_event_that_began_without_money_offers_no_form(desk: Till, client: Client) -> None:
    form = f'href="{at(desk, "money/terms/")}"'
    assert form in client.get(at(desk)).content.decode()
    desk.do(drawing.publish)

    page = client.get(at(desk))

    assert "This event began without them." in words(page)
    assert form not in page.content.decode()


@pytest.mark.parametrize(("rake", "typed"), [("10", "10"), ("2.50", "2.5"), ("0", "0"), ("100", "100")])
def test_a_rake_opens_again_as_it_is_typed(desk: Till, client: Client, rake: str, typed: str) -> None:
    desk.agree(rake_percent=Decimal(rake))
    fields = re.findall(
        r"<input[^>]*name=\"rake_percent\"[^>]*>", client.get(at(desk, "money/terms/")).content.decode()
    )
    assert any(f'value="{typed}"' in field for field in fields), fields


def test_visitors_see_the_tab_as_soon_as_there_is_money(desk: Till, client: Client) -> None:
    client.logout()
    assert "/prizes/" not in client.get(desk.event.get_absolute_url()).content.decode()
    desk.agree()
    assert "/prizes/" in client.get(desk.event.get_absolute_url()).content.decode()
    told = words(client.get(at(desk, "prizes/")))
    assert "50 % 36.00 EUR" in told
    assert "In the box" not in told
    assert client.get(at(desk)).status_code == 302


def test_prize_money_and_side_pools_are_told_apart_before_the_end(desk: Till, client: Client) -> None:
    desk.agree()
    desk.do(terms.open_pool, terms=PoolTerms("Jackpot", 500, rake_percent=Decimal(10)))
    desk.do(ledger.pay, entrant=1)
    for number in (1, 2):
        desk.do(ledger.stake, entrant=number, pool=1)
    told = words(client.get(at(desk)))
    assert "Prize money 18.00 EUR Side pools 9.00 EUR Rake 3.00 EUR Where it goes 30.00 EUR" in told


def test_the_list_of_entries_shows_the_stakes_of_those_who_owe_the_fee(desk: Till, client: Client) -> None:
    desk.agree()
    desk.do(terms.open_pool, terms=PoolTerms("Jackpot", 500, rake_percent=Decimal(10)))
    desk.do(ledger.pay, entrant=1)
    desk.do(ledger.stake, entrant=2, pool=1)
    told = words(client.get(at(desk, "money/entries/")))
    assert "not paid, 5.00 EUR" in told
    assert "1 of 4 have paid 25.00 EUR" in told


@pytest.mark.long
def test_names_are_written_as_the_club_writes_them(desk: Till, client: Client) -> None:
    for number, name in enumerate(("Anna Meyer", "Bo Holm", "Cleo Diaz", "Anna Mohr"), 1):
        Player.objects.filter(entries__tournament=desk.event, entries__number=number).update(name=name)
    desk.club.name_style = NameStyle.LAST_INITIAL
    desk.club.save()
    desk.agree()
    desk.do(ledger.pay_all, entrants=[1, 2, 3, 4])
    desk.do(drawing.publish)
    desk.play_out()

    names = ["Anna Meyer", "Bo H.", "Cleo D.", "Anna Mohr", "Bo Holm", "Cleo Diaz"]
    for page in ("prizes/", "money/", "money/payouts/", "money/entries/"):
        told = words(client.get(at(desk, page)))
        assert [name for name in names if name in told] == names[:4], page


def test_usual_splits_are_a_choice(desk: Till, client: Client) -> None:
    client.post(at(desk, "money/terms/"), {**TERMS, "split": "50-25+25"})
    assert EventMoney.objects.get().prizes == {"main": ["50", "25"], "consolation": ["25"]}
    assert get_split_parts("two-thirds") == {"main": ["200/3", "100/3"]}


def test_prizes_by_entries_are_written_line_by_line(desk: Till, client: Client) -> None:
    steps = "4: 60, 40\n\n16: 40, 25 + 25, 10"
    client.post(at(desk, "money/terms/"), {**TERMS, "steps": steps})
    money = EventMoney.objects.get()
    assert money.steps == [
        {"entries": 4, "prizes": {"main": ["60", "40"]}},
        {"entries": 16, "prizes": {"main": ["40", "25"], "consolation": ["25", "10"]}},
    ]
    assert MoneyTermsForm.build_initial(money)["steps"] == "4: 60, 40\n16: 40, 25 + 25, 10"
    told = words(client.get(at(desk)))
    assert "fewer: 50 %, 30 %, 20 %" in told
    assert "from 16 entries: 40 %, 25 %; consolation 25 %, 10 %" in told
    assert "60 % 43.20 EUR" in told


def test_prizes_are_typed_into_a_table_of_places_and_shares(desk: Till, client: Client) -> None:
    address = at(desk, "money/terms/")
    plain = {name: value for name, value in TERMS.items() if name not in {"main", "consolation", "steps"}}
    cells: dict[str, Any] = {
        "main": ["50", "33,3", "", ""],
        "consolation": ["", "10", "", ""],
        "steps_0_entries": "16",
        "steps_0_main": ["45", "30", "15", ""],
        "steps_0_beside": ["10", ""],
        "steps_1_entries": "",
        "steps_1_main": ["", ""],
        "steps_1_beside": [""],
    }
    assert client.post(address, plain | cells).status_code == 302
    money = EventMoney.objects.get()
    assert money.prizes == {"main": ["50", "33.3"], "consolation": ["0", "10"]}
    assert money.steps == [{"entries": 16, "prizes": {"main": ["45", "30", "15"], "consolation": ["10"]}}]
    page = client.get(address).content.decode()
    shown = re.findall(r'name="(main|steps_0_main|steps_0_beside)" value="([^"]+)"', page)
    assert shown == [
        ("main", "50"), ("main", "33.3"),
        ("steps_0_main", "45"), ("steps_0_main", "30"), ("steps_0_main", "15"), ("steps_0_beside", "10"),
    ]  # fmt: skip
    assert "<textarea" not in page.partition('id="id_steps"')[2].partition("</fieldset>")[0]
    wrong = client.post(address, plain | cells | {"steps_0_entries": ""})
    assert "Enter from how many entries the row applies." in wrong.content.decode()


def test_a_single_percent_with_a_decimal_comma_is_one_place(desk: Till, client: Client) -> None:
    cells: dict[str, Any] = {"main": ["50", "25", "", ""], "consolation": ["12,5", "", "", ""]}
    assert client.post(at(desk, "money/terms/"), TERMS | cells).status_code == 302
    assert EventMoney.objects.get().prizes == {"main": ["50", "25"], "consolation": ["12.5"]}


def test_the_club_s_last_terms_are_proposed(desk: Till, client: Client) -> None:
    desk.agree(currency="CHF", fee=1250)
    desk.announce(a_plan("single-elimination"), 4)
    form = client.get(at(desk, "money/terms/")).context["form"]
    assert (form.initial["currency"], form.initial["fee"]) == ("CHF", "12.50")
    assert MoneyTermsForm(form.initial).is_valid()


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"fee": "20.005"}, "fee"),
        ({"fee": "-5"}, "fee"),
        ({"fee": "much"}, "fee"),
        ({"decimals": "0", "registration": "2.50"}, "registration"),
        ({"main": "60, 50"}, "main"),
        ({"main": "60", "consolation": "50"}, "consolation"),
        ({"main": "1/0"}, "main"),
        ({"rake_percent": "101"}, "rake_percent"),
        ({"currency": "12€"}, "__all__"),
        ({"steps": "many: 50"}, "steps"),
        ({"steps": "8: 60, 50"}, "steps"),
        ({"steps": "8: 60 + 50"}, "steps"),
    ],
)
def test_terms_that_cannot_be_come_back(
    desk: Till, client: Client, wrong: dict[str, str], field: str
) -> None:
    response = client.post(at(desk, "money/terms/"), {**TERMS, **wrong})
    assert response.status_code == 422
    assert field in response.context["form"].errors
    assert not EventMoney.objects.exists()


@pytest.mark.parametrize(
    ("typed", "decimals", "found"), [("12,50", 2, 1250), ("12.5", 3, 12500), ("7", 0, 7), ("", 2, 0)]
)
def test_amounts_are_read_as_people_type_them(typed: str, decimals: int, found: int) -> None:
    assert parse_amount(typed, decimals) == found


@pytest.mark.parametrize(
    ("typed", "decimals"), [("1.5", 0), ("1,000", 0), ("12.500", 2), ("1.000", 2), ("1,000.50", 2)]
)
def test_too_many_decimals_are_no_amount(typed: str, decimals: int) -> None:
    """A separator of thousands is not taken for one of decimals."""
    with pytest.raises(ValidationError, match=r"This currency has|Write an amount"):
        parse_amount(typed, decimals)


def test_an_amount_that_is_too_large_is_refused_as_such() -> None:
    with pytest.raises(ValidationError, match="too large"):
        parse_amount("999999999999", 2)


@pytest.mark.long
def test_a_fee_is_ticked_in_the_roster_and_the_draw_names_who_has_not_paid(
    desk: Till, client: Client
) -> None:
    desk.agree()
    assert "4 have not paid yet: Guest 1, Guest 2" in words(client.get(at(desk, "draw/")))
    assert "Mark as paid Guest 2" in words(client.get(at(desk, "roster/")))
    answer = client.post(at(desk, "money/pay/"), {"entrant": "2", "back": "roster"})
    assert answer["Location"] == at(desk, "roster/")
    assert "Mark as paid Guest 2" not in words(client.get(at(desk, "roster/")))
    assert "3 have not paid yet: Guest 1, Guest 3, Guest 4." in words(client.get(at(desk, "draw/")))
    # It warns and never blocks.
    desk.do(drawing.publish)


def test_the_roster_is_as_it_was_where_there_is_no_money(desk: Till, client: Client) -> None:
    assert "paid" not in words(client.get(at(desk, "roster/")))
    assert "paid" not in words(client.get(at(desk, "draw/")))


@pytest.mark.long
def test_a_night_at_the_till(desk: Till, client: Client) -> None:
    client.post(at(desk, "money/terms/"), {**TERMS, "registration": ""})
    client.post(
        at(desk, "money/pools/"),
        {"name": "Jackpot", "stake": "5", "prizes": "100", "rake_percent": "0", "reading": "main"},
    )
    for entrant in (1, 2, 3, 4):
        client.post(at(desk, "money/pay/"), {"entrant": entrant})
    for entrant in (3, 4):
        client.post(at(desk, "money/stake/"), {"entrant": entrant, "pool": 1})
    client.post(at(desk, "money/spend/"), {"amount": "2.00", "note": "Chalk"})
    told = words(client.get(at(desk)))
    assert "In the box now: 88.00 EUR" in told
    assert "not paid" not in told
    desk.do(drawing.publish)
    desk.play_out()
    # 80.00 less 8.00 and 2.00 is 70.00; third and fourth share 14.00.
    told = words(client.get(at(desk)))
    assert all(f"Pay out {amount} EUR" in told for amount in ("35.00", "31.00", "7.00"))
    assert told.count("place 3–4 ·") == 2  # noqa: RUF001
    client.post(at(desk, "money/pay-out/"), {"entrant": 1, "amount": 3500})
    assert "has been paid out 35.00 EUR" in words(client.get(at(desk)))
    sheet = words(client.get(at(desk, "money/payouts/")))
    assert "Received, date and signature" in sheet
    assert "Guest 3 31.00 EUR" in sheet
    assert "3–4 Guest" in sheet  # noqa: RUF001
    receipt = words(client.get(at(desk, "money/receipts/3/")))
    assert "Entry fee 20.00 EUR" in receipt
    assert "Jackpot 5.00 EUR" in receipt
    assert "Paid in 25.00 EUR" in receipt
    client.logout()
    assert "Guest 3 31.00 EUR" in words(client.get(at(desk, "prizes/")))


@pytest.mark.long
def test_all_prizes_are_paid_out_with_one_press(desk: Till, client: Client) -> None:
    desk.agree()
    desk.do(ledger.pay_all, entrants=[1, 2, 3, 4])
    desk.do(drawing.publish)
    desk.play_out()
    page = client.get(at(desk)).content.decode()
    assert "Pay out all 4 prizes" in page
    sent = re.search(r'name="prizes"\s+value="([^"]+)"', page)

    # One of them was paid out in the meantime: nothing is written.
    amount = int(dict(each.split(":") for each in sent[1].split())["2"])
    line = desk.do(ledger.pay_out, entrant=2, amount=amount)
    client.post(at(desk, "money/pay-out/"), {"everybody": "yes", "prizes": sent[1]})
    assert MoneyLine.objects.filter(kind=LineKind.PAYOUT).count() == 1
    client.post(at(desk, "money/take-back/"), {"line": line.number, "why": "slip"})

    client.post(at(desk, "money/pay-out/"), {"everybody": "yes", "prizes": sent[1]})

    assert "Pay out" not in words(client.get(at(desk)))


@pytest.mark.long
def test_a_correction_says_what_it_does_to_payouts(desk: Till, client: Client) -> None:
    desk.agree(rake_percent=Decimal(0), prizes={"main": ["100"]})
    for entrant in (1, 2, 3, 4):
        desk.do(ledger.pay, entrant=entrant)
    desk.do(drawing.publish)
    desk.play_out()
    client.post(at(desk, "money/pay-out/"), {"entrant": 1, "amount": 8000})
    final = desk.event.pairings.get(key="main/2.1")
    asked = words(client.get(at(desk, "acts/correct/"), {"match": final.key}))
    assert "80.00 EUR have been paid out to Guest 1." in asked
    score = (0, 5) if final.winner_id == final.a_id else (5, 0)
    desk.do(corrections.correct_result, key=final.key, score=score, reason="Written down the wrong way round")
    told = words(client.get(at(desk)))
    assert "Guest 1 was paid 80.00 EUR and is due 0.00 EUR." in told
    assert "80.00 EUR too much" in told
    payout = MoneyLine.objects.get(kind=LineKind.PAYOUT)
    client.post(at(desk, "money/take-back/"), {"line": payout.number, "why": "The result was corrected"})
    assert "was paid" not in words(client.get(at(desk)))


@pytest.mark.long
def test_an_exchange_says_that_payments_stay_with_the_entry(desk: Till, client: Client) -> None:
    desk.agree()
    desk.do(drawing.publish)
    said = {"entry": "1", "other": "2", "reason": "Mixed up", "expects": shown(desk.event)}
    preview = words(client.post(at(desk, "acts/exchange/"), said))
    assert "What will happen" in preview
    assert "Payments and lots stay" not in preview

    desk.do(ledger.pay, entrant=2)

    assert "Payments and lots stay with the entry" in words(client.post(at(desk, "acts/exchange/"), said))
    assert desk.player(1).name == "Guest 1"


def test_a_split_is_written_down(desk: Till, client: Client) -> None:
    desk.agree(fee=0, added=10000, rake_percent=Decimal(0), prizes={"main": ["70", "30"]})
    desk.do(drawing.publish)
    desk.play_out()
    for share, told in (("50,02", "The split must add up to 100.00 EUR"), ("half", "Write an amount")):
        typed = {"share-1": "49,99", "share-3": share, "note": "Before the final"}
        response = client.post(at(desk, "money/split/"), typed)
        assert told in words(response, 422)
        for value in typed.values():
            assert f'value="{value}"' in response.text
    assert not MoneyLine.objects.exists()
    client.post(at(desk, "money/split/"), {"share-1": "50", "share-3": "50.00", "note": "Before the final"})
    assert dict(desk.account.due) == {1: 5000, 3: 5000}


@pytest.mark.long
def test_a_split_leaves_out_those_whose_shares_are_empty(desk: Till, client: Client) -> None:
    """Players with no part in it are paid by the results, also after a correction."""
    prizes = {"main": ["40", "30", "20", "10"]}
    desk.announce(a_plan("single-elimination", third_place=True), 4)
    desk.agree(fee=0, added=10000, rake_percent=Decimal(0), prizes=prizes)
    desk.do(drawing.publish)
    desk.play_out()
    place = {row.place: row.number for row in desk.event.entries.all()}
    page = client.get(at(desk)).text
    fields = re.findall(r'<input[^>]*name="(share-\d+)"\s+value="([^"]*)"', page)
    assert sorted(fields) == [(f"share-{number}", "") for number in range(1, 5)]

    agreed = {f"share-{place[1]}": "35", f"share-{place[2]}": "35"}
    answer = client.post(at(desk, "money/split/"), {**dict(fields), **agreed})

    assert answer.status_code == 302
    assert {line.entrant for line in MoneyLine.objects.all()} == {place[1], place[2]}
    third = desk.row("third-place/1.1")
    desk.do(
        corrections.correct_result,
        key=third.key,
        score=(third.score_b, third.score_a),
        reason="The other way round",
    )
    assert dict(desk.account.due) == {place[1]: 3500, place[2]: 3500, place[3]: 1000, place[4]: 2000}
    assert not desk.account.lapsed


@pytest.mark.long
def test_the_page_of_the_money_says_which_split_no_longer_counts(desk: Till, client: Client) -> None:
    desk.agree(fee=0, added=10000, rake_percent=Decimal(0), prizes={"main": ["70", "30"]})
    desk.do(drawing.publish)
    desk.play_out()
    client.post(at(desk, "money/split/"), {"share-1": "50", "share-3": "50"})
    assert "no longer counts" not in words(client.get(at(desk)))
    row = desk.row("main/1.1")
    score = (row.score_b, row.score_a)
    desk.do(
        corrections.correct_result, key="main/1.1", score=score, reason="The other way round", stand=False
    )
    desk.play_out()
    shown = client.get(at(desk))
    told = words(shown)
    assert "An agreed split no longer counts." in told
    line = re.search(r'href="#(line-\d+)"', shown.text)
    assert f'id="{line[1]}"' in shown.text
    assert "agreed how to divide 100.00 EUR. Now they get" in told


def test_the_form_of_everybody_has_one_field_for_all_entrants(desk: Till, client: Client) -> None:
    """Django refuses a form of more than 1,000 fields."""
    desk.agree()
    desk.do(ledger.pay, entrant=2)
    form = next(
        form
        for form in re.findall(r"<form.*?</form>", client.get(at(desk)).text, re.DOTALL)
        if 'name="everybody"' in form
    )
    fields = re.findall(r'<input[^>]*?name="(\w+)"\s+value="([^"]*)"', form)
    sent = {name: value for name, value in fields if name != "csrfmiddlewaretoken"}
    assert len(sent) == len([name for name, _value in fields if name != "csrfmiddlewaretoken"]) == 2
    assert sent["entrant"].split() == ["1", "3", "4"]
    client.post(at(desk, "money/pay/"), sent)
    assert [line.entrant for line in MoneyLine.objects.order_by("number")] == [2, 1, 3, 4]


def test_a_side_pool_is_closed_when_all_its_stakes_were_taken_back(desk: Till, client: Client) -> None:
    desk.agree()
    first = desk.do(terms.open_pool, terms=PoolTerms("Jackpot", 500))
    line = desk.do(ledger.stake, entrant=1, pool=first.number)
    client.post(at(desk, "money/pools/close/"), {"pool": first.number})
    assert desk.account.pools
    desk.do(ledger.cancel_line, line=line.number, why="No pool tonight")

    answer = client.post(at(desk, "money/pools/close/"), {"pool": first.number}, follow=True)

    told = words(answer)
    assert "The side pool is closed." in told
    assert told.count("No pool tonight") == 1
    assert not desk.account.pools
    again = desk.do(terms.open_pool, terms=PoolTerms("Second", 300))
    assert again.number == first.number + 1, "the stakes that were taken back are not those of another pool"
    assert "Jackpot" not in words(client.get(at(desk)))
    assert list(verifiers.verify_ledgers()) == []


def test_what_was_typed_for_an_expense_or_a_side_pool_stays_when_it_is_refused(
    desk: Till, client: Client
) -> None:
    desk.agree()
    spent = client.post(at(desk, "money/spend/"), {"amount": "12,50", "note": "Cha\u200blk"})
    assert spent.status_code == 422
    assert 'value="12,50"' in spent.text
    assert re.search(r'name="amount"[^>]*>.*?<button class="button">Record an expense', spent.text, re.DOTALL)
    pool = {"name": "Jackpot", "stake": "0", "prizes": "100", "rake_percent": "0", "reading": "main"}
    told = words(client.post(at(desk, "money/pools/"), pool), 422)
    assert "Write an amount such as 12.50." in told
    desk.do(drawing.publish)
    late = client.post(at(desk, "money/pools/"), {**pool, "stake": "7,50"})
    assert late.status_code == 422
    assert 'value="7,50"' in late.text
    assert not MoneyLine.objects.exists()


@pytest.mark.long
def test_what_is_sent_wrong_is_refused_with_a_sentence(desk: Till, client: Client) -> None:
    desk.agree()
    desk.do(terms.open_pool, terms=PoolTerms("Jackpot", 500))
    for page, sent, told in (
        ("pay", {"entrant": "x"}, "Nobody"),
        ("pay-out", {"entrant": "1", "amount": "5"}, "Prizes are paid out when the event is finished."),
        ("take-back", {"line": "7", "why": "So"}, "There is no such line to take back."),
        ("stake", {"entrant": "1", "pool": "9"}, "There is nothing to pay here."),
        ("split", {"share-1": "-5"}, "Write an amount such as 12.50."),
    ):
        answer = client.post(at(desk, f"money/{page}/"), sent, follow=True)
        said = words(answer, 422 if page == "split" else 200)
        assert told in said or page == "pay", page
    assert client.post(at(desk, "money/spend/"), {"amount": "0", "note": "x"}).status_code == 422
    assert client.post(at(desk, "money/pools/"), {"name": "x", "stake": "y"}).status_code == 422
    assert not MoneyLine.objects.exists()


def test_only_directors_see_the_account(desk: Till, client: Client) -> None:
    desk.agree()
    client.logout()
    for page in ("money/", "money/payouts/", "money/receipts/1/", "money/terms/"):
        assert "/accounts/login/" in client.get(at(desk, page))["Location"]
