"""Acts of directors on one match, in the order of its page."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Final

from django.utils.translation import gettext_lazy as _

from draw.event import WON, Kind
from tournaments.base import act_fields, expectations
from tournaments.desk.acts.act import Act, Actor
from tournaments.models import Decision, ResultKind
from tournaments.play import corrections, disputes, incidents, results

MOST_POINTS: Final = 25
# Kinds of a corrected result; blank reopens the match.
ENDINGS: Final = (
    (ResultKind.PLAYED.value, _("They played")),
    (ResultKind.WALKOVER.value, _("Walkover")),
    (ResultKind.FORFEIT.value, _("Forfeit")),
    (ResultKind.NO_SHOW.value, _("No-show")),
    (ResultKind.DOUBLE_FORFEIT.value, _("Double forfeit: both lose")),
    (ResultKind.VOID.value, _("Void: it does not count")),
    ("", _("It is to be played again")),
)
# Acts that a ruling replaces for disputed matches.
DECIDED_BY_RULING: Final = frozenset({"result", "walkover", "forfeit", "no-show", "double-forfeit", "void"})

_LOSER: Final = act_fields.build_entry_field(
    "loser", _("Who loses"), is_of_match=True, help="The number of the entry that loses by it."
)
# What an act on a match expects, if it says nothing else: its players are the same.
_build_match_act: Final = partial(Act, answers=expectations.SEATS)

MATCHES: Final = (
    _build_match_act(
        name="result",
        title=_("Enter the result"),
        done=_("The result is entered."),
        about=_("The winner goes on, and the loser goes where the bracket says."),
        service=results.enter_result,
        fields=(act_fields.KEY, *act_fields.build_outcome_fields(), act_fields.GAMES),
        one_of=act_fields.OUTCOME,
        may_skip_preview=True,
        is_for_helpers=True,
    ),
    _build_match_act(
        name="rule",
        title=_("Rule on this match"),
        done=_("The ruling is made: it is in the log with its reason."),
        about=_("Your decision counts. Both players are notified, with your reason."),
        service=disputes.rule_on_match,
        fields=(
            act_fields.KEY,
            act_fields.Choice(
                name="decision",
                label=_("What do you decide?"),
                offers=tuple(Decision.choices),
                values=tuple(Decision.values),
                default=Decision.RESULT.value,
                help="One report is right, another result, an end by rule, or they play on.",
            ),
            act_fields.build_entry_field(
                label=_("Whose report is right, or who forfeits"),
                is_of_match=True,
                may_be_none=True,
                default=None,
                help="For `accept` whose report stands, for `forfeit` who loses: the number of an entry.",
                only_with=("decision", (Decision.ACCEPT.value, Decision.FORFEIT.value)),
            ),
            *(
                replace(field, only_with=("decision", (Decision.RESULT.value,)))
                for field in (*act_fields.build_outcome_fields("For `result`."), act_fields.GAMES)
            ),
            act_fields.Text(
                name="position",
                label=_("Position to play on from"),
                hint=_(
                    "An XGID, if they play on from a position. Leave empty if the position is still "
                    "on the board."
                ),
                most=120,
                default="",
                may_be_blank=True,
                help="For `play-on`: an XGID, if the board does not stand any more.",
                only_with=("decision", (Decision.PLAY_ON.value,)),
            ),
            act_fields.NEEDED_REASON,
        ),
        answers=expectations.CLAIMED,
    ),
    _build_match_act(
        name="call",
        title=_("Call to a table"),
        done=_("The match is called."),
        about=_("Both players are notified where to go. From now on, a player who is not there is late."),
        service=incidents.call_match,
        fields=(
            act_fields.KEY,
            act_fields.Text(
                name="table",
                label=_("Table"),
                most=12,
                default=act_fields.UNCHANGED,
                may_be_blank=True,
                help="Left out: the table that it was called to before, if any.",
            ),
        ),
        is_at_once=True,
    ),
    _build_match_act(
        name="here",
        about="Say that somebody is at the board: players of themselves, a director of anybody.",
        service=incidents.record_arrival,
        who=Actor.EITHER,
        fields=(act_fields.KEY, act_fields.build_entry_field()),
    ),
    _build_match_act(
        name="late",
        title=_("Penalty points for lateness"),
        button=_("Note the points"),
        done=_("The penalty points are noted."),
        about=_("The opponent begins the match with this many points."),
        service=incidents.penalise_lateness,
        fields=(
            act_fields.KEY,
            act_fields.build_entry_field(label=_("Who is late"), is_of_match=True),
            act_fields.Number(
                name="points",
                label=_("Penalty points"),
                hint=_("The opponent begins with this many points."),
                least=0,
                most=MOST_POINTS,
            ),
            act_fields.REASON,
        ),
    ),
    _build_match_act(
        name="walkover",
        title=_("Walkover"),
        button=_("Enter the walkover"),
        done=_("The walkover is entered."),
        about=_("One player has told you that they will not play this match. They stay in the event."),
        service=incidents.record_walkover,
        fields=(act_fields.KEY, _LOSER, act_fields.REASON),
    ),
    _build_match_act(
        name="forfeit",
        title=_("Forfeit"),
        button=_("Enter the forfeit"),
        done=_("The forfeit is entered."),
        about=_("One player loses by rule: lateness, the clock, conduct. They stay in the event."),
        service=incidents.record_forfeit,
        fields=(act_fields.KEY, _LOSER, act_fields.REASON),
    ),
    _build_match_act(
        name="no-show",
        title=_("No-show"),
        button=_("Enter the no-show"),
        done=_("The no-show is entered."),
        about=_(
            "One player never came. They do not play in the consolation either, unless the event allows it."
        ),
        service=incidents.record_no_show,
        fields=(act_fields.KEY, _LOSER, act_fields.REASON),
        may_skip_preview=True,
    ),
    _build_match_act(
        name="double-forfeit",
        title=_("Double forfeit"),
        button=_("Enter the double forfeit"),
        done=_("The double forfeit is entered."),
        about=_("Both lose by rule: no one goes on from here."),
        service=incidents.record_double_forfeit,
        fields=(act_fields.KEY, act_fields.REASON),
        is_danger=True,
    ),
    _build_match_act(
        name="void",
        title=_("Declare it void"),
        done=_("The match is declared void."),
        about=_("The match was not played. In a knock-out it is still to be played."),
        service=incidents.void_match,
        fields=(act_fields.KEY, act_fields.NEEDED_REASON),
        is_danger=True,
    ),
    _build_match_act(
        name="correct",
        title=_("Correct the result"),
        done=_("The result is corrected."),
        about=_("Everything that follows from it is recalculated."),
        service=corrections.correct_result,
        fields=(
            act_fields.KEY,
            act_fields.Choice(
                name="kind",
                label=_("How it really ended"),
                offers=ENDINGS,
                values=("", *(kind.value for kind in Kind)),
                default=Kind.PLAYED.value,
                help="Blank opens it again.",
            ),
            replace(act_fields.build_score_field(), only_with=("kind", (Kind.PLAYED.value,))),
            act_fields.build_entry_field(
                "winner",
                _("Who wins"),
                is_of_match=True,
                may_be_none=True,
                default=None,
                help="",
                only_with=("kind", tuple(sorted(WON))),
            ),
            replace(act_fields.GAMES, only_with=("kind", (Kind.PLAYED.value,))),
            act_fields.Flag(
                name="stand",
                default=False,
                help="What was played since stands: the result is another, and those go on who went on.",
            ),
            act_fields.NEEDED_REASON,
        ),
        answers=expectations.ENDED,
        may_skip_preview=True,
        is_afterwards=True,
    ),
)
