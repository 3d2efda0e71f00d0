"""The guards in the product's code, found by syntax: permissions, version checks, locks, idempotency keys.

`Marker` wraps each in a call of `tests.mutants`, so that one can be switched off while the program runs. If
many functions share a guard, the guard and each use of it count separately.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent
NAMES: Final = Path(__file__).with_name("code_guards.txt")
# As in .importlinter, without the libraries.
PACKAGES: Final = (
    "config", "rankings", "venue", "records", "money", "opinion", "help", "careers", "fixtures", "tournaments",
    "matches", "players", "runtime",
)  # fmt: skip
PERMISSION, VERSION, LOCK, KEY = "permission", "version", "lock", "key"

# What an `if` raises or returns that is a guard.
REFUSALS: Final = {
    **dict.fromkeys(
        (
            "PermissionDenied", "NotAuthenticated", "AuthenticationFailed", "NotDirector", "NotAllowed", "NotHelper",
            "NotAPlayer", "NotAMember", "NotAMemberHere", "NotYours", "NotKeeper", "NotOperator", "NotYourFriendly",
            "NotYourAnswer", "NotYourPhoto", "OtherClub", "WhoAreYou", "redirect_to_login",
        ),
        PERMISSION,
    ),
    **dict.fromkeys(
        (
            "ChangedMeanwhile", "Stale", "OtherVersion", "StandingChanged", "DueChanged", "ClockMoved", "OtherGame",
            "OtherMatch", "PolicyChanged", "_build_moved_error",
        ),
        VERSION,
    ),
    "KeyReused": KEY,
}  # fmt: skip
# Other conditions of an `if`.
CONDITIONS: Final = (
    (re.compile(r"is_reachable\(|may_know\(|compare_digest\("), PERMISSION),
    (re.compile(r"\.(version|stamp)\b.* != "), VERSION),
    (
        re.compile(
            r"find_earlier_command\(|_is_repeated\(|len\(key\)|posted is not None$|not cursor\.rowcount"
        ),
        KEY,
    ),
)
# Functions that return whether a user may do something.
ANSWERS: Final = frozenset({
    "is_reachable", "may_know", "may_request", "_may_act", "directs", "_is_director", "_is_visible", "is_insider",
    "may_rule", "has_visible_match",
})  # fmt: skip
DECORATORS: Final = re.compile(r"\b(require_director|require_permission|require_helper|\w+_required)\b")
HELPERS: Final = {
    PERMISSION: re.compile(r"_?(require|lock)_(?!user$)\w+"),
    VERSION: re.compile(r"_?(require|run_if)_\w+"),
    LOCK: re.compile(r"_?lock(_\w+)?"),
    KEY: re.compile(r"run_once"),
}
Function = ast.FunctionDef | ast.AsyncFunctionDef


def list_modules() -> Iterator[tuple[str, Path]]:
    """Yield the modules that can contain guards."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            if not {"migrations", "management"}.intersection(parts):
                yield ".".join(parts).removesuffix(".__init__"), path


@cache
def find_helpers() -> dict[str, frozenset[str]]:
    """Return, by kind, the names of functions that are a guard because they contain or call one."""
    functions = [
        node
        for _name, path in list_modules()
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, Function)
    ]
    return {kind: frozenset(_close(kind, functions)) for kind in HELPERS}


def _close(kind: str, functions: list[Function]) -> set[str]:
    found: set[str] = set()
    while True:
        marker = Marker("", {kind: frozenset(found)})
        more = {
            node.name
            for node in functions
            if node.name not in found and HELPERS[kind].fullmatch(node.name) and marker.contains(kind, node)
        }
        if not more:
            return found
        found |= more


def list_guards() -> list[str]:
    found: list[str] = []
    for name, path in list_modules():
        marker = Marker(name)
        marker.visit(ast.parse(path.read_text()))
        found += marker.names
    return found


def read_table() -> dict[str, str]:
    """Return the names of all guards; with a reason where no test notices that one is missing."""
    lines = (line.partition("#") for line in NAMES.read_text().splitlines())
    return {name.strip(): why.strip() for name, _, why in lines}


class Marker(ast.NodeTransformer):
    """Wraps the guards of a module; `names` are "KIND MODULE FUNCTION WHAT"."""

    def __init__(self, module: str, helpers: dict[str, frozenset[str]] | None = None) -> None:
        self.module = module
        self.helpers = find_helpers() if helpers is None else helpers
        self.names: list[str] = []
        self._scope: list[str] = []

    def contains(self, kind: str, node: Function) -> bool:
        """True if a function contains a guard of this kind."""
        self.names = []
        for child in ast.parse(ast.unparse(node)).body[0].body:  # type: ignore[attr-defined]
            self.visit(child)
        return any(name.startswith(f"{kind} ") for name in self.names)

    def _name(self, kind: str, what: str) -> ast.Constant:
        where = ".".join(self._scope) or "module"
        name = base = f"{kind} {self.module} {where} {what}"
        number = 1
        while name in self.names:
            number += 1
            name = f"{base} {number}"
        self.names.append(name)
        return ast.Constant(name)

    def wrap(self, function: str, kind: str, what: str, node: ast.expr) -> ast.expr:
        made = ast.Call(ast.Name(f"__{function}__", ast.Load()), [self._name(kind, what), node], [])
        return ast.fix_missing_locations(ast.copy_location(made, node))

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        self._scope.append(node.name)
        self.generic_visit(node)
        self._scope.pop()
        return node

    def visit_FunctionDef(self, node: Function) -> ast.AST:
        self._scope.append(node.name)
        decorators, node.decorator_list = node.decorator_list, []
        self.generic_visit(node)
        for decorator in decorators:
            if found := DECORATORS.search(ast.unparse(decorator)):
                decorator = self.wrap("decorated", PERMISSION, f"@{found[1]}", decorator)
            else:
                self.visit(decorator)
            node.decorator_list.append(decorator)
        self._scope.pop()
        return node

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815

    def visit_Return(self, node: ast.Return) -> ast.AST:
        if node.value is not None and self._scope[-1:] and self._scope[-1] in ANSWERS:
            node.value = self.wrap("allowed", PERMISSION, "answer", node.value)
            return node
        return self.generic_visit(node)

    def visit_If(self, node: ast.If) -> ast.AST:
        text, count = ast.unparse(node.test), len(self.names)
        node.test = self.visit(node.test)
        node.test = _Updates(self).visit(node.test)
        kind, what = _classify(node, text)
        if kind and len(self.names) == count:
            node.test = self.wrap("refused", kind, what, node.test)
        node.body = [self.visit(each) for each in node.body]
        node.orelse = [self.visit(each) for each in node.orelse]
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        self.generic_visit(node)
        if "refuse_helper" in ast.unparse(node.orelse):
            node.test = self.wrap("allowed", PERMISSION, "refuse_helper", node.test)
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        self.generic_visit(node)
        if ast.unparse(node.targets[0]) == "permission_classes" and _is_restricting(node.value):
            node.value = self.wrap("classes", PERMISSION, "permission_classes", node.value)
        return node

    def visit_keyword(self, node: ast.keyword) -> ast.AST:
        self.generic_visit(node)
        if node.arg == "permission_classes" and _is_restricting(node.value):
            node.value = self.wrap("classes", PERMISSION, "permission_classes", node.value)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        if node.attr in {"is_superuser", "is_staff"} and isinstance(node.ctx, ast.Load):
            return self.wrap("allowed", PERMISSION, node.attr, node)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        function = node.func
        name = getattr(function, "attr", getattr(function, "id", ""))
        if name == "has_perm":
            return self.wrap("allowed", PERMISSION, "has_perm", node)
        if name == "select_for_update" and isinstance(function, ast.Attribute):
            function.value = self.wrap("unlocked", LOCK, name, function.value)
        if name == "flock" and "LOCK_EX" in ast.unparse(node):
            node.func = self.wrap("skipped", LOCK, name, function)
        for kind, helpers in self.helpers.items():
            if name in helpers and self._scope:
                node.func = self.wrap("used", kind, name, node.func)
        return node


class _Updates(ast.NodeTransformer):
    """Wraps the updates in a condition: a compare-and-set that found its row."""

    def __init__(self, marker: Marker) -> None:
        self._marker = marker

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if isinstance(node.func, ast.Attribute) and node.func.attr == "update":
            return self._marker.wrap("allowed", VERSION, "update", node)
        return self.generic_visit(node)


def _classify(node: ast.If, text: str) -> tuple[str, str]:
    """Return the kind of a guard and its refusal, ("", "") for any other `if`."""
    last = node.body[-1]
    found = last.exc if isinstance(last, ast.Raise) else last.value if isinstance(last, ast.Return) else None
    function = found.func if isinstance(found, ast.Call) else found
    refusal = getattr(function, "attr", getattr(function, "id", ""))
    # Without what was not found there is nothing to be allowed.
    if refusal in REFUSALS and not re.fullmatch(r"[\w.()]+ is None", text):
        return REFUSALS[refusal], refusal
    if isinstance(last, ast.Raise | ast.Return):
        for condition, kind in CONDITIONS:
            if condition.search(text):
                return kind, refusal or "return"
    return "", ""


def _is_restricting(classes: ast.expr) -> bool:
    return "IsAuthenticated" in ast.unparse(classes)
