"""Lists all inputs of the product: fields of forms and API bodies, and names read from requests."""

from __future__ import annotations

import ast
import importlib
import pkgutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from django import forms
from django.urls import URLPattern, URLResolver, get_resolver
from drf_spectacular.generators import SchemaGenerator

from tournaments.plan.settings_forms import SettingsForm

ROOT: Final = Path(__file__).resolve().parent.parent
PACKAGES: Final = (
    "config", "runtime", "players", "matches", "tournaments", "fixtures", "careers", "rankings", "venue", "records", "money", "opinion", "help",
)  # fmt: skip
# Attributes of requests that views read without a form or a serializer.
READERS: Final = {"GET", "POST", "FILES", "query_params", "COOKIES"}
METHODS: Final = {"get", "getlist"}


class ByHand(NamedTuple):
    """A name that a module reads from a request directly."""

    source: str
    name: str
    module: str


class FormField(NamedTuple):
    form: str
    name: str
    field: forms.Field
    of: type[forms.BaseForm]


@cache
def modules() -> tuple[str, ...]:
    """Import all modules of the product; return their names."""
    found = []
    for package in PACKAGES:
        found.append(package)
        for each in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}."):
            if ".migrations" not in each.name and not each.name.endswith("__main__"):
                importlib.import_module(each.name)
                found.append(each.name)
    return tuple(found)


def form_fields() -> Iterator[FormField]:
    """Yield the fields of all forms of the product, including inherited ones."""
    modules()
    for form in sorted(
        set(subclasses(forms.BaseForm)), key=lambda form: (form.__module__, form.__qualname__)
    ):
        if form.__module__.partition(".")[0] in PACKAGES:
            for name, field in getattr(form, "base_fields", {}).items():
                yield FormField(f"{form.__module__}.{form.__qualname__}", name, field, form)
    # Created by the form from the declared settings.
    for name, field in SettingsForm(zone="UTC").fields.items():
        if name not in SettingsForm.base_fields:
            yield FormField(
                f"{SettingsForm.__module__}.{SettingsForm.__qualname__}", name, field, SettingsForm
            )


def subclasses(of: type[Any]) -> Iterator[type[Any]]:
    for each in of.__subclasses__():
        yield each
        yield from subclasses(each)


@cache
def names_read_by_hand() -> tuple[ByHand, ...]:
    """Return the names read by `request.POST.get("name")` and the like, also through local variables."""
    return tuple(_find_names_read())


def _find_names_read() -> Iterator[ByHand]:
    for package in PACKAGES:
        for file in sorted((ROOT / package).rglob("*.py")):
            module = ".".join(file.relative_to(ROOT).with_suffix("").parts)
            tree = ast.parse(file.read_text())
            aliases = dict(_aliases(tree))
            for node in ast.walk(tree):
                if (found := _read(node, aliases)) is not None:
                    yield ByHand(*found, module)


def _aliases(tree: ast.AST) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            # Also `user, said = request.user, request.POST`.
            pairs = [(target, node.value) for target in node.targets]
            for target, value in pairs:
                if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
                    pairs += zip(target.elts, value.elts, strict=False)
                elif isinstance(target, ast.Name):
                    for each in _sources(value):
                        yield target.id, each


def _sources(value: ast.expr) -> Iterator[str]:
    match value:
        case ast.Attribute(attr=source) if source in READERS:
            yield source
        case ast.IfExp(body=one, orelse=other):
            yield from (*_sources(one), *_sources(other))
        case ast.BoolOp(values=values):
            for each in values:
                yield from _sources(each)
        case ast.Call(func=ast.Attribute(attr="copy", value=inner)):
            yield from _sources(inner)


def _read(node: ast.AST, aliases: dict[str, str]) -> tuple[str, str] | None:
    match node:
        case ast.Call(
            func=ast.Attribute(value=of, attr=method), args=[ast.Constant(value=str(name)), *_]
        ) if method in METHODS:
            pass
        case ast.Subscript(value=of, slice=ast.Constant(value=str(name))):
            pass
        case ast.Compare(left=ast.Constant(value=str(name)), ops=[ast.In()], comparators=[of]):
            pass
        case _:
            return None
    if isinstance(of, ast.Name):
        source = aliases.get(of.id, "")
    else:
        source = of.attr if isinstance(of, ast.Attribute) and of.attr in READERS else ""
    return (source, name) if source else None


@cache
def names_of_api(place: str) -> frozenset[str]:
    """Return the names of all query parameters, or of all fields of bodies at any depth."""
    schema = _load_document()
    operations = [each for path in schema["paths"].values() for each in path.values() if "responses" in each]
    if place == "query":
        return frozenset(
            each["name"] for one in operations for each in one.get("parameters", ()) if each["in"] == "query"
        )
    return frozenset(
        name for shape in schema["components"]["schemas"].values() for name in shape.get("properties", ())
    )


@cache
def _load_document() -> Any:
    return SchemaGenerator().get_schema(request=None, public=True)


def routes() -> list[str]:
    return sorted(set(_routes(get_resolver(), "")))


def _routes(resolver: URLResolver, prefix: str) -> Iterator[str]:
    for each in resolver.url_patterns:
        where = prefix + str(each.pattern).replace("^", "")
        if isinstance(each, URLPattern):
            yield where
        else:
            yield from _routes(each, where)


def api_inputs() -> Iterator[tuple[str, bool]]:
    """Yield all body fields and query parameters of the API, and whether each declares a bound."""
    schema = SchemaGenerator().get_schema(request=None, public=True)
    shapes, seen = schema["components"]["schemas"], set()
    for path, operations in schema["paths"].items():
        for method, operation in operations.items():
            for each in operation.get("parameters", ()):
                if each["in"] == "query":
                    yield f"{method} {path}?{each['name']}", _is_bounded(each["schema"])
            for body in operation.get("requestBody", {}).get("content", {}).values():
                for name, is_bounded in _fields(body["schema"], shapes, f"{method} {path} ", ()):
                    if name not in seen:
                        seen.add(name)
                        yield name, is_bounded


def _fields(
    shape: dict[str, Any], shapes: dict[str, Any], name: str, within: tuple[str, ...]
) -> Iterator[tuple[str, bool]]:
    if "$ref" in shape:
        word = shape["$ref"].rpartition("/")[2]
        if word not in within:
            yield from _fields(shapes[word], shapes, name, (*within, word))
        return
    variants = [each for how in ("allOf", "oneOf", "anyOf") for each in shape.get(how, ())]
    for each in variants:
        yield from _fields(each, shapes, name, within)
    if properties := shape.get("properties", {}):
        for word, each in properties.items():
            if not each.get("readOnly"):
                yield from _fields(each, shapes, f"{name}.{word}", within)
    elif shape.get("type") == "array":
        yield name, "maxItems" in shape
        yield from _fields(shape["items"], shapes, f"{name}[]", within)
    elif not variants:
        yield name, _is_bounded(shape)


def _is_bounded(shape: dict[str, Any]) -> bool:
    match shape.get("type"):
        case "boolean":
            return True
        case "integer" | "number":
            return "enum" in shape or ("minimum" in shape and "maximum" in shape)
        case "string":
            bounds = {"enum", "maxLength", "pattern"} & shape.keys()
            # The pattern of a decimal limits its digits.
            return bool(bounds) or shape.get("format") in {"date-time", "date", "uuid", "time"}
        case "object":
            return "maxProperties" in shape
    return "enum" in shape
