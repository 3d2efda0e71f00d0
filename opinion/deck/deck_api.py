"""The deck of one's own errors, over HTTP."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.urls import path
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import exceptions, permissions, serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from matches.play import callers, problems
from opinion.analyses.analyses import ABSENT
from opinion.analyses.analysis_shapes import TAG, CandidateShape, CubeField, Shape
from opinion.deck import deck, learning
from opinion.judging.decisions import Kind
from opinion.judging.leitner import Grade

if TYPE_CHECKING:
    from django.urls import URLPattern
    from rest_framework.request import Request


SIGNED_IN = problems.answers({401: problems.USUAL[401]})
CARD = problems.answers(
    {
        400: {
            "invalid": "no choice was sent",
            "unknown-choice": "it is no legal play, or nothing that can be done about the cube",
        },
        401: problems.USUAL[401],
        403: {"read_only_token": problems.USUAL[403]["read_only_token"]},
        404: problems.USUAL[404],
        409: {
            "card-not-due": "it was answered, and has not come again",
            "position-in-play": "its position stands in a match that is being played",
        },
    }
)


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


class Deck(APIView):
    """The deck of one's own errors."""

    permission_classes = (permissions.IsAuthenticated,)

    @extend_schema(
        operation_id="deck_show",
        responses={200: DeckShape, **SIGNED_IN},
        tags=[TAG],
    )
    def get(self, request: Request) -> Response:
        """The next card, and how many are due and new. Nothing in it says what is right."""
        return Response(deck.document(deck.of_user(callers.account(request), timezone.now())))


class DeckCard(APIView):
    """One card of it."""

    permission_classes = (permissions.IsAuthenticated,)

    @extend_schema(
        operation_id="deck_answer",
        request=ChoiceShape,
        responses={200: AnsweredShape, **CARD},
        tags=[TAG],
    )
    def post(self, request: Request, card: int) -> Response:
        """Answer a card: then it is told what is right, and when the card comes again."""
        sent = ChoiceShape(data=request.data)
        sent.is_valid(raise_exception=True)
        user = callers.account(request)
        learning.answer(user=user, card=card, choice=sent.validated_data["choice"], now=timezone.now())
        found = deck.answer(user, card)
        if found is None:
            raise exceptions.NotFound
        return Response(deck.answer_document(found))


paths: list[URLPattern] = [
    path("deck/", Deck.as_view(), name="deck"),
    path("deck/<int:card>/", DeckCard.as_view(), name="deck-card"),
]
