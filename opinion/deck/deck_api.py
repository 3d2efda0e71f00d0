"""The deck of the caller's own errors over HTTP."""

from __future__ import annotations

from datetime import datetime

from django.urls import URLPattern, path
from django.utils import timezone
from rest_framework import permissions, serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from matches.play import problems
from opinion.analyses.analyses import ABSENT
from opinion.analyses.analysis_api import SIGNED_IN, CandidateAnswer, CubeField, describe, serialize_cube
from opinion.deck import deck
from opinion.judging.decisions import Kind
from opinion.judging.formulas import Grade, grade_loss
from players.access.callers import found_or_404, get_account, read_body
from runtime.http.answers import Answer, about
from runtime.http.strict_fields import StrictFields

CARD = {
    400: {
        "invalid": "no choice was sent",
        "unknown-choice": "it is no legal play, or nothing that can be done about the cube",
    },
    401: problems.USUAL[401],
    403: problems.READ_ONLY,
    404: problems.USUAL[404],
    409: {
        "card-not-due": "it was answered, and has not come again",
        "position-in-play": "its position stands in a match that is being played",
    },
}


class CardAnswer(Answer):
    """A decision to repeat, without the solution."""

    id: int
    kind: str = about(words=(Kind.PLAY.value, Kind.DOUBLE.value, Kind.TAKE.value))
    position: str = about("XGID.")
    choices: list[str] = about("Of a cube decision; empty where a play is asked for: any that is legal.")


class DeckAnswer(Answer):
    """The current deck."""

    due: int
    new: int = about("Errors that have never been asked about.", source="fresh")
    next_at: datetime | None = about("When the next comes that is not due yet.")
    missing: str = about("Why there can be no card.", words=("", ABSENT, "off"))
    card: CardAnswer | None


class ChoiceShape(StrictFields):
    """The answer to a card."""

    choice = serializers.CharField(
        max_length=60, help_text="One of the card's choices, or a play in writing: 8/5 6/5."
    )


class AnsweredAnswer(Answer):
    """The solution of a card, and the answer that was given."""

    card: int = about(source="id")
    match: str = about("The match that it was met in, if that was on a board of ours.")
    record: str = about("Else the recorded match.")
    engine: str
    version: str
    choice: str
    grade: Grade = about(source=lambda found: grade_loss(found.loss))
    loss: float = about("What the answer gives away, in terms of the cube.")
    weighed: bool = about(
        "False for a play that is none of the best: it gives away as much as the worst of these, or more.",
        source="is_weighed",
    )
    due_at: datetime = about("When the card comes again.")
    level: int = about(source="remark.level")
    best: str = about(source="remark.best")
    done: str = about("What was done in the match.", source="remark.decided")
    error: float = about("What that gave away.", source="remark.error")
    plays: list[CandidateAnswer] = about(source="remark.plays")
    cube: dict[str, float] | None = about(
        source=lambda found: serialize_cube(found.remark), described=CubeField(allow_null=True)
    )


class OwnDeck(APIView):
    permission_classes = (permissions.IsAuthenticated,)

    @describe("deck_show", DeckAnswer, SIGNED_IN)
    def get(self, request: Request) -> Response:
        """The next card, and how many are due and new. It does not reveal the right answer."""
        return Response(DeckAnswer.read(deck.load_deck(get_account(request), timezone.now())))


class DeckCard(APIView):
    permission_classes = (permissions.IsAuthenticated,)

    @describe("deck_answer", AnsweredAnswer, CARD, request=ChoiceShape)
    def post(self, request: Request, card: int) -> Response:
        """Answer a card; the response has the right answer and the card's next date."""
        data = read_body(ChoiceShape, request)
        user = get_account(request)
        deck.store_answer(user=user, card=card, choice=data["choice"], now=timezone.now())
        return Response(AnsweredAnswer.read(found_or_404(deck.find_answer(user, card))))


paths: list[URLPattern] = [
    path("deck/", OwnDeck.as_view(), name="deck"),
    path("deck/<int:card>/", DeckCard.as_view(), name="deck-card"),
]
