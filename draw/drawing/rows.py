"""A match as a row of a list. A page can have hundreds, so they are rendered here instead of by templates."""

from __future__ import annotations

from dataclasses import dataclass, replace
from html import escape

from draw.drawing.layout import BoxRow


@dataclass(frozen=True, slots=True)
class RowLabels:
    live: str
    bye: str
    against: str
    watch: str
    games: str
    adjourned: str = ""


@dataclass(frozen=True, slots=True)
class GameRow:
    number: int
    winner: str
    how: str
    points: int
    score: str


@dataclass(frozen=True, slots=True)
class Row:
    """A match: players, table, label, and link to its board."""

    a: BoxRow
    b: BoxRow
    state: str
    table: str
    label: str
    board: str
    games: tuple[GameRow, ...] = ()
    # One of the players is being followed.
    is_lit: bool = False


def render_row(row: Row, words: RowLabels) -> str:
    """Render the row as HTML. In a bye, the player comes first."""
    if row.state == "bye" and not row.a.number:
        row = replace(row, a=row.b, b=row.a)
    at = f'<span class="badge">{escape(row.table)}</span>' if row.table else ""
    if row.state == "live":
        at += (
            '<span class="badge badge--live"><span class="live-dot" aria-hidden="true"></span>'
            f"{escape(words.live)}</span>"
        )
    dash, classes, hidden = "", "", ' aria-hidden="true"'
    if is_one_word(row.a, row.b):
        dash, classes, hidden = escape(row.a.score), " match--one-word", ""
    elif row.a.score and row.b.score:
        dash = "\u2013"
    elif row.state not in {"decided", "bye"}:
        dash = f'<span class="match__versus">{escape(words.against)}</span>'
    if row.is_lit:
        classes += " is-lit"
    return (
        f'<li class="match match--{row.state}{classes}"><span class="match__at">{at}</span>'
        f"{_render_player(row.a, 'a', words, row.state)}{_render_score(row.a, 'sa')}"
        f'<span class="match__dash"{hidden}>{dash}</span>{_render_score(row.b, "sb")}'
        f"{_render_player(row.b, 'b', words, row.state)}"
        f"{_render_note(row, words)}{_render_games(row, words)}</li>"
    )


def is_one_word(a: BoxRow, b: BoxRow) -> bool:
    """True if both sides show the same word instead of a score, such as "void"."""
    return bool(a.score) and a.score == b.score and not a.score.isdigit()


def _render_games(row: Row, words: RowLabels) -> str:
    if not row.games:
        return ""
    list_items = "".join(
        f'<li><span class="told__who">{escape(game.winner)}</span>'
        f'<span class="told__how">{escape(game.how)}</span>'
        f'<span class="told__points num">+{game.points}</span>'
        f'<span class="told__score num">{escape(game.score)}</span></li>'
        for game in row.games
    )
    return (
        f'<details class="match__games"><summary class="small">{escape(words.games)}</summary>'
        f'<ol class="told">{list_items}</ol></details>'
    )


def _render_note(row: Row, words: RowLabels) -> str:
    if not row.label and not row.board:
        return ""
    text = escape(row.label) or escape(words.watch)
    if row.board:
        also = f'<span class="visually-hidden">, {escape(words.watch)}</span>' if row.label else ""
        text = f'<a href="{escape(row.board)}">{text}{also}</a>'
    return f'<span class="match__note small muted">{text}</span>'


def _render_player(side: BoxRow, name: str, words: RowLabels, state: str) -> str:
    if not side.number:
        hint = words.bye if state == "bye" else side.hint or "\u2013"
        return f'<span class="match__{name}"><span class="match__hint">{escape(hint)}</span></span>'
    return f'<span class="match__{name}{_get_class(side)}"><a href="{escape(side.href)}">{escape(side.name)}</a></span>'


def _render_score(side: BoxRow, name: str) -> str:
    return f'<span class="match__{name} num{_get_class(side)}">{escape(side.score)}</span>'


def _get_class(side: BoxRow) -> str:
    return " is-winner" if side.is_winner else " is-loser" if side.is_out else ""
