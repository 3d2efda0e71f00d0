"""Figures that were published, or worked out by others, to the digits given: one test a line."""

from __future__ import annotations

from fractions import Fraction
from math import exp, log, pi, sqrt

import pytest

from rankings.formulas.elo import GALAXY, Elo
from rankings.formulas.fibs import MACFIBS, Fibs
from rankings.formulas.glicko2 import SCALE, Glicko2, build_bout, compute_volatility
from rankings.formulas.season import compute_match_points, compute_place_points, split_points
from rankings.formulas.systems import rate
from rankings.formulas.values import Outcome, Standing, System

pytestmark = pytest.mark.pure
LENGTHS = (1, 3, 5, 7, 9, 11)
# Patti Beadles, 1994: what a player with 400 points of experience wins or loses, by difference, length and result.
FAVOURITE_WINS = {
    100: "1.884998 3.119854 3.899648 4.491772 4.974016 5.381994",
    200: "1.770753 2.782339 3.345620 3.727760 4.006327 4.216725",
    300: "1.658005 2.457773 2.826207 3.029076 3.142692 3.201313",
    400: "1.547453 2.151421 2.353534 2.415209 2.409120 2.366478",
}
UNDERDOG_WINS = {
    100: "2.115002 3.808349 5.044624 6.091233 7.025984 7.884505",
    200: "2.229247 4.145864 5.598652 6.855246 7.993673 9.049774",
    300: "2.341995 4.470430 6.118065 7.553929 8.857308 10.065186",
    400: "2.452547 4.776783 6.590738 8.167797 9.590880 10.900022",
}
CHANCES = {100: ".529 .550 .564 .576 .585 .594", 300: ".585 .645 .684 .714 .738 .759"}


def lines(table: dict[int, str]) -> list[tuple[int, int, str]]:
    return [
        (lead, length, figure)
        for lead, row in table.items()
        for length, figure in zip(LENGTHS, row.split(), strict=True)
    ]


def changes(system: System, a: Standing, b: Standing, length: int, *, a_won: bool = True) -> list[float]:
    outcome = Outcome("m", 0.0, "a", "b", a_won=a_won, length=length)
    return [step.change for step in rate(system, [outcome], {"a": a, "b": b}).steps]


@pytest.mark.parametrize(("lead", "length", "figure"), lines(FAVOURITE_WINS))
def test_fibs_the_favourite_wins(lead: int, length: int, figure: str) -> None:
    won, lost = changes(Fibs(), Standing(1500.0 + lead, 400), Standing(1500.0, 400), length)
    assert (f"{won:.6f}", f"{lost:.6f}") == (figure, f"-{figure}")


@pytest.mark.parametrize(("lead", "length", "figure"), lines(UNDERDOG_WINS))
def test_fibs_the_underdog_wins(lead: int, length: int, figure: str) -> None:
    lost, won = changes(Fibs(), Standing(1500.0 + lead, 400), Standing(1500.0, 400), length, a_won=False)
    assert (f"{won:.6f}", f"{lost:.6f}") == (figure, f"-{figure}")


@pytest.mark.parametrize(("lead", "length", "figure"), lines(CHANCES))
def test_fibs_the_favourites_chance(lead: int, length: int, figure: str) -> None:
    stakes = Fibs().stakes(Standing(1500.0 + lead), Standing(1500.0), length)
    assert f"{stakes.expectancy_a:.3f}" == f"0{figure}"


@pytest.mark.parametrize(
    ("winner", "loser", "length", "man_page", "macfibs"),
    [
        ((1500.0, 0), (1700.0, 400), 5, "+27.9933 -5.5987", "+27.7133 -5.5987"),
        ((1500.0, 0), (1500.0, 0), 7, "+26.4575 -26.4575", "+26.0871 -26.0871"),
        ((1800.0, 1000), (1450.0, 120), 9, "+2.7588 -10.4836", "+2.7588 -10.2353"),
        ((1450.0, 120), (1800.0, 1000), 9, "+35.1164 -9.2412", "+34.2847 -9.2412"),
        ((1712.35, 399), (1633.10, 50), 25, "+7.8353 -34.9099", "+7.7578 -32.9705"),
    ],
)
@pytest.mark.parametrize("reading", ["man_page", "macfibs"])
def test_fibs_the_ramp_in_both_readings(
    winner: tuple[float, int],
    loser: tuple[float, int],
    length: int,
    man_page: str,
    macfibs: str,
    reading: str,
) -> None:
    system = Fibs(reading=MACFIBS) if reading == "macfibs" else Fibs()
    found = changes(system, Standing(*winner), Standing(*loser), length)
    assert " ".join(f"{change:+.4f}" for change in found) == (macfibs if reading == "macfibs" else man_page)


def test_fibs_as_in_brass_city() -> None:
    system = Fibs(k_start=2.0, k_per=400.0)
    found = changes(system, Standing(1500.0), Standing(1700.0, 400), 5)
    assert " ".join(f"{change:+.4f}" for change in found) == "+11.1973 -5.5987"


def test_fibs_without_the_ramp_as_in_belgium() -> None:
    found = changes(Fibs(ramp=False), Standing(1600.0), Standing(1500.0), 7)
    assert " ".join(f"{change:+.6f}" for change in found) == "+4.491772 -4.491772"


def test_elo_as_on_backgammon_galaxy() -> None:
    stakes = Elo(**GALAXY).stakes(Standing(1736.78), Standing(1628.80), 13)
    assert (f"{stakes.expectancy_a:.8f}", f"{stakes.k_a:.5f}") == ("0.57707843", "11.80652")


def test_elo_the_favourite_wins_on_backgammon_galaxy() -> None:
    found = changes(Elo(**GALAXY), Standing(1736.78), Standing(1628.80), 13)
    assert [f"{change:+.2f}" for change in found] == ["+34.19", "-34.19"]


def test_elo_the_other_wins_on_backgammon_galaxy() -> None:
    found = changes(Elo(**GALAXY), Standing(1736.78), Standing(1628.80), 13, a_won=False)
    assert [f"{change:+.2f}" for change in found] == ["-46.65", "+46.65"]


def test_master_points_of_a_match() -> None:
    assert f"{compute_match_points(11):.4f}" == "1.1055"


def test_master_points_of_a_place() -> None:
    assert f"{compute_place_points(1, 48):.4f}" == "3.3510"


def test_abt_points_of_a_division() -> None:
    assert split_points(19, [40, 20, 20, 10, 10]) == [
        Fraction(points) for points in ("7.6", "3.8", "3.8", "1.9", "1.9")
    ]


@pytest.fixture
def glickman() -> tuple[Standing, list[Outcome], dict[str, Standing]]:
    player = Standing(1500.0, deviation=200.0, volatility=0.06, period=0)
    rivals = {
        "b": Standing(1400.0, deviation=30.0, volatility=0.0001, period=0),
        "c": Standing(1550.0, deviation=100.0, volatility=0.0001, period=0),
        "d": Standing(1700.0, deviation=300.0, volatility=0.0001, period=0),
    }
    outcomes = [
        Outcome(name, 0.0, "a", name, a_won=won, length=7, period=1)
        for name, won in (("b", True), ("c", False), ("d", False))
    ]
    return player, outcomes, {"a": player, **rivals}


def test_glicko2_glickmans_example(
    glickman: tuple[Standing, list[Outcome], dict[str, Standing]],
) -> None:
    _, outcomes, players = glickman
    after = rate(Glicko2(), outcomes, players).players["a"]
    assert (f"{after.rating:.2f}", f"{after.deviation:.2f}") == ("1464.05", "151.52")
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


def test_glicko2_glickmans_steps(glickman: tuple[Standing, list[Outcome], dict[str, Standing]]) -> None:
    player, outcomes, players = glickman
    seen = [build_bout(player, players[outcome.b], won=outcome.a_won) for outcome in outcomes]
    assert [f"{each.weight:.4f}" for each in seen] == ["0.9955", "0.9531", "0.7242"]
    assert [f"{each.expectancy:.3f}" for each in seen] == ["0.639", "0.432", "0.303"]
    variance = 1 / sum(each.weight**2 * each.doubt for each in seen)
    assert (f"{variance:.4f}", f"{variance * sum(each.surprise for each in seen):.4f}") == (
        "1.7790",
        "-0.4839",
    )


@pytest.mark.parametrize("delta", [-0.4834, 0.0, 1.0, 3.0, 12.0])
@pytest.mark.parametrize("tau", [0.3, 0.5, 1.2])
def test_glicko2_the_volatility_solves_its_equation(delta: float, tau: float) -> None:
    phi, variance, sigma = 200 / SCALE, 1.7785, 0.06
    found = compute_volatility(sigma, phi, variance, delta, tau)

    def f(x: float) -> float:
        grown = phi**2 + variance + exp(x)
        return exp(x) * (delta**2 - grown) / (2 * grown**2) - (x - log(sigma**2)) / tau**2

    x = log(found**2)
    assert f(x - 0.00001) > 0 > f(x + 0.00001)


def test_glicko2_who_is_idle_keeps_rating_and_volatility_and_the_deviation_grows_without_bound() -> None:
    outcomes = [Outcome(1, 1.0, "a", "b", a_won=True, length=1, period=0)] + [
        Outcome(at, float(at), "c", "d", a_won=True, length=1, period=at) for at in range(2, 4000, 7)
    ]
    first = rate(Glicko2(), outcomes[:1]).players["a"]
    idle = rate(Glicko2(), outcomes).players["a"]
    assert (idle.rating, idle.volatility) == (first.rating, first.volatility)
    periods = outcomes[-1].period
    assert idle.deviation == pytest.approx(
        sqrt(first.deviation**2 + periods * (SCALE * first.volatility) ** 2)
    )
    assert idle.deviation > 350


def test_glicko2_a_match_weighs_by_the_opponents_deviation() -> None:
    weight = build_bout(Standing(1500.0), Standing(1500.0, deviation=350.0), won=True).weight
    assert weight == pytest.approx(1 / sqrt(1 + 3 * (350 / 173.7178) ** 2 / pi**2))
