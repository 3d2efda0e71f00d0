"""What the API tells of an analysis, for its description."""

from __future__ import annotations

from typing import Any, Final

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from matches.lobby import visitors
from opinion.judging.decisions import Kind
from opinion.judging.formulas import BLUNDER
from opinion.judging.leitner import Grade
from opinion.judging.positions import Advice, Question
from opinion.models import Progress, Silence
from opinion.selectors.analyses import ABSENT, NONE
from opinion.selectors.positions import IN_PLAY, LONGEST, OFF
from runtime.http.strict_fields import StrictFields

Shape = StrictFields
TAG: Final = "analysis"
PROGRESS: Final = (*Progress.values, NONE, ABSENT)
POSITION_PROGRESS: Final = (*PROGRESS, IN_PLAY, OFF)


def _null(**more: Any) -> serializers.FloatField:
    return serializers.FloatField(allow_null=True, **more)


class FaultShape(Shape):
    """The errors of one kind."""

    fault = serializers.CharField()
    number = serializers.IntegerField()
    error = serializers.FloatField()


class AnalysedSideShape(Shape):
    """One side's figures: white's, then black's."""

    pr = _null(help_text="Null from 1 ply and under 50 counted decisions.")
    interval = _null(help_text="To either side of the PR, 95 %.")
    counted = serializers.IntegerField()
    error = serializers.FloatField(help_text="In terms of the cube.")
    cost = serializers.FloatField(help_text="In terms of the match's chance; points in unlimited play.")
    luck = serializers.FloatField()
    luck_adjusted = _null()
    blunders = serializers.IntegerField()
    faults = FaultShape(many=True)


class CandidateShape(Shape):
    """A play and its worth."""

    play = serializers.CharField()
    equity = serializers.FloatField()
    level = serializers.IntegerField()
    percents = serializers.ListField(
        child=serializers.FloatField(),
        help_text="Wins, of them gammons and backgammons, lost gammons and backgammons.",
    )


@extend_schema_field(
    {
        "type": "object",
        "nullable": True,
        "properties": {name: {"type": "number"} for name in ("no_double", "take", "pass")},
    }
)
class CubeField(serializers.DictField):
    """What no double, a take and a pass are worth to the doubler."""


class DecisionShape(Shape):
    """A decision, or a roll after which there was none."""

    line = serializers.IntegerField(help_text="The line of the journal; of a record the fact, from 1.")
    game = serializers.IntegerField()
    roll = serializers.IntegerField()
    side = serializers.ChoiceField(("white", "black"))
    kind = serializers.ChoiceField([kind.value for kind in Kind])
    position = serializers.CharField(help_text="XGID.")
    dice = serializers.CharField(allow_null=True)
    done = serializers.CharField(allow_blank=True)
    best = serializers.CharField(allow_blank=True)
    counted = serializers.BooleanField()
    level = serializers.IntegerField(help_text="0 where there was nothing to decide.")
    error = serializers.FloatField()
    cost = serializers.FloatField()
    fault = serializers.CharField(allow_blank=True)
    luck = _null()
    chance = _null(help_text="White's chance of the match, had the decision been the best.")
    plays = CandidateShape(many=True)
    cube = CubeField(allow_null=True)


class AnalysisShape(Shape):
    """What an engine thinks of a match that is over."""

    progress = serializers.ChoiceField(PROGRESS)
    why = serializers.CharField(allow_blank=True)
    engine = serializers.CharField(allow_blank=True)
    version = serializers.CharField(allow_blank=True)
    level = serializers.IntegerField(help_text="The deepest pass that is done; 0 before the first.")
    sides = AnalysedSideShape(many=True)
    decisions = DecisionShape(many=True)
    left_out = serializers.IntegerField(
        help_text="Decisions of a record that are not told now: their positions stand in a match that is being played."
    )
    note = serializers.CharField(allow_blank=True)


class PositionQuestionShape(Shape):
    """A position to be looked at."""

    position = serializers.CharField(max_length=LONGEST, help_text="As it is read by `GET`.")


class PositionSidesShape(Shape):
    """A number for each side."""

    white = serializers.IntegerField()
    black = serializers.IntegerField()


class PositionCubeShape(Shape):
    """The doubling cube."""

    value = serializers.IntegerField()
    owner = serializers.ChoiceField(("white", "black"), allow_null=True, help_text="Null in the middle.")


class PositionCubeWorthShape(Shape):
    """What the choices are worth to the side on roll, or to the doubler."""

    no_double = serializers.FloatField()
    take = serializers.FloatField()
    percents = serializers.ListField(child=serializers.FloatField(), help_text="As of a play.")

    def get_fields(self) -> dict[str, Any]:
        """Return the fields; one has a name that is a word of Python."""
        return {**super().get_fields(), "pass": serializers.FloatField()}


class PositionAnswerShape(Shape):
    """What an engine thinks of a position."""

    engine = serializers.CharField()
    version = serializers.CharField()
    level = serializers.IntegerField(help_text="The deepest of it.")
    plays = CandidateShape(many=True, help_text="The five best, the best first; none without dice.")
    cube = PositionCubeWorthShape(allow_null=True, help_text="Null where dice lie.")
    advice = serializers.ChoiceField([each.value for each in Advice], allow_null=True)


class AskedPositionShape(Shape):
    """A position by itself."""

    xgid = serializers.CharField()
    gnubg_id = serializers.CharField(help_text="Position ID and Match ID, with a colon between them.")
    turn = serializers.ChoiceField(("white", "black"), help_text="The side on roll; of a double the doubler.")
    dice = serializers.CharField(allow_null=True)
    length = serializers.IntegerField(help_text="0 in unlimited play.")
    score = PositionSidesShape()
    crawford = serializers.BooleanField()
    cube = PositionCubeShape()
    pips = PositionSidesShape()
    contact = serializers.BooleanField()
    question = serializers.ChoiceField([each.value for each in Question])
    choices = serializers.IntegerField(
        allow_null=True, help_text="To how many boards the dice can lead; null without dice."
    )
    progress = serializers.ChoiceField(
        POSITION_PROGRESS,
        help_text="`in-play`: it stands in a match that is being played, and until that is over nothing is told.",
    )
    why = serializers.CharField(allow_blank=True)
    answer = PositionAnswerShape(allow_null=True)


class SumsShape(Shape):
    """What decisions of some matches come to."""

    matches = serializers.IntegerField()
    pr = _null(help_text="Null from 1 ply and under 50 counted decisions.")
    interval = _null(help_text="To either side of the PR, 95 %.")
    counted = serializers.IntegerField()
    error = serializers.FloatField(help_text="In terms of the cube.")
    luck = serializers.FloatField(help_text="In terms of the cube; told at 1 ply.")
    blunders = serializers.IntegerField()


class MonthShape(SumsShape):
    """One month."""

    month = serializers.CharField(help_text="2026-11")


class PoolShape(SumsShape):
    """What one version of an engine found at one level."""

    engine = serializers.CharField()
    version = serializers.CharField()
    level = serializers.IntegerField()
    faults = FaultShape(many=True)
    months = MonthShape(many=True, help_text="The latest first.")
    note = serializers.CharField(allow_blank=True, help_text="Why there is no PR.")


class PooledShape(Shape):
    """A player's errors and luck over all matches."""

    player = serializers.CharField()
    missing = serializers.ChoiceField(
        ("", NONE, ABSENT, "off"),
        help_text="Why there are no figures: no match is analysed, there is no engine, or analyses are off.",
    )
    pools = PoolShape(many=True, help_text="Never added to each other; the one with most decisions first.")


class PlayRecordShape(Shape):
    """How many plays were the engine's, and what the decisions come to."""

    matches = serializers.IntegerField()
    plays = serializers.IntegerField(help_text="Those with a choice.")
    found = serializers.IntegerField(help_text="Those of them that gave nothing away.")
    rate = _null(help_text="Null under 50 plays.")
    low = _null(help_text="Of the 95 % interval of the rate (Wilson).")
    high = _null()
    pr = _null(help_text="Null under 50 counted decisions.")
    interval = _null(help_text="To either side of the PR, 95 %.")
    counted = serializers.IntegerField()


class BaseRateShape(PlayRecordShape):
    """The same of the others, together."""

    players = serializers.IntegerField()
    as_many = serializers.IntegerField(help_text="Of these players, those whose rate is as high or higher.")
    ratings = serializers.ListField(
        child=serializers.FloatField(), allow_null=True, help_text="The lowest and the highest."
    )


class DifferenceShape(Shape):
    """By how much the player's rate is above the base rate."""

    rate = serializers.FloatField()
    low = serializers.FloatField(help_text="Of the 95 % interval (Newcombe).")
    high = serializers.FloatField()


class EvidenceShape(Shape):
    """A player's play against their rating: evidence, and no verdict."""

    player = serializers.CharField()
    missing = serializers.ChoiceField(("", NONE, ABSENT, OFF), help_text="Why there are no figures.")
    engine = serializers.CharField(allow_blank=True)
    version = serializers.CharField(allow_blank=True)
    level = serializers.IntegerField()
    list = serializers.CharField(allow_blank=True, help_text="The rating list of the club.")
    rating = _null()
    own = PlayRecordShape(allow_null=True)
    others = BaseRateShape(
        allow_null=True,
        help_text="The ten others whose ratings are nearest; all others where the player has no rating.",
    )
    difference = DifferenceShape(allow_null=True)
    note = serializers.CharField()


class CardShape(Shape):
    """A decision to take again; nothing in it says what is right."""

    id = serializers.IntegerField()
    kind = serializers.ChoiceField((Kind.PLAY.value, Kind.DOUBLE.value, Kind.TAKE.value))
    position = serializers.CharField(help_text="XGID.")
    choices = serializers.ListField(
        child=serializers.CharField(),
        help_text="Of a cube decision; empty where a play is asked for: any that is legal.",
    )


class DeckShape(Shape):
    """The deck as it is now."""

    due = serializers.IntegerField()
    new = serializers.IntegerField(help_text="Errors that have never been asked about.")
    next_at = serializers.DateTimeField(allow_null=True, help_text="When the next comes that is not due yet.")
    missing = serializers.ChoiceField(("", ABSENT, "off"), help_text="Why there can be no card.")
    card = CardShape(allow_null=True)


class ChoiceShape(Shape):
    """An answer."""

    choice = serializers.CharField(
        max_length=60, help_text="One of the card's choices, or a play in writing: 8/5 6/5."
    )


class AnsweredShape(Shape):
    """What is right, beside what was answered."""

    card = serializers.IntegerField()
    match = serializers.CharField(
        allow_blank=True, help_text="The match that it was met in, if that was on a board of ours."
    )
    record = serializers.CharField(allow_blank=True, help_text="Else the recorded match.")
    engine = serializers.CharField()
    version = serializers.CharField()
    level = serializers.IntegerField()
    choice = serializers.CharField()
    grade = serializers.ChoiceField([each.value for each in Grade])
    loss = serializers.FloatField(help_text="What the answer gives away, in terms of the cube.")
    weighed = serializers.BooleanField(
        help_text="False for a play that is none of the best: it gives away as much as the worst of these, or more."
    )
    best = serializers.CharField()
    done = serializers.CharField(help_text="What was done in the match.")
    error = serializers.FloatField(help_text="What that gave away.")
    due_at = serializers.DateTimeField(help_text="When the card comes again.")
    plays = CandidateShape(many=True)
    cube = CubeField(allow_null=True)


class LessonBeginShape(Shape):
    """A practice match with the tutor."""

    opponent = serializers.CharField(max_length=10, help_text="A bot's key.")
    length = serializers.ChoiceField(visitors.LENGTHS, default=visitors.LENGTH)
    limit = serializers.FloatField(
        default=BLUNDER,
        help_text="What a play must give away to be pointed out, in terms of the cube: 0.01 to 1.",
    )


class BegunLessonShape(Shape):
    """The match that has begun."""

    match = serializers.CharField()


class HintShape(Shape):
    """A play that was pointed out."""

    line = serializers.IntegerField(help_text="Of the journal.")
    played = serializers.CharField()
    loss = serializers.FloatField(help_text="In terms of the cube.")
    best = serializers.CharField()
    level = serializers.IntegerField(help_text="How many plies it was looked ahead.")


class LessonShape(Shape):
    """How it stands with the tutor."""

    limit = serializers.FloatField()
    looking = serializers.BooleanField(help_text="Your last play is being looked at; the bot waits.")
    asking = serializers.BooleanField(help_text="Say whether you take it back; the bot waits.")
    silence = serializers.ChoiceField(
        ("", *Silence.values),
        help_text="Why nothing is said: no answer, or the position stands in a match between people.",
    )
    hint = HintShape(allow_null=True)


class LessonAnswerShape(Shape):
    """What becomes of the play."""

    answer = serializers.ChoiceField(("take-back", "play-on"))
