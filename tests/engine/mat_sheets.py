"""Small score sheets written for these tests, and short descriptions of what a reader parsed from them."""

from __future__ import annotations

from engine.formats import mat
from engine.sheet import Claim, CubeClaim, PositionClaim, ResignClaim, Sheet, Turn, WinClaim

HEAD = " 5 point match\n\n Game 1\n Ann : 0                        Ben : 0\n"


def read(*rows: str, head: str = HEAD) -> Sheet:
    """Return the one match that these rows below *head* are."""
    (sheet,) = mat.parse((head + "\n".join(rows) + "\n").encode())
    return sheet


def list_claims(*rows: str, head: str = HEAD) -> list[str]:
    """Return the claims of the first game, a word each: ``W 31: 8/5 6/5``, ``B doubles 2``, ``W wins 1``."""
    return [word(claim) for claim in read(*rows, head=head).games[0].claims]


def codes(*rows: str, head: str = HEAD) -> list[str]:
    """Return the codes of what the reader remarked."""
    return [remark.code for remark in read(*rows, head=head).remarks]


def word(claim: Claim) -> str:
    """Return one claim as a few words."""
    side = "WB-"[2 if (isinstance(claim, PositionClaim) or claim.side is None) else claim.side]
    match claim:
        case Turn():
            dice = f"{claim.dice[0]}{claim.dice[1]}" if claim.dice else "none"
            hops = " ".join("/".join(map(str, hop.points)) for hop in claim.hops)
            return f"{side} {dice} {hops or claim.kind}"
        case CubeClaim():
            return " ".join([side, claim.word, *([str(claim.value)] if claim.value else [])])
        case ResignClaim():
            level = f" {claim.level}" if claim.level else ""
            return f"{side} resigns{level}{' match' * claim.match}"
        case WinClaim():
            return f"{side} wins {claim.points}{' match' * claim.match}"
        case PositionClaim():
            turn = "WB-"[2 if claim.turn is None else claim.turn]
            return f"set {turn} {claim.board.text()}"
