"""The people and events of the tests of events."""

from tests.tournaments.conftest import (  # noqa: F401 - fixtures
    _rows_are_as_proposed,
    client,
    club,
    deliver,
    desk,
    director,
    event,
    greta,
    member,
    members,
    otis,
    runa,
    sign_in,
    sign_up,
    stranger,
    users,
)
