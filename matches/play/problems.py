"""The error codes of playing, documented for API clients."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeVar

from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.fields import empty

from runtime.http.strict_fields import StrictFields

View = TypeVar("View", bound=Callable[..., Any])

USUAL: Final[dict[int, dict[str, str]]] = {
    400: {
        "invalid": "a field needs another look; `context.fields` says which and why",
        "parse_error": "the body cannot be read; also `not_json`, `too_deep`",
    },
    401: {"not_authenticated": "send a token; also `bad_token`, `expired_token`, `inactive_account`"},
    403: {
        "not-a-player": "you do not sit at this board",
        "read_only_token": "the token is for reading",
    },
    404: {"not_found": "there is no such match, or it is private"},
    409: {"refused": "it cannot be done as things are; the code and the sentence say why"},
    422: {"idempotency_key_reused": "this Idempotency-Key was used before, for another request"},
    429: {"throttled": "too many requests; wait for as many seconds as `Retry-After` says"},
}

READ_ONLY: Final = {"read_only_token": USUAL[403]["read_only_token"]}

# Refusals of commands.
COMMANDS: Final[dict[int, dict[str, str]]] = {
    **USUAL,
    409: {
        "stale": "the match has gone on since; `context.head` says how far. Look again, decide again",
        "not-begun": "the dice have not been sealed yet, so nothing can be rolled or played",
        "not-your-turn": "the match waits for the other side",
        "play-after-end": "the match is over",
        "paused": "a director has stopped the match",
        "time-over": "your time had run out before this came in; the flag has fallen",
        "time-left": "the opponent has time left: on the clock, or to come back",
        "no-claim": "absence cannot be claimed in this match, or has just been",
        "not-awaited": "the match does not wait for the opponent alone, so nothing can be claimed",
        "not-away": "the opponent is at the board",
        "flag-fallen": "the time had run out; also `clock-paused`, `clock-stands`, `clock-lent`, `clock-not-lent`",
        "dice-not-ready": "somebody has yet to promise or to open",
        "dice-promised": "you have promised already",
        "dice-not-sealed": "there is nothing to open now",
        "equal-commitments": "somebody else has promised the same; also `equal-heads`",
        "two-promises": "a promise is a chain of your own or a few words, not both",
        "wrong-head": "this is not the head of the chain that was promised",
        "no-chain": "you promised no chain that a share could belong to, or have given it up",
        "share-needed": "the roll needs your share; `context.number` says of which roll",
        "share-not-due": "that roll is not among the next three; `context.next` is the next",
        "wrong-share": "this link does not lead to the last one that is known",
        "already-ready": "you are ready for the opening roll",
        "no-race": "only a race can be played out by itself: somebody may still be hit",
        "not-playing-out": "you have not agreed to play the race out",
        "playing-out": "the race is being played out; stop that first",
        "roll-pending": "a roll was asked for, and the opponent's share is awaited",
        "roll-out-of-turn": "it is not the time for this roll; also `roll-in-wrong-phase`, `out-of-turn`",
        "play-without-dice": "there is no roll to play",
        "unread-play": "the play in writing cannot be read",
        "illegal-play": (
            "the play is not legal; `context.rule` and the code say why, `context.nearest` names legal plays near "
            "it. More closely: `dice-mismatch`, `empty-source`, `blocked`, `bar-ignored`, `early-bearoff`, "
            "`wrong-bearoff`, `backwards`, `partial-play`, `smaller-die`, `cannot-move-but-could`"
        ),
        "double-out-of-turn": "a double comes before one's own roll",
        "no-cube": "this match is played without a cube (R53)",
        "double-in-crawford": "nobody doubles in the Crawford game (R51)",
        "cube-stopped": "a penalty has stopped the cube in this game (R69)",
        "double-by-nonowner": "the cube belongs to the other side (R45)",
        "dead-cube": "the cube wins the match already, and idle turns are refused here (R48)",
        "take-without-double": "there is no double; also `drop-without-double`, `beaver-without-double`",
        "no-beavers": "beavers are not played here (R47)",
        "bad-resignation": "nobody can resign that much here",
        "no-resignation": "nobody has offered to resign",
        "resignation-too-high": "so much cannot be lost any more; `context.most` says how much can (R69)",
        "highest-value": "with a clock the highest value that can still be won may not be refused (R69)",
        "offer-lapsed": "the offer to resign was not answered in time, and play went on before this came in",
        "resignation-refused": "yours was refused; play on before you offer another",
        "resignation-too-low": "a beaver waits for your answer; to drop costs more than to resign a game (R46)",
        "lost-secret": "the server cannot go on with its dice; a director must decide",
        "refused": "the match does not allow it; the sentence says why",
    },
}


class Problem(StrictFields):
    """A refusal (RFC 9457). Look at the code: it stays the same in every language."""

    type = serializers.CharField()
    status = serializers.IntegerField()
    code = serializers.CharField()
    title = serializers.CharField(help_text="A sentence for people, as `Accept-Language` asks for.")

    help = serializers.CharField(
        required=False, help_text="Where help explains it: the rule, or a section of a page."
    )

    def get_fields(self) -> dict[str, Any]:
        """Return the fields, with `context`, which is also an attribute of REST framework's serializers."""
        help_text = "The figures the sentence speaks of."
        return {**super().get_fields(), "context": serializers.DictField(required=False, help_text=help_text)}


def describe(
    name: str,
    answer: Any,
    refusals: Mapping[int, dict[str, str]] | None = None,
    *,
    tag: str,
    parameters: Sequence[OpenApiParameter] | None = None,
    request: Any = empty,
    status: int = 200,
) -> Callable[[View], View]:
    """Describe a method of a view.

    *answer* is the serializer of its success, or several by status and media type. *refusals* are the meanings
    of its error codes by status.
    """
    answers = answer if isinstance(answer, dict) else {status: answer}
    responses = answers | build_responses(refusals or {})
    return extend_schema(
        operation_id=name, parameters=parameters, request=request, responses=responses, tags=[tag]
    )


def build_responses(codes: Mapping[int, dict[str, str]]) -> dict[Any, OpenApiResponse]:
    return {
        (number, "application/problem+json"): OpenApiResponse(
            Problem,
            description="\n".join(f"- `{code}`: {meaning}" for code, meaning in meanings.items()),
            examples=[
                OpenApiExample(
                    code,
                    {
                        "type": "about:blank",
                        "status": number,
                        "code": code,
                        "title": f"{meaning[:1].upper()}{meaning[1:]}.",
                    },
                )
                for code, meaning in list(meanings.items())[:1]
            ],
        )
        for number, meanings in codes.items()
    }


def build_director_responses(refused: str) -> dict[Any, OpenApiResponse]:
    """Describe the refusals of acts for directors; *refused* is the code of those for which there is no other."""
    not_director = {"not_director": "only a director of the club may do this"}
    return build_responses({**USUAL, 403: not_director | READ_ONLY, 409: {refused: USUAL[409]["refused"]}})
