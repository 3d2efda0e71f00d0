"""The fixtures of the tests of events."""

from tests.tournaments.conftest import *  # noqa: F403
