"""The rules of play of an event as a director sees them: a few choices, folded away until they are wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from draw.play import LEGAL, MOST_FLAG_POINTS, RESPONSIBLE, USUAL, RulesOfPlay
from engine.clock import PRESETS
from matches.state import clock_words
from tournaments.plan.folds import Fold

if TYPE_CHECKING:
    from collections.abc import Mapping

PREFIX: Final = "play"
BOTH: Final = "both"
GAMMONS: Final = "gammons"
NEITHER: Final = "neither"
GAMES: Final = (3, 5, 7, 9)
COUNTS: Final = (
    (BOTH, _("Gammons double, backgammons triple")),
    (GAMMONS, _("Both count double")),
    (NEITHER, _("Neither: every game is single")),
)
MOVES: Final = (
    (LEGAL, _("Legal moves: it is corrected until the opponent has rolled")),
    (RESPONSIBLE, _("Responsible moves: the opponent decides")),
)


class PlayForm(forms.Form):
    """Rules of play; a form that was sent without them leaves them as they are."""

    # A box that is not ticked is not sent: this says that the boxes were there.
    shown = forms.BooleanField(required=False, initial=True, widget=forms.HiddenInput)
    best_of = forms.TypedChoiceField(
        label=_("A match is"),
        coerce=int,
        help_text=_("In a “best of” there is no cube, and every game counts as single."),
    )
    counts = forms.ChoiceField(label=_("Gammons and backgammons"), choices=COUNTS)
    cube = forms.BooleanField(label=_("With the doubling cube"), required=False)
    crawford = forms.BooleanField(label=_("With the Crawford rule"), required=False)
    jacoby = forms.BooleanField(
        label=_("With the Jacoby rule"),
        required=False,
        help_text=_("Gammons count only after a double. Rarely used in matches."),
    )
    clock = forms.ChoiceField(label=_("Clock"), required=False)
    flag_points = forms.TypedChoiceField(label=_("A player who runs out of time"), coerce=int)
    moves = forms.ChoiceField(label=_("An illegal move over the board"), choices=MOVES)
    pips = forms.BooleanField(label=_("Live boards show the pip count"), required=False)

    def __init__(self, data: Mapping[str, Any] | None, *, play: RulesOfPlay) -> None:
        super().__init__(
            data if data is not None and data.get(f"{PREFIX}-shown") else None,
            prefix=PREFIX,
            initial=_initial(play),
        )
        self.play = play
        games = sorted({*GAMES, play.best_of} - {0})
        choices: dict[str, Any] = {
            "best_of": [
                (0, _("played to a score")),
                *((count, _("the best of %(games)s games") % {"games": count}) for count in games),
            ],
            "clock": [("", _("none")), *((name, clock_words.name_of(name)) for name in PRESETS)],
            "flag_points": [
                (0, _("loses the match")),
                *(
                    (points, _("%(points)s to the opponent, half the time back") % {"points": points})
                    for points in range(1, MOST_FLAG_POINTS + 1)
                ),
            ],
        }
        for name, found in choices.items():
            field: Any = self.fields[name]
            field.choices = found

    @property
    def fold(self) -> Fold:
        """Return the rules, folded."""
        usual = _initial(USUAL)
        return Fold.of(self, _("Rules of play"), self.fields, lambda name, value: value == usual[name])

    def is_right(self) -> bool:
        """Say whether what was sent can be played, if anything was."""
        return not self.is_bound or self.is_valid()

    def clean(self) -> dict[str, Any]:
        """Refuse Jacoby where nobody can double."""
        found = super().clean() or self.cleaned_data
        if found.get("jacoby") and not (found.get("cube") and not found.get("best_of")):
            self.add_error("jacoby", _("Without a cube nobody can double."))
        return found

    def rules(self) -> RulesOfPlay:
        """Return the rules as they are to be."""
        if not self.is_bound:
            return self.play
        said = self.cleaned_data
        return RulesOfPlay(
            best_of=said["best_of"],
            cube=said["cube"],
            crawford=said["crawford"],
            gammons=said["counts"] != NEITHER,
            backgammons=said["counts"] == BOTH,
            jacoby=said["jacoby"],
            clock=said["clock"],
            flag_points=said["flag_points"],
            moves=said["moves"],
            pips=said["pips"],
        )


def _initial(play: RulesOfPlay) -> dict[str, Any]:
    counts = BOTH if play.backgammons else GAMMONS if play.gammons else NEITHER
    names = ("best_of", "cube", "crawford", "jacoby", "clock", "flag_points", "moves", "pips")
    return {"shown": True, "counts": counts} | {name: getattr(play, name) for name in names}
