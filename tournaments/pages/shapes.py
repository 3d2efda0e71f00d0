"""What the API tells of an event, described for programs."""

from __future__ import annotations

from typing import Any, Final

from rest_framework import serializers

from draw.comparison import Change
from draw.options import list_settings
from draw.play import RulesOfPlay
from runtime import uids
from runtime.http.strict_fields import StrictFields
from tournaments.base import option_fields_api, settings
from tournaments.base.waiting_work import Work

Shape = StrictFields
TAG: Final = "events"


class ReasonShape(Shape):
    """Why something is so; of rounds, as it was when they were paired."""

    code = serializers.CharField(help_text="The same in every language.")
    sentence = serializers.CharField(help_text="In the language that was asked for.")
    entries = serializers.DictField(
        child=serializers.IntegerField(), help_text="Whom it names: their numbers."
    )
    places = serializers.DictField(
        child=serializers.CharField(), help_text="Which pairings it names: their keys."
    )
    figures = serializers.DictField(help_text="What decided; a fraction is a text.")


class DrawShape(Shape):
    """A published draw."""

    lines = serializers.ListField(
        child=serializers.IntegerField(allow_null=True), help_text="Entry numbers; null where nobody stands."
    )
    method = serializers.CharField()
    attempt = serializers.IntegerField()
    late = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField()),
        help_text="A line and the number of whoever took its bye later.",
    )
    commitment = serializers.CharField()
    witnesses = serializers.ListField(child=serializers.CharField())
    note = serializers.CharField()
    published_at = serializers.DateTimeField()
    why = ReasonShape(many=True, help_text="What was placed, what the lot decided, and who came late.")


class StageShape(Shape):
    """A stage as announced; `docs/pairing.md` describes formats and options."""

    number = serializers.IntegerField()
    name = serializers.CharField()
    format = serializers.CharField()
    options = serializers.DictField()
    takes = serializers.ListField()
    rules = serializers.ListField()
    draw = DrawShape(allow_null=True, help_text="Null until it is published.")


class PlayedShape(Shape):
    """Rules of play, in full."""

    def get_fields(self) -> dict[str, Any]:
        """Return a field for each rule."""
        return option_fields_api.answer_fields(list_settings(RulesOfPlay))


class EventShape(Shape):
    """An event, as lists show it."""

    uid = serializers.UUIDField(help_text=uids.ABOUT)
    key = serializers.CharField()
    club = serializers.CharField()
    name = serializers.CharField()
    status = serializers.CharField()
    version = serializers.IntegerField(help_text="Counts every change.")
    starts_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)
    paused_at = serializers.DateTimeField(allow_null=True)
    over_at = serializers.DateTimeField(
        allow_null=True, help_text="Everything is played since then, and the final order waits for approval."
    )
    pairing_at = serializers.DateTimeField(
        allow_null=True, help_text="When a worker works out what follows from the last results."
    )
    place = serializers.CharField()
    about = serializers.CharField()
    format_label = serializers.CharField(
        help_text="How it is played, in the director's own words, or in English."
    )
    match_length = serializers.IntegerField()
    capacity = serializers.IntegerField(allow_null=True)
    play = PlayedShape(help_text="The rules of play, where no bracket or round says otherwise.")
    entered = serializers.IntegerField()

    def get_fields(self) -> dict[str, Any]:
        """Return its fields, and the settings that everybody may read."""
        return super().get_fields() | option_fields_api.answer_fields(settings.declared())


class WholeEventShape(EventShape):
    """An event with how it is played."""

    stages = StageShape(many=True)
    commitment = serializers.CharField(
        help_text="What fixes the seed of the draw before it is made; blank where nothing is drawn here."
    )
    seed = serializers.CharField(help_text="The seed itself, once the draw is published.")
    work = serializers.ChoiceField(
        choices=[one.value for one in Work],
        help_text="What a worker is at: `draw`, the matches of a published draw; `results`, what follows from results; "
        "`failed`, the last attempt at either did not succeed and is repeated; blank, nothing.",
    )
    live = serializers.DictField(help_text="A token and an address to follow the event by.")


class EntryShape(Shape):
    """A player in an event."""

    uid = serializers.UUIDField(help_text=uids.ABOUT)
    number = serializers.IntegerField()
    player = serializers.CharField()
    name = serializers.CharField()
    entered_at = serializers.DateTimeField()
    waits = serializers.BooleanField()
    checked_in = serializers.BooleanField()
    seed = serializers.IntegerField(allow_null=True)
    rating = serializers.FloatField(allow_null=True)
    left = serializers.CharField()
    is_disqualified = serializers.BooleanField()
    place = serializers.IntegerField(allow_null=True)


class SeatShape(Shape):
    """One side of a pairing: who sits there, or where they will come from."""

    entry = serializers.IntegerField(allow_null=True)
    origin = serializers.CharField()
    of = serializers.CharField(help_text="The key of the pairing whose winner or loser comes.")
    number = serializers.IntegerField()


class PairingShape(Shape):
    """A place of the event."""

    uid = serializers.UUIDField(help_text=uids.ABOUT)
    key = serializers.CharField()
    stage = serializers.IntegerField()
    bracket = serializers.CharField()
    round = serializers.IntegerField()
    number = serializers.IntegerField()
    state = serializers.CharField()
    length = serializers.IntegerField()
    a = SeatShape()
    b = SeatShape()
    kind = serializers.CharField()
    winner = serializers.IntegerField(allow_null=True)
    score = serializers.ListField(child=serializers.IntegerField(), allow_null=True)
    table = serializers.CharField()
    opened_at = serializers.DateTimeField(allow_null=True)
    deadline_at = serializers.DateTimeField(allow_null=True)
    decided_at = serializers.DateTimeField(allow_null=True)
    match = serializers.CharField(allow_null=True, help_text="The board it is played at live.")
    why = ReasonShape(many=True, help_text="Why those two meet, or one of them sits out.")


class RankShape(Shape):
    """A place in the order."""

    entry = serializers.IntegerField()
    rank = serializers.IntegerField()
    shared = serializers.IntegerField(
        help_text="How many share it; of who is still in: how many can be reached."
    )
    places = serializers.CharField(help_text="The same in words: 3, or 3–6.")  # noqa: RUF001
    open = serializers.BooleanField(help_text="Still in: the places are those that can still be reached.")
    group = serializers.CharField()
    figures = serializers.DictField()
    why = ReasonShape(many=True, help_text="What separates this place from the one above, if both are level.")


class RulingShape(Shape):
    """What a director did, or the clock on the director's behalf."""

    uid = serializers.UUIDField(help_text=uids.ABOUT)
    id = serializers.IntegerField()
    act = serializers.CharField()
    by = serializers.CharField()
    reason = serializers.CharField()
    data: Any = serializers.DictField()
    at = serializers.DateTimeField()
    can_be_restored = serializers.BooleanField()
    restored_by = serializers.IntegerField(allow_null=True)


class RippleShape(Shape):
    """What becomes of one place."""

    key = serializers.CharField()
    change = serializers.ChoiceField(choices=[change.value for change in Change])
    before = serializers.ListField(child=serializers.IntegerField())
    after = serializers.ListField(child=serializers.IntegerField())
    lost_result = serializers.BooleanField()


class ActAnswer(Shape):
    """What an act came to; with `preview`, what it would come to."""

    act = serializers.CharField()
    version = serializers.IntegerField()
    status = serializers.CharField()
    about = serializers.DictField(
        allow_null=True, help_text="The entry, pairing, draw, ruling or match it was about."
    )
    ripple = RippleShape(many=True, required=False)
