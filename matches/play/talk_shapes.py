"""OpenAPI shapes of chat, and its request bodies."""

from __future__ import annotations

from typing import Final

from rest_framework import serializers

from matches.models import Room
from matches.models.talk import LONGEST_LINE
from matches.play import problems
from matches.play.bodies import Reader
from matches.play.shapes import PersonAnswer
from runtime.http.answers import Answer, about
from runtime.http.strict_fields import StrictFields

TAG: Final = "talk"

SAY_PROBLEMS: Final = problems.build_responses(
    {
        400: problems.USUAL[400]
        | {
            "empty_line": "nothing was said",
            "hidden_characters": "it holds characters that do not show, or towers of accents",
            "too_long": f"it has more than {LONGEST_LINE} characters",
        },
        401: problems.USUAL[401],
        403: {
            "chat-off": "at this match nobody talks",
            "not-your-room": "it is not for you to talk in this room",
            "read_only_token": "the token is for reading",
        },
        404: problems.USUAL[404],
        429: {"too-much-talk": "a lot was said at once; wait for as many seconds as `Retry-After` says"},
    }
)
LINE_PROBLEMS: Final = problems.build_responses(
    {
        401: problems.USUAL[401],
        403: {"not-allowed": "only a director of the match's club may do that"},
        404: {"not_found": "there is no such line, or you may not read it"},
        409: {"own-line": "nobody reports their own line"},
        429: {"too-much-talk": "a lot was reported in an hour"},
    }
)
MUTE_PROBLEMS: Final = problems.build_responses(
    {
        400: problems.USUAL[400],
        401: problems.USUAL[401],
        404: {"not_found": "there is no such player"},
        409: {"mute-yourself": "nobody mutes themselves"},
    }
)


class LineAnswer(Answer):
    """A line of talk, as text: show it as such."""

    key: str
    room: Room
    author: PersonAnswer
    text: str = about("Empty where a director took it away.")
    at: str = about(
        source=lambda line: line.at.isoformat().replace("+00:00", "Z"),
        described=serializers.DateTimeField(),
    )
    hidden: bool = about(source=lambda line: line.hidden_at is not None)


class TalkAnswer(Answer):
    """The chat of a match, as far as you may read it: the latest 100 lines, oldest first.

    The two players write in the room `players`, spectators in `gallery`. The first is read by the two players
    and by directors only, the second also by the players once the match is over. Leave out the lines of the
    players in `muted`; the stream already does.

    New lines come over the match's `live` stream, on the topics `chat.KEY.players` and `chat.KEY.gallery`:
    `said` has a line, `hidden` the key of a removed one.
    """

    reads: list[Room]
    writes: list[Room]
    lines: list[LineAnswer]
    more: bool = about("Whether there may be earlier lines: ask with `before`.")
    muted: list[str] = about("Keys of players.")


class SayShape(StrictFields):
    """A line to say."""

    text = serializers.CharField(max_length=4 * LONGEST_LINE, trim_whitespace=False)
    key = serializers.RegexField(
        r"\A[!-~]{8,80}\Z",
        help_text="8 to 80 printable ASCII characters, fresh for each new line: sent twice, it is said once.",
    )
    room = serializers.ChoiceField(
        choices=Room.choices,
        required=False,
        default="",
        help_text="Where you may talk in both rooms; else your own.",
    )


class ReportShape(StrictFields):
    """The reason for reporting a line."""

    reason = serializers.CharField(max_length=LONGEST_LINE, required=False, default="", allow_blank=True)


class MuteShape(StrictFields):
    """The player to mute."""

    player = serializers.CharField(max_length=10, help_text="The player's key.")


SAY: Final = Reader(SayShape)
REPORT: Final = Reader(ReportShape)
MUTE: Final = Reader(MuteShape)
