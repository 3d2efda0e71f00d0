"""The JSON API of rulings, and its shapes."""

from __future__ import annotations

from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_serializer
from rest_framework import permissions, serializers, viewsets
from rest_framework.request import Request
from rest_framework.response import Response

from engine.side import BySide
from matches.journal import live
from matches.journal.live import FrameAnswer
from matches.models import JournalEntry, Match
from matches.play import callers, directing, problems, shapes
from matches.play.bodies import KindField, PlainText, Reader, refuse_field
from matches.state import reasons, rulings
from matches.state.errors import NotAllowed
from matches.state.rulings import FROM_ZERO, Ruling
from players.access.callers import KEY, get_account
from players.models import Player, User
from runtime.http.answer_schema import make_list_serializer
from runtime.http.answers import Answer, about
from runtime.http.strict_fields import StrictFields

# More than the service accepts, so that its error can name the limit.
LONGEST_REASON: Final = 2_000


class RulingField(KindField):
    """Any of the rulings."""

    kinds = Ruling.kinds
    name = "MatchRuling"
    code = "unknown_ruling"
    unknown = gettext_lazy("A ruling is an object with a “type”: one of %s.")

    def build(self, kind: type[Ruling], found: dict[str, Any]) -> Ruling:
        """Return the ruling, if its fields go together."""
        match found:
            case {"to_line": line, "to_start_of": start}:
                if (line is None) is (start is None):
                    sentence = _("Send either a line or the start to go back to, not both.")
                    refuse_field("to_line", sentence, "one_of")
                return rulings.TakeBack(line) if start is None else rulings.TakeBack(to_start_of=start)
            case {"position": situation, "turn": turn, "cube": cube, "dice": dice}:
                return rulings.SetPosition(
                    situation.board,
                    situation.turn if turn is None else turn,
                    situation.cube if cube is None else cube,
                    situation.dice if dice is None else dice or None,
                )
        return kind(**found)


class RulingRequest(StrictFields):
    """A ruling, and its reason."""

    after = serializers.IntegerField(
        **FROM_ZERO,
        help_text=(
            "The `head` of what you saw when you decided. Pausing, resuming and crediting time mean the same "
            "on any board; everything else is refused where the match has gone on."
        ),
    )
    reason = PlainText(max_length=LONGEST_REASON, help_text="Kept with the ruling; everyone may read it.")
    ruling = RulingField()


RULING: Final = Reader(RulingRequest)


class RulingResultAnswer(Answer):
    """The result of a ruling."""

    head: int
    frames: Any = about(described=make_list_serializer(FrameAnswer))


class RuledAnswer(Answer):
    """A ruling that was made."""

    seq: int = about("Its line in the journal.")
    at: int = about("Milliseconds.")
    who: str = about("The key of the person.")
    name: str
    fact: dict[str, Any] = about(described=serializers.DictField(help_text="As in the journal."))
    reason: str


@extend_schema_serializer(many=False)
class RulingsAnswer(Answer):
    """The rulings on a match, in their order."""

    may_rule: bool = about("Whether you may make one.")
    rulings: list[RuledAnswer]


def _build_example(name: str, ruling: dict[str, Any], reason: str) -> OpenApiExample:
    return OpenApiExample(name, {"after": 42, "reason": reason, "ruling": ruling}, request_only=True)


EXAMPLES: Final = [
    _build_example("Pause", {"type": "pause"}, "Fire alarm"),
    _build_example(
        "Give a minute", {"type": "credit-time", "side": "black", "milliseconds": 60000}, "Clock fault"
    ),
    _build_example(
        "Take the turn back", {"type": "take-back", "to_start_of": "turn"}, "Moved after a wrong call"
    ),
    _build_example("Take back to a line", {"type": "take-back", "to_line": 40}, "Moved after a wrong call"),
    _build_example(
        "Set a position",
        {"type": "set-position", "position": "4HPwATDgc/ABMA", "turn": "white", "dice": "31"},
        "Continued from a paper record",
    ),
    _build_example(
        "Set the score", {"type": "set-score", "white": 3, "black": 1}, "Two games were played elsewhere"
    ),
    _build_example(
        "Forfeit", {"type": "rule-match", "winner": "white", "verdict": "forfeit"}, "Black had to leave early"
    ),
]
PROBLEMS: Final = problems.build_responses(
    {
        **problems.USUAL,
        403: {
            "not-allowed": "you do not direct the club of this match",
            "own-match": "you play in it yourself; another director must rule",
            "read_only_token": "the token is for reading",
        },
        409: {
            "stale": "the match has gone on since, or a flag fell; `context.head` says how far. Look again",
            "reason-needed": "a ruling has a reason; also `reason-too-long`",
            "paused": "it is paused already; also `not-paused`",
            "play-after-end": "the match is over: take back, set the score, or rule the match",
            "no-such-line": "the journal has no such line",
            "nothing-to-take-back": "nothing has happened since that could be taken back; also `bad-takeback`",
            "no-clock": "the match is played without a clock; also `bad-credit`",
            "no-game": "between two games there is none to rule or to void",
            "bad-position": "the game cannot be set up like this; also `no-cube`",
            "bad-score": "this is no score of the match; also `bad-points`, `bad-penalty`",
            "refused": "the match does not allow it; the sentence says why",
        },
    }
)


@extend_schema(tags=[shapes.TAG])
class RulingViewSet(viewsets.ViewSet):
    # The service checks who may rule.
    permission_classes = (permissions.IsAuthenticatedOrReadOnly,)

    @extend_schema(responses=RulingsAnswer)
    def list(self, request: Request, key: str) -> Response:
        """The rulings on a match, each with its author, its time and its reason."""
        row = callers.find_match(request, key)
        may_rule = isinstance(request.user, User) and directing.may_rule(request.user, row)
        return Response(RulingsAnswer(may_rule=may_rule, rulings=list_rulings(row)))

    @extend_schema(
        parameters=[KEY],
        request=RulingRequest,
        responses={200: RulingResultAnswer, **PROBLEMS},
        examples=EXAMPLES,
    )
    def create(self, request: Request, key: str) -> Response:
        """Make a ruling: it becomes a line of the journal with your key and your reason."""
        user = get_account(request)
        identity = callers.identify_request(request, f"director.{user.pk}")
        given = RULING.read(request.data)
        try:
            decision = directing.rule(
                match_id=callers.find_match_id(key),
                user=user,
                ruling=given["ruling"],
                reason=given["reason"],
                after=given["after"],
                now=callers.get_arrival_time(request),
                request=identity,
            )
        except NotAllowed:
            callers.find_match(request, key)  # do not reveal that a private match exists
            raise
        if decision.refusal is not None:
            raise decision.refusal
        frames = [live.build_frame(step) for step in decision.steps]
        return Response(RulingResultAnswer(head=decision.state.head, frames=frames))


def list_rulings(row: Match) -> list[RuledAnswer]:
    found = list(JournalEntry.objects.filter(match=row, by="director").order_by("seq"))
    people = {each.key: each.public_name for each in Player.objects.filter(key__in={e.who for e in found})}
    seats = BySide(row.white.public_name, row.black.public_name)
    return [
        RuledAnswer.read(
            entry,
            name=people.get(entry.who, ""),
            fact={name: value for name, value in entry.fact.items() if name != "v"},
            reason=reasons.translate_reason(entry.fact.get("reason", ""), seats),
        )
        for entry in found
    ]


routes = ((r"matches/(?P<key>[0-9a-z]{10})/rulings", RulingViewSet, "match-ruling"),)
