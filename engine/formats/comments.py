"""Facts that a format cannot express, in comments: a sentence for people, then the fact as JSON.

``; Ann is fined 1 point. {"v": 1, "fact": "penalised", "side": "white", "points": 1}``

Other programs skip comments, with one exception: inside a game GNU Backgammon reads any line as a row. It
splits it at a second colon that follows dice and after a closing parenthesis, and recognises no word in the
rest. So the sentence has neither colons nor parentheses, and a closing parenthesis in the JSON is escaped.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from typing import Any, Final, TypeAlias, cast

from engine import actions
from engine.errors import EngineError, Unreadable
from engine.formats.json_record import rules_from_json, rules_to_json
from engine.rules import Rules
from engine.side import BySide, Side

# Rules read from a comment, by their names in our own format.
CommentRules: TypeAlias = dict[str, Any]

MARK: Final = '{"v": '
VERSION: Final = 1
# GNU Backgammon truncates lines at 1,023 bytes.
MOST_BYTES: Final = 700
AWKWARD: Final = re.compile(r"[:;(){}\[\]]")
# No format but our own can express these.
UNSPEAKABLE: Final = (
    actions.Conceded,
    actions.Flagged,
    actions.Penalised,
    actions.ReportedGame,
    actions.ReportedScore,
    actions.RuledGame,
    actions.RuledMatch,
    actions.VoidedMatch,
)
# The facts that a comment may contain; all others are expressed by the format.
READ: Final = (
    *UNSPEAKABLE,
    actions.RuledPosition,
    actions.RuledScore,
    actions.Opened,
    actions.Rolled,
    actions.Took,
    actions.ResignOffered,
    actions.ResignAccepted,
)
LEVELS: Final = ("a single game", "a gammon", "a backgammon")


def is_needed(action: actions.Action) -> bool:
    """True if the format alone would lose a relevant fact.

    A position or a score without a reason was set by the sheet itself, at the same place.
    """
    match action:
        case actions.RuledPosition(dice=dice, reason=reason):
            return dice is not None or bool(reason)
        case actions.RuledScore(reason=reason):
            return bool(reason)
        case _:
            return isinstance(action, UNSPEAKABLE)


def format_fact(action: actions.Action, names: BySide[str]) -> str:
    """Return the comment for *action*; a long reason is truncated.

    >>> format_fact(actions.Flagged(Side.BLACK), BySide("Ann", "Ben"))
    'Ben ran out of time and lost the match. {"v": 1, "fact": "flagged", "side": "black"}'
    """
    plain = actions.to_json(action)
    reason = " ".join(plain.pop("reason", "").split())
    room = MOST_BYTES - len(_dump_json(plain).encode())
    if reason and room > 0:
        # Each character is at least one byte.
        over = max(0, len(_dump_json({"reason": reason}).encode()) - room)
        plain["reason"] = reason[: max(1, len(reason) - over)]
    return f"{describe_action(action, names)} {_dump_json(plain)}"


def list_known_rules(rules: Rules) -> set[str]:
    """Return the rules that all our writers express in their formats."""
    known = {"length", "cube", "crawford", "jacoby"}
    if rules.is_match:
        known |= {"gammons", "backgammons"}
    return known | {"start"} if rules.variant in ("nackgammon", "hypergammon") else known


def format_rules(agreed: Rules, known: Collection[str]) -> str:
    """Return the comment for the rules that are not *known* from the rest of a file; "" if all are.

    >>> from engine.rules import Rules
    >>> format_rules(Rules(length=5, backgammons=False), {"length"})
    'Agreed as well. {"v": 1, "rules": {"backgammons": false}}'
    """
    extra = {name: value for name, value in rules_to_json(agreed).items() if name not in known}
    return f"Agreed as well. {_dump_json({'v': VERSION, 'rules': extra})}" if extra else ""


def read_comment(text: str) -> actions.Action | CommentRules | None:
    """Return the fact or the rules in a comment, None for a comment of another program.

    Raises Unreadable if one of our comments is damaged.

    >>> read_comment('Ann offered a draw. {"v": 1, "fact": "penalised", "side": "white", "points": 2}')
    Penalised(side=<Side.WHITE: 0>, points=2, reason='')
    """
    start = text.find(MARK)
    if start < 0:
        return None
    try:
        value: Any = json.loads(text[start:])
        if set(value) == {"v", "rules"}:
            return _read_rules(value["rules"])
        action = actions.from_json(value)
    except (ValueError, RecursionError, EngineError) as error:
        raise Unreadable("unread-line", "A comment that tells a fact is damaged.") from error
    if not isinstance(action, READ):
        raise Unreadable("unread-line", "A comment tells what belongs into the rows.")
    return action


def merge_comment_rules(agreed: Rules, comment: CommentRules) -> Rules:
    """Return *agreed* with the rules of a comment, or unchanged if the two contradict each other."""
    if not comment:
        return agreed
    try:
        return rules_from_json(rules_to_json(agreed) | comment)
    except EngineError:
        return agreed


def strip_fact(text: str) -> str:
    """Return the sentence of a comment, without its fact and its full stop."""
    return text.partition(MARK)[0].strip("; .")


def describe_action(action: actions.Action, names: BySide[str]) -> str:
    called = BySide(*(" ".join(AWKWARD.sub(" ", names[side]).split()) or side.word.title() for side in Side))
    match action:
        case actions.Opened(white=white, black=black):
            return f"{called[Side.WHITE if white > black else Side.BLACK]} had rolled {white}-{black}."
        case actions.Rolled(side=side, dice=dice):
            return f"{called[side]} had rolled {dice.high}-{dice.low}."
        case actions.ResignOffered(side=side, level=level):
            return f"{called[side]} offered to lose {LEVELS[min(level, len(LEVELS)) - 1]}."
        case actions.RuledPosition(turn=turn, dice=dice):
            return f"The position was set, {called[turn]} to {f'play {dice.high}-{dice.low}' if dice else 'roll'}."
        case actions.ReportedScore(score=score) | actions.RuledScore(score=score):
            return f"The score was set to {score.white}-{score.black}."
        case _:
            return _describe_other_action(action, called)


def _describe_other_action(action: actions.Action, called: BySide[str]) -> str:
    match action:
        case actions.ResignAccepted(side=side) | actions.Took(side=side):
            return f"{called[side]} accepted."
        case actions.Conceded(side=side):
            return f"{called[side]} gave up the match."
        case actions.Flagged(side=side, points=points):
            cost = "and lost the match" if points is None else f"and pays {format_points(points)}"
            return f"{called[side]} ran out of time {cost}."
        case actions.Penalised(side=side, points=points):
            verb = "is fined" if points > 0 else "is forgiven"
            return f"{called[side]} {verb} {format_points(abs(points))}."
        case (
            actions.ReportedGame(winner=winner, points=points)
            | actions.RuledGame(winner=winner, points=points)
        ):
            return f"{called[winner]} was given the game and {format_points(points)}."
        case actions.RuledMatch(winner=winner):
            return f"{called[winner]} was given the match."
        case _:
            return "The match does not count."


def format_points(points: int) -> str:
    return "1 point" if points == 1 else f"{points} points"


def _dump_json(plain: Mapping[str, Any]) -> str:
    return json.dumps(plain, ensure_ascii=False).replace(")", "\\u0029")


def _read_rules(found: object) -> CommentRules:
    found_rules = cast("CommentRules", found)
    if not isinstance(found, dict) or "length" in found_rules:
        raise Unreadable("unread-line", "A comment that tells the rules is damaged.")
    for length in (0, 5):
        try:
            rules_from_json({"length": length} | found_rules)
        except EngineError:
            continue
        return found_rules
    raise Unreadable("unread-line", "A comment that tells the rules tells none that are known here.")
