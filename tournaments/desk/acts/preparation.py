"""Acts of directors until the draw is published."""

from __future__ import annotations

from typing import Final

from tournaments.base import act_fields
from tournaments.desk.acts.act import Act
from tournaments.plan import drawing, setup
from tournaments.play import directing, entering

MOST_LINES: Final = 1_024
# The expected state of an act on a draw.
DRAWN: Final = ("draw",)


def _build_text_field(name: str) -> act_fields.Text:
    return act_fields.Text(
        name=name, most=act_fields.LONGEST_NAME, default=act_fields.UNCHANGED, may_be_blank=True
    )


_NOTE: Final = act_fields.Text(name="note", most=act_fields.LONGEST_REASON, default="", may_be_blank=True)
_WITNESSES: Final = act_fields.build_names_field("witnesses", most=10, default=list)

BEFORE: Final = (
    Act(name="publish", about="Announce the event.", service=setup.publish),
    Act(
        name="admit",
        about="Enter members of the club, all or none.",
        service=directing.admit_members,
        fields=(
            act_fields.ListField(
                name="player_keys", of=act_fields.Member(name="player_key"), most=act_fields.MOST_NAMES
            ),
        ),
    ),
    Act(
        name="admit-named",
        about="Enter people by name: members, known guests, and new ones.",
        service=directing.admit_named,
        fields=(act_fields.build_names_field("names", least=1, most=act_fields.MOST_NAMES),),
    ),
    Act(
        name="take-out",
        about="Take a player out before the draw.",
        service=directing.withdraw_player,
        fields=(act_fields.Member(name="player_key"), act_fields.REASON),
    ),
    Act(
        name="check-in-for",
        about="Say who has come, or has not after all.",
        service=entering.check_in_entries,
        fields=(act_fields.build_entries_field(), act_fields.Flag(name="here", default=True)),
        is_for_helpers=True,
    ),
    Act(
        name="describe",
        about="Say what the draw needs to know of a player; what is left out stays.",
        service=entering.set_traits,
        fields=(
            act_fields.build_entry_field(),
            act_fields.Rating(name="rating", may_be_none=True, default=act_fields.UNCHANGED),
            _build_text_field("club"),
            _build_text_field("family"),
            act_fields.Number(
                name="seed", most=act_fields.MOST_AT_ONCE, may_be_none=True, default=act_fields.UNCHANGED
            ),
            act_fields.Number(name="pot", most=100, may_be_none=True, default=act_fields.UNCHANGED),
        ),
    ),
    Act(
        name="arrange",
        about="Say how it is played, as long as nothing is drawn.",
        service=setup.arrange,
        fields=(act_fields.PlanField(name="plan"),),
    ),
    Act(
        name="preview-draw",
        about="Draw, for the directors alone. Another draw needs a reason.",
        service=drawing.preview,
        fields=(act_fields.build_stage_field(), act_fields.REASON),
        answers=DRAWN,
    ),
    Act(
        name="swap-lines",
        about="Exchange two lines of the draw before it is published.",
        service=drawing.swap,
        fields=(
            act_fields.build_stage_field(),
            act_fields.Number(name="line_a", most=MOST_LINES),
            act_fields.Number(name="line_b", most=MOST_LINES),
            act_fields.REASON,
        ),
        answers=DRAWN,
    ),
    Act(
        name="draw-by-hand",
        about="Say who stands on which line, as drawn from a hat; null where nobody does.",
        service=drawing.record_hand_draw,
        fields=(
            act_fields.build_stage_field(),
            act_fields.ListField(
                name="lines", of=act_fields.Number(name="line", may_be_none=True), most=MOST_LINES
            ),
            _WITNESSES,
            _NOTE,
        ),
        answers=DRAWN,
    ),
    Act(
        name="publish-draw",
        about="Publish the draw: the event runs from here.",
        service=drawing.publish,
        fields=(act_fields.build_stage_field(), _WITNESSES, _NOTE),
        answers=DRAWN,
    ),
    Act(
        name="start",
        about="Begin an event without a plan: nobody enters or leaves any more.",
        service=directing.start_event,
    ),
)
