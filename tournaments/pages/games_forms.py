"""A match as it is written down game by game: a row a game, and the score that follows from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from draw.play import USUAL
from matches.state.scores import capped
from players import names
from tournaments.base import scores
from tournaments.base.errors import BadGame, BadGames
from tournaments.base.form_fields import clean
from tournaments.base.scores import ENDS, Game

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from django_stubs_ext import StrOrPromise

    from draw.play import RulesOfPlay
    from tournaments.base.errors import TournamentError

CUBES: Final = tuple((str(2**turns), str(2**turns)) for turns in range(7))
ENDINGS: Final = (
    ("single", _("Single")),
    ("gammon", _("Gammon")),
    ("backgammon", _("Backgammon")),
    ("drop", pgettext_lazy("how a game ended", "Drop")),
)
REASON: Final = 300
NO_WINNER: Final = _("Say who won this game.")
CRAWFORD: Final = _("This is the Crawford game: the cube stays in the middle, and nobody can drop.")
JACOBY: Final = _("By the Jacoby rule gammons count only after a double: at a cube of 1 this game is single.")
IS_OVER: Final = _("The match was over before this game. Remove it, or look at the games above.")


class GameForm(forms.Form):
    """One game: who won it, at what cube, and how."""

    winner = forms.ChoiceField(required=False, widget=forms.RadioSelect)
    cube = forms.TypedChoiceField(label=_("Cube"), choices=CUBES, coerce=int, initial="1")
    end = forms.ChoiceField(label=_("How"), choices=ENDINGS, initial="single")

    def __init__(
        self, *args: Any, players: tuple[str, str], play: RulesOfPlay = USUAL, **options: Any
    ) -> None:
        super().__init__(*args, **options)
        winner: Any = self.fields["winner"]
        winner.choices = (("a", players[0]), ("b", players[1]))
        cube: Any = self.fields["cube"]
        cube.choices = CUBES if play.cube else CUBES[:1]
        end: Any = self.fields["end"]
        possible = scores.ends(play)
        end.choices = [(name, label) for name, label in ENDINGS if name in possible]

    def game(self) -> Game | None:
        """Return the game as far as it is written, None where nobody has won it yet."""
        if not self.is_bound:
            said = self.initial
        elif self.is_valid():
            said = self.cleaned_data
        else:
            return None
        if not said.get("winner"):
            return None
        cube, end = int(said["cube"]), str(said["end"])
        return Game(said["winner"], cube * ENDS[end], cube, end)


class WhyForm(forms.Form):
    """Why what stands is written anew."""

    reason = forms.CharField(
        label=_("Why?"), max_length=REASON, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )

    def clean_reason(self) -> str:
        """Return the reason in its one spelling."""
        return clean(names.clean_optional, self.cleaned_data["reason"], limit=REASON)


@dataclass(frozen=True, slots=True)
class RowOfGame:
    """One game as the page shows it."""

    number: int
    form: GameForm
    points: int | None
    score: tuple[int, int] | None
    is_crawford: bool
    problem: StrOrPromise


class GamesForm:
    """All games of one match; nobody types its score."""

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
        self._data = data
        self._wrong: dict[int, StrOrPromise] = {}
        started: list[Mapping[str, Any]] = [*games] if data is None else [{}] * _count(data, self.most)
        self._forms = [self._form(number, said) for number, said in enumerate(started, 1)]
        if data is None and not self.is_over:
            self.add()

    @property
    def most(self) -> int:
        """How many games a match of this length can have: each is worth a point, and one side loses."""
        return 2 * self.length - 1

    @property
    def has_crawford(self) -> bool:
        """Say whether this match can have a Crawford game."""
        return scores.has_crawford(self.play)

    @property
    def games(self) -> list[Game]:
        """The games as far as they are written without a gap."""
        found: list[Game] = []
        for form in self._forms:
            if (game := form.game()) is None:
                break
            found.append(game)
        return found

    @property
    def total(self) -> tuple[int, int]:
        """The score that the games lead to."""
        reached = self.begun
        for step in scores.walk(self.games, self.begun, self.length, self.play):
            reached = step.after
        return capped(reached, self.length)

    @property
    def is_over(self) -> bool:
        """Say whether somebody has all the points of the match."""
        return max(self.total) >= self.length

    @property
    def rows(self) -> list[RowOfGame]:
        """The games as the page shows them."""
        steps = {step.number: step for step in scores.walk(self.games, self.begun, self.length, self.play)}
        crawford = next((number for number, step in steps.items() if step.is_crawford), 0)
        if not crawford and self.has_crawford and scores.is_crawford_at(self.total, self.length):
            crawford = len(steps) + 1
        return [
            RowOfGame(
                number=number,
                form=form,
                points=steps[number].game.points if number in steps else None,
                score=capped(steps[number].after, self.length) if number in steps else None,
                is_crawford=number == crawford,
                problem=self._wrong.get(number, ""),
            )
            for number, form in enumerate(self._forms, 1)
        ]

    @property
    def pattern(self) -> RowOfGame:
        """A game that is not there yet, for the script to copy."""
        form = GameForm(prefix="g__n__", players=self.players, play=self.play)
        return RowOfGame(0, form, None, None, is_crawford=False, problem="")

    def add(self) -> None:
        """Make room for one more game."""
        if len(self._forms) < self.most:
            number = len(self._forms) + 1
            self._forms.append(GameForm(prefix=f"g{number}", players=self.players, play=self.play))

    def remove(self) -> None:
        """Take the last game away."""
        del self._forms[-1:]
        if not self._forms:
            self.add()

    def said(self) -> list[dict[str, Any]]:
        """Return the games as the services take them."""
        return [game.said() for game in self.games]

    def is_valid(self) -> bool:
        """Say whether these games are a match; what is wrong stands at the game it is about."""
        self._drop_blank()
        self._check_rows()
        if not self._wrong:
            self._check_match()
        return not self._wrong and not self.problem

    def _breaks_jacoby(self, number: int) -> bool:
        game = self.games[number - 1]
        return self.play.jacoby and game.cube == 1 and ENDS[game.end] > 1

    def _form(self, number: int, said: Mapping[str, Any]) -> GameForm:
        initial = Game.of(said).said() if said else None
        return GameForm(
            self._data, prefix=f"g{number}", players=self.players, play=self.play, initial=initial
        )

    def _form_is_blank(self, form: GameForm) -> bool:
        return not form["winner"].value()

    def _drop_blank(self) -> None:
        """The last row waits for a game that may never be played."""
        while len(self._forms) > 1 and self._form_is_blank(self._forms[-1]):
            del self._forms[-1]

    def _check_rows(self) -> None:
        for number, form in enumerate(self._forms, 1):
            if not form.is_valid():
                self._wrong[number] = str(next(iter(form.errors.values()))[0])
            elif form.game() is None:
                self._wrong[number] = NO_WINNER

    def _check_match(self) -> None:
        try:
            scores.check_games(self.said(), self.total, self.length, self.begun, self.play)
        except BadGame as refusal:
            # The points follow from cube and end: nothing else is left to be wrong.
            self._wrong[_number(refusal)] = JACOBY if self._breaks_jacoby(_number(refusal)) else CRAWFORD
        except BadGames as refusal:
            self._wrong[_number(refusal) + 1] = IS_OVER
        else:
            if not self.is_over:
                self.problem = _("The match is not over: one more game is missing, or a cube or a gammon.")


def _number(refusal: TournamentError) -> int:
    """Return which game a refusal is about."""
    return int(str(refusal.context["number"]))


def _count(data: Mapping[str, Any], most: int) -> int:
    """Return how many rows were sent."""
    said = str(data.get("rows", ""))
    return max(1, min(int(said), most)) if said.isascii() and said.isdigit() and len(said) < 4 else 1
