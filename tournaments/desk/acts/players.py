"""Acts of players for themselves."""

from __future__ import annotations

from functools import partial
from typing import Final

from tournaments.base import act_fields, expectations
from tournaments.desk.acts.act import Act, Actor
from tournaments.play import appointing, departures, door, entering, results

REPORTED: Final = "What your opponent reported."
_WORDS: Final = act_fields.Text(name="words", most=appointing.LONGEST_WORDS, default="", may_be_blank=True)
_build_own_act: Final = partial(Act, who=Actor.PLAYER)

PLAYERS: Final = (
    _build_own_act(name="enter", about="Enter yourself.", service=entering.enter_own_player),
    _build_own_act(
        name="cancel-entry", about="Take yourself out before the draw.", service=entering.cancel_entry
    ),
    _build_own_act(
        name="check-in",
        about="Say that you have come. After the start whoever was not there then waits for the desk.",
        service=door.check_in,
    ),
    _build_own_act(
        name="leave",
        about="Leave an event that has begun, now or after your current match.",
        service=departures.leave_event,
        fields=(act_fields.Flag(name="after", default=False),),
    ),
    _build_own_act(
        name="report",
        about="Report the result of your match.",
        service=results.report_result,
        fields=(act_fields.KEY, *act_fields.build_outcome_fields(), act_fields.GAMES),
        one_of=act_fields.OUTCOME,
        answers=expectations.SEATS,
    ),
    _build_own_act(
        name="confirm",
        about="Agree to what your opponent reported.",
        service=results.confirm_report,
        fields=(act_fields.KEY, *act_fields.build_outcome_fields(REPORTED)),
        one_of=act_fields.OUTCOME,
        answers=expectations.SEATS,
    ),
    _build_own_act(
        name="dispute",
        about="Deny what your opponent reported; the director is called.",
        service=results.dispute_report,
        fields=(act_fields.KEY, *act_fields.build_outcome_fields(REPORTED)),
        one_of=act_fields.OUTCOME,
        answers=expectations.SEATS,
    ),
    _build_own_act(
        name="open-board",
        about="Play your match here, at a board of its own; asking again finds the same one.",
        service=results.open_board,
        fields=(act_fields.KEY,),
        answers=expectations.SEATS,
    ),
    _build_own_act(
        name="propose-times",
        about="Propose up to three times for your match that is played over days, in place of what was proposed before.",
        service=appointing.propose_times,
        fields=(
            act_fields.KEY,
            act_fields.ListField(
                name="times",
                of=act_fields.PointInTime(name="time"),
                least=1,
                most=appointing.MOST_TIMES,
                help="Each still to come.",
            ),
            act_fields.Text(name="place", most=appointing.LONGEST_PLACE, default="", may_be_blank=True),
            _WORDS,
            act_fields.Flag(name="late", default=False, help="True: a time after the deadline is meant."),
        ),
        answers=expectations.ARRANGED,
    ),
    _build_own_act(
        name="accept-time",
        about="Accept one of the times that your opponent proposes: it is agreed, and both are expected.",
        service=appointing.accept_time,
        fields=(act_fields.KEY, act_fields.PointInTime(name="time", help="One of those that are proposed.")),
        answers=expectations.ARRANGED,
    ),
    _build_own_act(
        name="decline-times",
        about="Decline the times that your opponent proposes.",
        service=appointing.decline_proposal,
        fields=(act_fields.KEY, _WORDS),
        answers=expectations.ARRANGED,
    ),
    _build_own_act(
        name="take-times-back",
        about="Take back the times that you have proposed.",
        service=appointing.withdraw_proposal,
        fields=(act_fields.KEY,),
        answers=expectations.ARRANGED,
    ),
    _build_own_act(
        name="cancel-appointment",
        about="Call an agreed time off, before it has come.",
        service=appointing.cancel_appointment,
        fields=(act_fields.KEY, _WORDS),
        answers=expectations.ARRANGED,
    ),
)
