"""Small events of rounds in short form: "A>B" A beat B, "A=B" drawn, "A+B" B did not appear, "A-B" neither did."""

from __future__ import annotations

import re
from fractions import Fraction

from draw.event import (
    Bye,
    Entrant,
    EntrantId,
    Field,
    Key,
    Kind,
    Pairing,
    Proposal,
    Result,
    Round,
    Stage,
)
from draw.formats import FORMATS
from draw.options import Options, Value
from draw.random_stream import RandomStream
from tests.tournaments import oracle

SIGNS = {">": Kind.PLAYED, "=": Kind.DRAWN, "+": Kind.NO_SHOW, "-": Kind.DOUBLE_FORFEIT, "w": Kind.WALKOVER}


def ids(names: str) -> tuple[EntrantId, ...]:
    return tuple(EntrantId(name) for name in names.split())


def entrants(names: str, **more) -> tuple[Entrant, ...]:
    return tuple(Entrant(name, rating=2000 - place, **more) for place, name in enumerate(ids(names)))


def pairing(text: str, key: str) -> Pairing:
    a, sign, b = re.fullmatch(r"(\w+?)([>=+\-?])(\w+)", text).groups()
    result = None
    if sign != "?":
        result = Result(SIGNS[sign], EntrantId(a) if sign in ">+" else None)
    return Pairing(Key(key), EntrantId(a), EntrantId(b), result)


def rounds(*texts: str) -> tuple[Round, ...]:
    """Parse rounds: "A>B C>D E" is two matches and a bye."""
    found = []
    for number, text in enumerate(texts, 1):
        words = text.split()
        found.append(
            Round(
                number,
                tuple(
                    pairing(word, f"r{number}.{table}")
                    for table, word in enumerate((w for w in words if len(re.findall(r"[>=+\-?]", w))), 1)
                ),
                tuple(Bye(EntrantId(word)) for word in words if not re.findall(r"[>=+\-?]", word)),
            )
        )
    return tuple(found)


def field(
    format_: str, players: tuple[Entrant, ...], made: tuple[Round, ...] = (), seed: str = "1", **more
) -> Field:
    options: dict[str, Value] = more.pop("options", {})
    return Field(Stage("main", format_, Options.from_values(**options)), players, seed, made, **more)


def propose(what: Field) -> Proposal:
    found = FORMATS[what.stage.format]
    what.options.check(found.options)
    return found.propose(what, RandomStream(what.seed).child(what.stage.name))


def pairs(proposal: Proposal) -> str:
    return " ".join(f"{a}-{b}" for a, b in proposal.pairs)


def byes(proposal: Proposal) -> str:
    return " ".join(bye.entrant for bye in proposal.byes)


def oracle_field(report: oracle.Report, number: int, **options: Value) -> Field:
    """The field before a round of a published tournament."""
    made = []
    for batch in report.rounds[: number - 1]:
        pairings = []
        for table, row in enumerate(batch["results"], 1):
            a, b = EntrantId(str(row["a"])), EntrantId(str(row["b"]))
            winner = {"1": a, "+": a, "0": b, "-": b}[row["a_res"]]
            kind = Kind.NO_SHOW if row["a_res"] in "+-" else Kind.PLAYED
            pairings.append(Pairing(Key(f"r{batch['round']}.{table}"), a, b, Result(kind, winner)))
        given = tuple(Bye(EntrantId(str(one))) for one in batch["bye"])
        made.append(Round(batch["round"], tuple(pairings), given))
    now = report.rounds[number - 1]
    return field(
        "swiss",
        tuple(Entrant(EntrantId(str(one)), rating) for one, rating in report.rating.items()),
        tuple(made),
        options={"rounds": len(report.rounds), **options},
        absent=frozenset(EntrantId(str(one["id"])) for one in now["absent"]),
        scores={EntrantId(one): Fraction(points) for one, points in now["scores_before"].items()},
    )
