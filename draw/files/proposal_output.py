"""A proposal as JSON (P40)."""

from __future__ import annotations

from dataclasses import asdict
from fractions import Fraction

from draw.event import Event, Figure, Place, Proposal, Ranked, Seat
from draw.files.event_input import WrittenIds
from draw.formats import format_reason
from draw.options import BadOption
from draw.stages import get_format

Json = dict[str, object]


def write_proposal(proposal: Proposal, names: WrittenIds) -> Json:
    """Serialize the matches to be played now, the byes, and the reasons by key or entrant."""
    called = {str(name): str(written) for name, written in names.written.items()}
    why: dict[str, list[Json]] = {}
    for reason in proposal.why:
        figures = {name: convert_figure(figure) for name, figure in reason.figures}
        data: Json = {"code": reason.code, "figures": figures, "text": format_reason(reason, called)}
        why.setdefault(reason.about or "event", []).append(data)
    return {
        "pairs": [[names.written[a], names.written[b]] for a, b in proposal.pairs],
        "bye": [names.written[bye.entrant] for bye in proposal.byes],
        "why": why,
    }


def write_full_proposal(event: Event, proposal: Proposal, names: WrittenIds) -> Json:
    """Serialize the proposal with every place, the order, and stale records."""
    return write_proposal(proposal, names) | {
        "finished": proposal.finished,
        "places": [_write_place(place, names) for place in proposal.places],
        "ranking": [_write_ranked(ranked, names) for ranked in proposal.ranking],
        "stale": [
            {
                "key": stale.pairing.key,
                "a": names.written[stale.pairing.a],
                "b": names.written[stale.pairing.b],
                "now": [names.written[one] for one in stale.now],
            }
            for stale in proposal.stale
        ],
        "entrants": len(event.entrants),
    }


def write_round_plans(event: Event) -> list[Json]:
    """Serialize the planned rounds of the first stage.

    :raises BadOption: its format cannot plan its rounds.
    """
    stage = event.stages[0]
    preview = get_format(stage).preview
    if preview is None:
        raise BadOption("format", f"{stage.format} has no structure to be seen beforehand")
    return [asdict(plan) for plan in preview(stage.options, len(event.entrants))]


def convert_figure(figure: Figure) -> object:
    """Convert a fraction to a JSON number; return other figures unchanged."""
    if isinstance(figure, Fraction):
        return int(figure) if figure.denominator == 1 else float(figure)
    return figure


def _write_place(place: Place, names: WrittenIds) -> Json:
    return {
        "key": place.key,
        "stage": place.stage,
        "bracket": place.bracket,
        "round": place.round,
        "number": place.number,
        "state": place.state.value,
        "a": _write_seat(place.a, names),
        "b": _write_seat(place.b, names),
        "winner": None if place.winner is None else names.written[place.winner],
        "result": place.result and {"kind": place.result.kind.value, "score": place.result.score},
        "length": place.rules.length,
    }


def _write_seat(seat: Seat, names: WrittenIds) -> Json:
    return {
        "entrant": None if seat.entrant is None else names.written[seat.entrant],
        "from": seat.origin.value,
        "key": seat.key,
        "number": seat.number,
    }


def _write_ranked(ranked: Ranked, names: WrittenIds) -> Json:
    return {
        "entrant": names.written[ranked.entrant],
        "rank": ranked.rank,
        "shared": ranked.shared,
        "open": ranked.is_open,
        "group": ranked.group,
        "figures": {name: convert_figure(figure) for name, figure in ranked.figures},
    }
