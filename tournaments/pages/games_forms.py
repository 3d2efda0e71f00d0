"""The form for a match game by game; the score is computed from the games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from draw.rules_of_play import USUAL, RulesOfPlay
from matches.state.rule_words import cap_score
from players.access.requests import parse_number
from players.people.fields import NameField
from tournaments.base import scores
from tournaments.base.errors import BadGame, BadGames
from tournaments.base.scores import ENDS, Game, GameStep

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

CUBES: Final = tuple((str(2**turns), str(2**turns)) for turns in range(7))
ENDINGS: Final = (
    ("single", _("Single")),
    ("gammon", _("Gammon")),
    ("backgammon", _("Backgammon")),
    ("drop", pgettext_lazy("how a game ended", "Drop")),
)
REASON: Final = 300
NO_WINNER: Final = _("Choose who won this game.")
CRAWFORD: Final = _("This is the Crawford game: the cube stays in the middle, and no one can drop.")
JACOBY: Final = _("By the Jacoby rule gammons count only after a double: at a cube of 1 this game is single.")
IS_OVER: Final = _("The match was over before this game. Remove it, or look at the games above.")


class GameForm(forms.Form):
    winner = forms.ChoiceField(required=False, widget=forms.RadioSelect)
    cube = forms.TypedChoiceField(label=_("Cube"), choices=CUBES, coerce=int, initial="1")
    end = forms.ChoiceField(label=_("How"), choices=ENDINGS, initial="single")

    def __init__(
        self, *args: Any, players: tuple[str, str], play: RulesOfPlay = USUAL, **options: Any
    ) -> None:
        super().__init__(*args, **options)
        fields: dict[str, Any] = self.fields
        fields["winner"].choices = (("a", players[0]), ("b", players[1]))
        fields["cube"].choices = CUBES if play.cube else CUBES[:1]
        possible = scores.list_game_ends(play)
        fields["end"].choices = [(name, label) for name, label in ENDINGS if name in possible]

    def game(self) -> Game | None:
        """Return the game, None while it has no winner."""
        if not self.is_bound:
            values = self.initial
        elif self.is_valid():
            values = self.cleaned_data
        else:
            return None
        if not values.get("winner"):
            return None
        cube, end = int(values["cube"]), str(values["end"])
        return Game(values["winner"], cube * ENDS[end], cube, end)


class ReplacementReasonForm(forms.Form):
    reason = NameField(
        label=_("Why?"), max_length=REASON, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )


@dataclass(frozen=True, slots=True)
class GameFormRow:
    number: int
    form: GameForm
    points: int | None
    score: tuple[int, int] | None
    is_crawford: bool
    problem: StrOrPromise


class GamesForm:
    def __init__(
        self,
        data: Mapping[str, Any] | None,
        *,
        players: tuple[str, str],
        length: int,
        begun: tuple[int, int],
        games: Sequence[Mapping[str, Any]] = (),
        play: RulesOfPlay = USUAL,
    ) -> None:
        self.players, self.length, self.begun, self.play = players, length, begun, play
        self.problem: StrOrPromise = ""
        self._wrong: dict[int, StrOrPromise] = {}
        started: list[Mapping[str, Any]] = [*games] if data is None else [{}] * _count_rows(data, self.most)
        self._forms = [self._build_form(number, data, game) for number, game in enumerate(started, 1)]
        if data is None and not self.is_over:
            self.add()

    @property
    def most(self) -> int:
        """The largest possible number of games: each is worth at least a point."""
        return 2 * self.length - 1

    @property
    def has_crawford(self) -> bool:
        return scores.has_crawford(self.play)

    @property
    def games(self) -> list[Game]:
        """The games before the first row without a winner."""
        found: list[Game] = []
        for form in self._forms:
            if (game := form.game()) is None:
                break
            found.append(game)
        return found

    def _list_steps(self) -> list[GameStep]:
        return list(scores.list_game_steps(self.games, self.begun, self.length, self.play))

    @property
    def total(self) -> tuple[int, int]:
        steps = self._list_steps()
        return cap_score(steps[-1].after if steps else self.begun, self.length)

    @property
    def is_over(self) -> bool:
        return max(self.total) >= self.length

    @property
    def rows(self) -> list[GameFormRow]:
        steps = {step.number: step for step in self._list_steps()}
        crawford = next((number for number, step in steps.items() if step.is_crawford), 0)
        if not crawford and self.has_crawford and scores.is_crawford_at(self.total, self.length):
            crawford = len(steps) + 1
        return [
            GameFormRow(
                number=number,
                form=form,
                points=steps[number].game.points if number in steps else None,
                score=cap_score(steps[number].after, self.length) if number in steps else None,
                is_crawford=number == crawford,
                problem=self._wrong.get(number, ""),
            )
            for number, form in enumerate(self._forms, 1)
        ]

    @property
    def pattern(self) -> GameFormRow:
        """A blank row for the script to copy."""
        form = self._build_form("__n__", None, {})
        return GameFormRow(0, form, None, None, is_crawford=False, problem="")

    def add(self) -> None:
        """Append a blank row, unless there are as many as possible."""
        if len(self._forms) < self.most:
            self._forms.append(self._build_form(len(self._forms) + 1, None, {}))

    def remove(self) -> None:
        """Delete the last row; a blank row replaces the only one."""
        del self._forms[-1:]
        if not self._forms:
            self.add()

    def to_json(self) -> list[dict[str, Any]]:
        return [game.to_json() for game in self.games]

    def is_valid(self) -> bool:
        """True if the games make up a finished match.

        Otherwise the row of the problem, or `problem`, says why not.
        """
        # Without blank rows at the end: the form always offers one more.
        while len(self._forms) > 1 and not self._forms[-1]["winner"].value():
            del self._forms[-1]
        for number, form in enumerate(self._forms, 1):
            if not form.is_valid():
                self._wrong[number] = str(next(iter(form.errors.values()))[0])
            elif form.game() is None:
                self._wrong[number] = NO_WINNER
        if not self._wrong:
            self._check_match()
        return not self._wrong and not self.problem

    def _build_form(
        self, number: int | str, data: Mapping[str, Any] | None, game: Mapping[str, Any]
    ) -> GameForm:
        initial = Game.from_json(game).to_json() if game else None
        return GameForm(data, prefix=f"g{number}", players=self.players, play=self.play, initial=initial)

    def _check_match(self) -> None:
        try:
            scores.check_games(self.to_json(), self.total, self.length, self.begun, self.play)
        except BadGame as refusal:
            # Points follow from cube and kind of win, so nothing else can be wrong.
            number = int(str(refusal.context["number"]))
            game = self.games[number - 1]
            breaks_jacoby = self.play.jacoby and game.cube == 1 and ENDS[game.end] > 1
            self._wrong[number] = JACOBY if breaks_jacoby else CRAWFORD
        except BadGames as refusal:
            self._wrong[int(str(refusal.context["number"])) + 1] = IS_OVER
        else:
            if not self.is_over:
                self.problem = _("The match is not over: one more game is missing, or a cube or a gammon.")


def _count_rows(data: Mapping[str, Any], most: int) -> int:
    return max(1, min(parse_number(str(data.get("rows", "")), 3) or 1, most))
