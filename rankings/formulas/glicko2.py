"""Glicko-2 by rating period, after Mark Glickman's "Example of the Glicko-2 system", whose steps are cited.

All matches of a period are rated at once, against the standings before it; match length does not count. A
player without matches in a period keeps rating and volatility while the deviation grows, without bound.

The change of a period is split by match: a rating moves by phi'^2 times the sum of g (s - E) (step 7), so the
share of one match is k x weight x (1 or 0 - expectancy), with weight g and k = 173.7178 phi'^2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from math import exp, log, pi, sqrt
from typing import ClassVar, Final

from rankings.formulas.values import Outcome, Standing, Step, gettext_noop

# Step 2: one unit of Glicko-2's internal scale.
SCALE: Final = 173.7178
# Step 5: the tolerance of the volatility, as published.
TOLERANCE: Final = 0.000001


@dataclass(frozen=True, slots=True)
class Bout:
    """A match of a period from the side of one of its players."""

    score: float
    weight: float
    expectancy: float
    # E (1 - E), computed so that it is exact even if E is close to 0 or 1.
    doubt: float

    @property
    def surprise(self) -> float:
        """The term of the match in the sums of steps 4 and 7."""
        return self.weight * (self.score - self.expectancy)


@dataclass(slots=True)
class PlayerPeriod:
    """A player's period: the standing before it, at its end, and after each match so far."""

    before: Standing
    end: Standing
    running: Standing
    bouts: list[Bout] = field(default_factory=list[Bout])
    next_bout: int = 0

    def take_step(self, outcome: Outcome, player: str, opponent: str, theirs: Standing) -> Step:
        """Return the step of the player's next match: its share in the change of the period."""
        seen = self.bouts[self.next_bout]
        self.next_bout += 1
        k = SCALE * (self.end.deviation / SCALE) ** 2
        before, change = self.running, k * seen.surprise
        self.running = replace(
            self.end, rating=before.rating + change, experience=before.experience + outcome.length
        )
        return Step(
            match=outcome.id,
            player=player,
            opponent=opponent,
            won=seen.score == 1.0,
            before=before.rating,
            opponent_before=theirs.rating,
            expectancy=seen.expectancy,
            weight=seen.weight,
            k=k,
            change=change,
            after=self.running,
        )


@dataclass(frozen=True, slots=True)
class Glicko2:
    summary: ClassVar[str] = gettext_noop("Glicko-2: shows how certain each rating is, month by month")
    about: ClassVar[str] = gettext_noop(
        "Glicko-2: the matches of a month are rated together. A player with few matches has a large "
        "deviation, so their rating moves faster. The length of a match does not count."
    )
    has_deviation: ClassVar[bool] = True
    by_period: ClassVar[bool] = True

    words: ClassVar[dict[str, str]] = {
        "start": gettext_noop("Rating at the start"),
        "deviation": gettext_noop("Deviation at the start"),
        "volatility": gettext_noop("Volatility at the start"),
        "tau": gettext_noop("How much volatility may change (tau)"),
    }

    start: float = 1500.0
    deviation: float = 350.0
    volatility: float = 0.06
    tau: float = 0.5

    def new(self) -> Standing:
        return Standing(self.start, deviation=self.deviation, volatility=self.volatility)

    def chance(self, a: Standing, b: Standing, length: float) -> float:
        """Return the chance that a wins, by the expectancy of the player with the higher rating (step 3).

        >>> one, other = Standing(1600.0, deviation=50.0), Standing(1500.0, deviation=200.0)
        >>> round(Glicko2().chance(one, other, 5), 4), round(Glicko2().chance(other, one, 5), 4)
        (0.6192, 0.3808)
        """
        if a.rating < b.rating:
            return 1.0 - build_bout(b, a, won=True).expectancy
        return build_bout(a, b, won=True).expectancy

    def at(self, standing: Standing, period: int) -> Standing:
        """Return the standing at the end of a later period if nothing was played in between (step 6).

        >>> round(Glicko2().at(Standing(1500.0, deviation=200.0, volatility=0.06, period=1), 2).deviation, 4)
        200.2714
        """
        if standing.period is None or standing.period >= period:
            return standing
        idle = period - standing.period
        grown = sqrt((standing.deviation / SCALE) ** 2 + idle * standing.volatility**2)
        return replace(standing, deviation=grown * SCALE, period=period)

    def steps(self, outcomes: Iterable[Outcome], players: dict[str, Standing]) -> Iterator[Step]:
        """Rate sorted outcomes, one period after the other."""
        for period, those in groupby(outcomes, key=lambda outcome: outcome.period):
            played = list(those)
            campaigns = self._build_player_periods(played, players, period)
            for name, campaign in campaigns.items():
                players[name] = campaign.end = self.rated(campaign.before, campaign.bouts, period)
            for outcome in played:
                a, b = campaigns[outcome.a], campaigns[outcome.b]
                for name, mine, other, theirs in ((outcome.a, a, outcome.b, b), (outcome.b, b, outcome.a, a)):
                    step = mine.take_step(outcome, name, other, theirs.before)
                    players[name] = step.after
                    yield step

    def _build_player_periods(
        self, outcomes: Sequence[Outcome], players: dict[str, Standing], period: int
    ) -> dict[str, PlayerPeriod]:
        found: dict[str, PlayerPeriod] = {}
        for outcome in outcomes:
            for name in (outcome.a, outcome.b):
                if name not in found:
                    before = self.at(players.get(name) or self.new(), period - 1)
                    found[name] = PlayerPeriod(before, end=before, running=before)
            a, b = found[outcome.a], found[outcome.b]
            a.bouts.append(build_bout(a.before, b.before, won=outcome.a_won))
            b.bouts.append(build_bout(b.before, a.before, won=not outcome.a_won))
        return found

    def rated(self, before: Standing, bouts: Sequence[Bout], period: int) -> Standing:
        """Return a player's standing after a period with matches (steps 3 to 8).

        >>> rivals = [(1400.0, 30.0, True), (1550.0, 100.0, False), (1700.0, 300.0, False)]
        >>> player = Standing(1500.0, deviation=200.0, volatility=0.06)
        >>> bouts = [build_bout(player, Standing(r, deviation=rd), won=won) for r, rd, won in rivals]
        >>> after = Glicko2().rated(player, bouts, 1)
        >>> round(after.rating, 2), round(after.deviation, 2), round(after.volatility, 5)
        (1464.05, 151.52, 0.06)
        """
        phi = before.deviation / SCALE
        variance = 1.0 / sum(each.weight**2 * each.doubt for each in bouts)
        surprise = sum(each.surprise for each in bouts)
        sigma = compute_volatility(before.volatility, phi, variance, variance * surprise, self.tau)
        phi_after = 1.0 / sqrt(1.0 / (phi**2 + sigma**2) + 1.0 / variance)
        return Standing(
            before.rating + SCALE * phi_after**2 * surprise,
            deviation=SCALE * phi_after,
            volatility=sigma,
            period=period,
        )


def build_bout(mine: Standing, theirs: Standing, *, won: bool) -> Bout:
    """Return a match from the side of one player (step 3).

    >>> seen = build_bout(Standing(1500.0, deviation=200.0), Standing(1400.0, deviation=30.0), won=True)
    >>> round(seen.weight, 4), round(seen.expectancy, 3)
    (0.9955, 0.639)
    """
    phi = theirs.deviation / SCALE
    weight = 1.0 / sqrt(1.0 + 3.0 * phi**2 / pi**2)
    lead = weight * (mine.rating - theirs.rating) / SCALE
    odds = exp(-abs(lead))
    expectancy = (1.0 if lead >= 0 else odds) / (1.0 + odds)
    return Bout(float(won), weight, expectancy, odds / (1.0 + odds) ** 2)


def compute_volatility(sigma: float, phi: float, variance: float, delta: float, tau: float) -> float:
    """Return the volatility after the period, by the Illinois algorithm of step 5."""
    a = log(sigma**2)

    def f(x: float) -> float:
        grown = phi**2 + variance + exp(x)
        return exp(x) * (delta**2 - grown) / (2.0 * grown**2) - (x - a) / tau**2

    low, high = a, _find_other_bound(f, a, delta**2 - phi**2 - variance, tau)
    f_low, f_high = f(low), f(high)
    while abs(high - low) > TOLERANCE:
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2.0
        high, f_high = middle, f_middle
    return exp(low / 2.0)


def _find_other_bound(f: Callable[[float], float], a: float, excess: float, tau: float) -> float:
    if excess > 0:
        return log(excess)
    k = 1
    while f(a - k * tau) < 0:
        k += 1
    return a - k * tau
