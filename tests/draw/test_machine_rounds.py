"""State machine over formats of rounds, with many options."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize

from tests.draw import kit
from tests.draw.test_machine import Tournament
from tests.tournaments import called

MANNERS: list[tuple[str, dict[str, object]]] = [
    ("swiss", {"rounds": 4, "method": "fold", "clubs": "hard"}),
    ("swiss", {"rounds": 4, "method": "monrad", "acceleration": "baku", "apart_first": True}),
    ("swiss", {"rounds": 3, "method": "random", "ties": ("points", "play-off"), "playoff_for": 3}),
    ("swiss", {"rounds": 5, "bye": "random", "forfeits_count_as_met": True, "mcmahon": (1510, 1530)}),
    ("swiss", {"rounds": 3, "bye": "highest", "bye_cap": 2, "gifts_bar_bye": False, "bye_points": "1/2"}),
    ("swiss", {"rounds": 2, "playoff": True, "playoff_for": 3}),
    ("lives", {"lives": 1}),
    ("lives", {"lives": 2, "until": 3, "playoff": True}),
    ("lives", {"lives": 2, "split": True, "clubs": "hard"}),
    ("lives", {"lives": 2, "bracket": 8, "method": "fold"}),
    ("lives", {"lives": 2, "until": 3, "bye": "lowest"}),
    ("lives", {"lives": 2, "mode": "continuous"}),
    ("lives", {"lives": 3, "mode": "continuous", "bracket": 4, "gap": 0, "clubs": "hard"}),
    ("round-robin", {"times": 2, "cancel_half": False}),
    ("round-robin", {"rounds": 3, "order": "random"}),
    ("round-robin", {"playoff": True, "playoff_for": 3}),
    ("league", {}),
    ("groups", {"groups": 2, "distribution": "dealt"}),
    ("groups", {"size": 3, "order": "random"}),
    ("groups", {"size": 4, "playoff": True, "playoff_for": 2}),
]


class Rounds(Tournament):
    @initialize(data=st.data(), manner=st.sampled_from(MANNERS))
    def announce(self, data: st.DataObject, manner: tuple[str, dict[str, object]]) -> None:
        form, options = manner
        event = kit.event(data.draw(st.integers(2, 13)), form, **options)  # type: ignore[arg-type]
        event = replace(event, stages=called.pure(event.stages, data.draw(called.names(1))))
        self.event = replace(
            event,
            entrants=tuple(
                replace(one, club=f"club {at % 3}", rating=1500 + at * 7 % 50)
                for at, one in enumerate(event.entrants)
            ),
        )


TestRounds = Rounds.TestCase
TestRounds.settings = settings(
    max_examples=15,
    stateful_step_count=8,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


@pytest.mark.slow
@pytest.mark.pure
class TestManyRounds(Rounds.TestCase):
    settings = settings(
        max_examples=80,
        stateful_step_count=20,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    )
