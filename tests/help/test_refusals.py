"""Every refusal a player can meet is explained somewhere in help."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules

import pytest
from django.apps import apps
from django.conf import settings
from django.forms import Form
from django.test import Client
from django.utils import timezone

from engine.finding_codes import CODES
from help import refusals
from matches.play.play_parsing import SENTENCES
from matches.play.problems import COMMANDS
from runtime.refusals import ANCHORS, Refusal, build_form_error
from tests.world import World
from tournaments.base.errors import AlreadyDrawn

# What refuses at a board, and where: the first argument of these calls is the code, of the others the one called so.
FIRST = {"IllegalAction", "Fault", "_why"}
NAMED = {"Refused", "NotAllowed", "MatchError", "BadTerms"}
WHERE = ("engine/*.py", *(f"matches/{one}/*.py" for one in ("state", "journal", "play", "bots", "lobby")))
QUOTED = re.compile(r"`([a-z]+(?:-[a-z]+)+)`")


def raised() -> Iterator[str]:
    """Yield every code that the engine or a match refuses with."""
    for pattern in WHERE:
        for path in Path(settings.BASE_DIR).glob(pattern):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Call):
                    yield from _of_call(node)
    tree = ast.parse((Path(settings.BASE_DIR) / "matches/state/errors.py").read_text())
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "code":
            yield ast.literal_eval(node.value)


def _of_call(node: ast.Call) -> Iterator[str]:
    name = ast.unparse(node.func)
    first = node.args[:1] if name in FIRST else []
    named = [each.value for each in node.keywords if each.arg == "code"] if name in NAMED else []
    for value in (*first, *named):
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            yield value.value


def of_packages() -> set[str]:
    """Return the code of every refusal that a package above the board says, from the classes themselves."""
    for app in apps.get_app_configs():
        for name in ("errors", "services"):
            if (found := find_spec(f"{app.name}.{name}")) is not None:
                import_module(found.name)
                for inner in iter_modules(found.submodule_search_locations or ()):
                    import_module(f"{found.name}.{inner.name}")
    # Refusals that tests define are not shown to users.
    return {one.code for one in list_refusals() if not one.__module__.startswith("tests.")}


def list_refusals() -> list[type[Refusal]]:
    found = Refusal.__subclasses__()
    for one in found:
        found += one.__subclasses__()
    return found


def codes() -> set[str]:
    told = COMMANDS[409]
    described = set(told) | {code for meaning in told.values() for code in QUOTED.findall(meaning)}
    return {*raised(), *described, *CODES, *SENTENCES, *of_packages()}


@pytest.mark.long
def test_the_codes_are_found() -> None:
    assert {
        "blocked",
        "no-cube",
        "double-in-crawford",
        "stale",
        "time-over",
        "wrong-share",
        "score-jump",
        "event_full",
        "sole_owner",
        "bad_sheet",
        "not_your_sheet",
        "terms_fixed",
        "table_taken",
    } <= codes()


@pytest.mark.django_db
def test_every_code_is_explained_where_there_is_such_a_section(client: Client) -> None:
    texts: dict[str, str] = {}
    lost = []
    for code in sorted(codes()):
        path, _mark, anchor = refusals.find_address(code).partition("#")
        if path and path not in texts:
            texts[path] = client.get(path).text
        if f'id="{anchor}"' not in texts.get(path, ""):
            lost.append(code)

    assert lost == []


@pytest.mark.long
@pytest.mark.share
def test_no_section_explains_a_code_that_nobody_meets() -> None:
    assert {code for told in refusals.SECTIONS.values() for code in told} <= codes()


def test_refusals_with_the_same_code_lead_to_the_same_section() -> None:
    of_packages()

    assert [one for one in list_refusals() if one.anchor not in ("", ANCHORS.get(one.code))] == []


@pytest.mark.parametrize(
    ("code", "rule", "address"),
    [
        ("smaller-die", "R21", "/help/rules/#R21"),
        ("bad-play", "R12-R38", "/help/rules/#R12"),
        ("smaller-die", "", "/help/rules/#R21"),
        ("paused", "", "/help/directors/#rulings"),
        ("event_full", "", "/help/night/#entering"),
        ("nobody-knows", "", ""),
    ],
)
def test_the_rule_that_is_cited_comes_first(code: str, rule: str, address: str) -> None:
    assert refusals.find_address(code, rule) == address


@pytest.mark.long
@pytest.mark.django_db
def test_a_refused_act_on_an_event_leads_to_help(client: Client) -> None:
    world = World(timezone.now())
    client.force_login(world.users["owner"])

    said = client.post(f"/events/{world.events['running'].key}/start/", follow=True).text

    assert 'href="/help/running/#' in said


def test_a_refusal_in_a_form_leads_to_help() -> None:
    form = Form({})
    form.add_error(None, build_form_error(AlreadyDrawn()))

    assert '<a href="/help/running/#draw" target="_blank">Why?</a>' in str(form.non_field_errors())
