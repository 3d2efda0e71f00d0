"""The cost of each kind of request, and the bounds of inputs whose declaration says none.

Forms and serializers declare their own bounds: `max_length`, `max_value`, `max_digits`, choices. All others
are here. `tests/test_bounds.py` checks all routes, forms, bodies and parameters, and fails for one without a
bound. The tables of docs/operations.md are generated from this module.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from config.front.limits import BODY_LIMITS


@dataclass(frozen=True, slots=True)
class Cost:
    """A kind of request: *work* is the maximum cost of one."""

    name: str
    # Matches routes as in `urls.py`; the first match counts.
    pattern: re.Pattern[str]
    work: str
    payer: str
    refusal: str


FILES: Final = "|".join(each.pattern.pattern for each in BODY_LIMITS if each.takes_files)
CONNECTIONS: Final = "the address: connections, one request at a time on each"

COSTS: Final = (
    Cost(
        "machine", re.compile(r"^(healthz|readyz|metrics)$"),
        "no session; at most some counts in the database", CONNECTIONS, "503",
    ),
    Cost(
        "back office", re.compile(r"^admin/"),
        "a page of one hundred rows", "staff alone", "403",
    ),
    Cost(
        "file sent", re.compile(FILES),
        "decoded in a child process with limits of CPU and memory, or judged later by a worker; its own limit of bytes",
        "the person, the club or the match: numbers of files and bytes kept", "413, 422, 429",
    ),
    Cost(
        "file made", re.compile(r"\.(csv|json|mat|sgf|txt|trf|xlsx|ods|ics|xml|pdf|jpg|png|<slug:name>)/?$|/(export|papers|file)/"),
        "an event, a match or a list, written once", "the API's rates; pages: the address", "429, 503",
    ),
    Cost(
        "code", re.compile(r"^(m|api/v1/codes)/"),
        "one match, found by its code; no account", "the code and the address", "404, 409, 410, 429",
    ),
    Cost(
        "program", re.compile(r"^api/"),
        "JSON of at most 20,000 values, 32 deep, integers of 64 bits; an answer of at most 200 rows a page",
        "120 requests a minute for an address, 600 for an account", "400, 413, 429",
    ),
    Cost(
        "account", re.compile(r"^accounts/"),
        "one hash of a password", "the address, the network and the account (`players/access/attempts.py`)", "429",
    ),
    Cost(
        "page", re.compile(r""),
        "a page, and with a form one change in the database", CONNECTIONS, "413, 422, 503",
    ),
)  # fmt: skip


def cost_of(route: str) -> Cost:
    return next(cost for cost in COSTS if cost.pattern.search(route))


WORD: Final = "one of the words that are known; any other is ignored or refused"
FIGURE: Final = "figures, counted before they are read as a number"
LOOKED_UP: Final = "looked up as it is; no longer than the head or the body of its request"
CUT: Final = "cut or refused by the service that keeps it"
PRESENT: Final = "only whether it is there"
FILE: Final = "the bytes of its route; counted again by what decodes it"

# Names that views read from a request without a form or a serializer, by their bound.
_READ_BY_HAND: Final = {
    "GET": {
        WORD: "active as blank by exercise past period shows state template theme when list show",
        FIGURE: "at before follow length match_length page rounds stage",
        LOOKED_UP: "after club event find like match of opponent play players position roll secret q unsent",
        PRESENT: "guide change choose few pasted toast",
    },
    "COOKIES": {WORD: "theme"},
    "query_params": {
        WORD: "due show state status",
        FIGURE: "after page stage",
        LOOKED_UP: "before club play player position roll",
    },
    "FILES": {FILE: "files logo photos"},
    "POST": {
        WORD: (
            "act again answer choice decision do each expects from goal hard here join language late latest level pace public "
            "release renew reported request template then undo when white winner"
        ),
        FIGURE: "at buyer claim entrant entry length limit line number percent player reduced ruling score stage start version",
        LOOKED_UP: (
            "as_written auth back club delete endpoint event exchange follow helper instead key last mark match members next "
            "players position prizes saw say seen shown table time said"
        ),
        CUT: "look name note place reason text why words",
        PRESENT: "choose everybody everyone find guide publish remove sure whole",
    },
}
READ_BY_HAND: Final = {
    source: {name: bound for bound, names in found.items() for name in names.split()}
    for source, found in _READ_BY_HAND.items()
}

# API fields without a declared bound, and the code that bounds them, by the end of their name.
COMPARED: Final = "compared with what stands; nothing is built of it"
PLAN: Final = "the plan's own check (`draw.stages`), when it is sent and when it is drawn"
LIST: Final = "the list's own `max_length`, which the OpenAPI document does not show"
FOUND: Final = "looked up among the rows of the event, the club or the season"
API_ELSEWHERE: Final = {
    "/codes/{code}/ .player": FOUND,
    "/codes/{code}/ .winner": FOUND,
    ".score[]": "the length of the match",
    ".photo": FILE,
    ".files": FILE,
    ".files[]": FILE,
    "/records/ .text": "the 8 MiB of its route; the reader's own limits of lines and games",
    ".number": COMPARED,
    ".version": COMPARED,
    ".at": COMPARED,
    ".seen": COMPARED,
    ".options.consolation": PLAN,
    ".options.last_chance": PLAN,
    ".options.sides": PLAN,
    ".options.sides[]": PLAN,
    ".options.mcmahon": PLAN,
    ".options.mcmahon[]": PLAN,
    ".options.bye_points": PLAN,
    ".options.placed": PLAN,
    ".options.placed[]": PLAN,
    ".options.ties": PLAN,
    ".takes[].first": PLAN,
    ".takes[].last": PLAN,
    ".settings.lateness[][]": PLAN,
    ".play.best_of": PLAN,
    ".play.flag_points": PLAN,
    ".expects.people": COMPARED,
    ".places": COMPARED,
    ".lines[]": FOUND,
    ".breaks": LIST,
    ".first": "compared with places",
    ".prizes": "the terms' own check (`money.terms.terms`)",
    ".steps": LIST,
    ".reduced": LIST,
    ".shares": LIST,
    ".shares[].amount": "the ledger's own check",
    "/lessons/ .limit": COMPARED,
    ".cube.value": "a power of two, as the rules have it",
    ".params": "the parameters that the formula knows, each with its least and most",
    ".ratings": LIST,
    ".matches": LIST,
    ".divisions": LIST,
    ".divisions[].was": FOUND,
    ".players": LIST,
    ".players[].was": FOUND,
    ".overrules": LIST,
}
QUERY: Final = "the head of the request; its view as in the list of names that are read by hand"


def reason_of(name: str) -> str:
    """Return the bound of an API field that declares none itself, or "" if it is not listed."""
    if "?" in name:
        return QUERY
    return next((bound for end, bound in API_ELSEWHERE.items() if name.endswith(end)), "")


# The tables of docs/operations.md


def lines_of_costs() -> list[str]:
    return [f"| {cost.name} | {cost.work} | {cost.payer} | {cost.refusal} |" for cost in COSTS]


INPUTS: Final = {
    "a text of a form": "its `max_length`; 1,000 letters for a password or a code as it is typed",
    "a number of a form": "its least and most, a decimal its figures",
    "a day or a time": "years 1 to 9999",
    "a choice": "what there is to choose",
    "a field of the API": "its own bound in the OpenAPI document, or one of `tests/bounds.py`",
    "any JSON": "20,000 values, 32 deep, integers of 64 bits, finite numbers, texts without NUL",
    "a parameter of an address": "32 KiB with the rest of the head; " + LOOKED_UP,
    "a file": FILE,
}


def lines_of_inputs() -> list[str]:
    return [f"| {kind} | {bound} |" for kind, bound in INPUTS.items()]
