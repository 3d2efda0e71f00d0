"""Acts of directors on players and the event during and after it, in the order of the desk."""

from __future__ import annotations

from functools import partial
from typing import Final

from django.utils.translation import gettext_lazy as _

from tournaments.base import act_fields
from tournaments.desk.acts.act import Act
from tournaments.plan import setup
from tournaments.play import arrivals, constraints, corrections, departures, directing, door, event_control

TWO: Final = 2
HALVES: Final = (("0", "0"), ("1/2", "½"), ("1", "1"), ("3/2", "1½"), ("2", "2"))
# The expected state of an act on players: which player has which number.
PEOPLE: Final = ("people",)
_build_player_act: Final = partial(Act, answers=PEOPLE)

ABOUT_PLAYERS: Final = (
    Act(
        name="late-entry",
        key="l",
        title=_("Let a latecomer in"),
        done=_("The late arrival is noted."),
        about=_("They take a free place, or join with the next round. Nothing is drawn again."),
        service=arrivals.enter_latecomer,
        fields=(
            *act_fields.NEWCOMER,
            act_fields.Place(
                name="place",
                label=_("Where"),
                most=act_fields.LONGEST_KEY + 2,
                default="",
                may_be_blank=True,
                help=(
                    "Where: the key of a match with a bye, that key and a seat in a side bracket, `rounds`, "
                    "or `wait`. "
                    "Blank is the main draw or the next round; if neither is open, the refusal lists what is."
                ),
            ),
            act_fields.Text(
                name="head_start", label=_("Points for the rounds missed"), offers=HALVES, most=5, default="0"
            ),
            act_fields.REASON,
        ),
        may_skip_preview=True,
    ),
    Act(
        name="note-latecomer",
        about="Note that somebody has come after the start: an entry that was not there then, or a name. They wait for the desk.",
        service=door.note_latecomer,
        fields=(
            act_fields.build_entry_field(
                may_be_none=True, default=None, help="The number of an entry that was not there; or"
            ),
            act_fields.Text(
                name="name", most=act_fields.LONGEST_NAME, default="", may_be_blank=True, help="a name."
            ),
        ),
        is_for_helpers=True,
    ),
    _build_player_act(
        name="withdraw",
        key="w",
        title=_("Withdraw a player"),
        done=_("The player is withdrawn."),
        about=_("They leave the event. They keep the place that their last result secured."),
        service=departures.withdraw_entry,
        fields=(
            act_fields.build_entry_field(label=_("Player"), may_have_left=False),
            act_fields.Flag(
                name="after",
                label=_("When"),
                offers=(("no", _("At once: an open match is lost")), ("yes", _("After the current match"))),
                default=False,
            ),
            act_fields.REASON,
        ),
    ),
    _build_player_act(
        name="disqualify",
        key="q",
        title=_("Disqualify a player"),
        done=_("The player is disqualified."),
        about=_("They are sent home: the match they are playing is forfeited, all others are lost."),
        service=departures.disqualify_entry,
        fields=(act_fields.build_entry_field(label=_("Player")), act_fields.NEEDED_REASON),
        is_danger=True,
    ),
    _build_player_act(
        name="substitute",
        key="s",
        title=_("Put a substitute in"),
        done=_("The substitute plays on."),
        about=_("Another player takes over a player's place and results."),
        service=arrivals.substitute_player,
        fields=(
            act_fields.build_entry_field(label=_("Player"), may_have_left=False),
            *act_fields.NEWCOMER,
            act_fields.NEEDED_REASON,
        ),
    ),
    _build_player_act(
        name="exchange",
        key="x",
        title=_("Exchange two players"),
        done=_("The two players are exchanged."),
        about=_("Two players were mixed up: each takes over the other's matches and results."),
        service=corrections.exchange_players,
        fields=(
            act_fields.build_entry_field(label=_("Player")),
            act_fields.build_entry_field("other", _("Exchanged with")),
            act_fields.NEEDED_REASON,
        ),
    ),
    _build_player_act(
        name="away",
        key="a",
        title=_("Mark a player as away"),
        done=_("The player is marked as away."),
        about=_("They stay in the event, but are not paired until they are back."),
        service=departures.mark_away,
        fields=(act_fields.build_entries_field(label=_("Player"), may_have_left=False),),
        is_at_once=True,
    ),
    _build_player_act(
        name="back",
        key="b",
        title=_("A player is back"),
        button=_("Mark as back"),
        done=_("The player is back."),
        about=_("They are paired again."),
        service=departures.mark_back,
        fields=(act_fields.build_entries_field(label=_("Player"), may_have_left=False),),
        is_at_once=True,
    ),
    _build_player_act(
        name="ask-bye",
        title=_("Agree to a bye"),
        done=_("The bye is agreed."),
        about=_("They sit this round out, for as many points as you agree on. Everybody else is paired."),
        service=departures.give_bye,
        fields=(
            act_fields.build_entry_field(label=_("Player"), may_have_left=False),
            act_fields.Number(name="round", label=_("Round"), most=act_fields.MOST_ROUNDS),
            act_fields.Choice(
                name="points",
                label=_("Points for it"),
                offers=HALVES[:3],
                values=("0", "1/2", "1"),
                default="0",
            ),
            act_fields.REASON,
        ),
        needs_rounds=True,
        is_at_once=True,
    ),
    _build_player_act(
        name="unask-bye",
        about="Take back that a player sits a round out.",
        service=departures.cancel_bye,
        fields=(
            act_fields.build_entry_field(),
            act_fields.Number(name="round", most=act_fields.MOST_ROUNDS),
            act_fields.REASON,
        ),
    ),
    _build_player_act(
        name="keep-apart",
        about="Keep entries from being paired with each other: never, or with `hard` false only if it cannot be helped.",
        service=constraints.keep_apart,
        fields=(
            act_fields.build_entries_field("members"),
            act_fields.Flag(name="hard", default=True),
            act_fields.REASON,
        ),
    ),
    _build_player_act(
        name="release",
        about="Let entries meet again that were kept apart.",
        service=constraints.stop_keeping_apart,
        fields=(act_fields.build_entries_field("members"), act_fields.REASON),
    ),
)

ABOUT_THE_EVENT: Final = (
    Act(
        name="pause",
        key="z",
        title=_("Pause the event"),
        done=_("The event is paused."),
        about=_(
            "No results and no deadlines until you resume. Deadlines then move by the length of the pause."
        ),
        service=event_control.pause_event,
        fields=(act_fields.REASON,),
        is_at_once=True,
    ),
    Act(
        name="resume",
        key="z",
        title=_("Go on"),
        done=_("The event goes on."),
        about=_("The event goes on where it stopped."),
        service=event_control.resume_event,
        fields=(act_fields.REASON,),
        is_at_once=True,
    ),
    Act(
        name="add-round",
        key="n",
        title=_("Add a round"),
        done=_("A round is added."),
        about=_("One more round is played than was announced."),
        service=event_control.add_round,
        fields=(act_fields.build_stage_field(_("Stage")),),
    ),
    Act(
        name="break-ties",
        title=_("Ties: play-off or lot"),
        button=_("Break the tie"),
        done=_("The way to break the tie is set."),
        about=_(
            "Players who are tied across a cut or for a prize place play it off, or the lot decides. "
            "The next stage waits for the play-off."
        ),
        service=event_control.break_ties,
        fields=(
            act_fields.build_stage_field(_("Stage")),
            act_fields.Flag(
                name="playoff",
                label=_("Ties for places that count"),
                offers=(("yes", _("By a play-off")), ("no", _("By lot, or by the list"))),
            ),
            act_fields.ListField(
                name="order",
                of=act_fields.build_entry_field(),
                default=list,
                help="Exactly those who are level, in the order that is to count, once a stage waits for it.",
            ),
            act_fields.NEEDED_REASON,
        ),
    ),
    Act(
        name="publish-round",
        about="Publish a round that was only drafted.",
        service=event_control.publish_round,
        fields=(
            act_fields.build_stage_field(),
            act_fields.Number(name="number", most=1_000),
            act_fields.ListField(
                name="exchanges",
                of=act_fields.ListField(name="two", of=act_fields.build_entry_field(), least=TWO, most=TWO),
                default=list,
                help="Entries that take each other's place in this round first, in this order; with a reason.",
            ),
            act_fields.REASON,
        ),
        answers=("round",),
    ),
    Act(
        name="restore",
        about="Take a ruling back: everything is again as it was before.",
        service=corrections.undo_act,
        fields=(act_fields.Number(name="ruling_id", most=2**62), act_fields.NEEDED_REASON),
    ),
    Act(
        name="take-back",
        about=(
            "Take back a result that you entered in the last 30 seconds, without a reason: "
            "`ruling_id` is the ruling that says it was entered. Later it is corrected."
        ),
        service=corrections.undo_result,
        fields=(act_fields.Number(name="ruling_id", most=2**62),),
    ),
    Act(
        name="finish",
        about="Write down the finishing order of an event without a plan: it ends.",
        service=directing.record_finish,
        fields=(
            act_fields.Places(
                name="places",
                help="The place of each player who takes part, by the key of the player; null for a player without one.",
            ),
        ),
        answers=PEOPLE,
    ),
    Act(
        name="approve",
        about="Approve the final order of an event whose club wants that: ratings, prizes and news follow.",
        service=event_control.approve_final_order,
        answers=("version",),
    ),
    Act(
        name="end-early",
        key="e",
        title=_("End early"),
        done=_("The event has ended early."),
        about=_("The event ends now: open matches are not played, and the current standings are final."),
        service=event_control.end_event_early,
        fields=(act_fields.NEEDED_REASON,),
        is_danger=True,
    ),
    Act(
        name="cancel",
        about="Call the event off.",
        service=directing.cancel_event,
        fields=(act_fields.NEEDED_REASON,),
    ),
    Act(
        name="reopen",
        about="Take back the end or the cancellation.",
        service=directing.reopen_event,
        fields=(act_fields.NEEDED_REASON,),
    ),
    Act(
        name="archive",
        about="Archive an event that is over: it leaves the lists of the latest results, and stays in the calendar.",
        service=setup.archive,
    ),
)
