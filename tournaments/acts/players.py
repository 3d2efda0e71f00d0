"""What players do for themselves."""

from __future__ import annotations

from typing import Final

from tournaments.acts import fields
from tournaments.acts.act import Act, Doer
from tournaments.models import RulingKind
from tournaments.selectors import expectations
from tournaments.services import departures, entering, results

REPORTED: Final = "What your opponent reported."

PLAYERS: Final = (
    Act(name="enter", about="Enter yourself.", service=entering.enter, who=Doer.PLAYER, page="enter"),
    Act(
        name="cancel-entry",
        about="Take yourself out before the draw.",
        service=entering.cancel_entry,
        who=Doer.PLAYER,
        page="cancel_entry",
    ),
    Act(
        name="check-in",
        about="Say that you have come.",
        service=entering.check_in,
        who=Doer.PLAYER,
        page="check_in",
    ),
    Act(
        name="leave",
        about="Leave an event that has begun, now or after your current match.",
        service=departures.leave,
        who=Doer.PLAYER,
        asks=(fields.Flag(name="after", default=False),),
        leaves=(RulingKind.WITHDREW,),
        page="leave",
    ),
    Act(
        name="report",
        about="Report the result of your match.",
        service=results.report,
        who=Doer.PLAYER,
        asks=(fields.key(), *fields.outcome(), fields.games()),
        one_of=fields.OUTCOME,
        answers=expectations.SEATS,
        page="report",
    ),
    Act(
        name="confirm",
        about="Agree to what your opponent reported.",
        service=results.confirm,
        who=Doer.PLAYER,
        asks=(fields.key(), *fields.outcome(REPORTED)),
        one_of=fields.OUTCOME,
        answers=expectations.SEATS,
        page="confirm",
    ),
    Act(
        name="dispute",
        about="Deny what your opponent reported; the director is called.",
        service=results.dispute,
        who=Doer.PLAYER,
        asks=(fields.key(), *fields.outcome(REPORTED)),
        one_of=fields.OUTCOME,
        answers=expectations.SEATS,
        page="dispute",
    ),
    Act(
        name="open-board",
        about="Play your match here, at a board of its own; asking again finds the same one.",
        service=results.open_board,
        who=Doer.PLAYER,
        asks=(fields.key(),),
        answers=expectations.SEATS,
        page="open_board",
    ),
)
