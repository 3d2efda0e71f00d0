"""Form fields for prizes: a table with a cell for each place, read as the notation of the API."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from django import forms

DECIMAL_COMMA: Final = re.compile(r"\d{1,3},\d{1,6}", re.ASCII)
# The minimum number of cells in a row; there is always an empty one at the end.
PLACES: Final = 6
PLACES_BESIDE: Final = 4
STEPS: Final = 2


def split_percents(text: Any) -> list[str]:
    """Split a list of percents at commas, semicolons and blanks."""
    return [one for one in re.split(r"[;,\s]+", str(text or "")) if one]


def _read_cells(data: Mapping[str, Any], name: str) -> list[str]:
    if hasattr(data, "getlist"):
        return [str(one).strip() for one in data.getlist(name)]
    return [str(data[name]).strip()] if data.get(name) is not None else []


def _join_percents(cells: Iterable[str]) -> str:
    """Join the cells to a list of percents; an empty cell before a filled one is 0.

    A single field has the notation of the API, in which a comma separates places.
    """
    found = list(cells)
    if len(found) == 1:
        return found[0]
    while found and not found[-1]:
        found.pop()
    return ", ".join(
        (one.replace(",", ".") if DECIMAL_COMMA.fullmatch(one) else one) if one else "0" for one in found
    )


def _describe_cells(name: str, shares: list[str], least: int) -> list[dict[str, Any]]:
    """Describe the cells of a row for the template, with empty ones at the end."""
    return [
        {"name": name, "place": at + 1, "value": shares[at] if at < len(shares) else ""}
        for at in range(max(least, len(shares) + 1))
    ]


class SharesWidget(forms.Widget):
    template_name = "money/shares.html"
    use_fieldset = True

    def __init__(self, attrs: dict[str, Any] | None = None, *, places: int = PLACES) -> None:
        super().__init__(attrs)
        self.places = places

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        found = super().get_context(name, value, attrs)
        found["widget"]["cells"] = _describe_cells(name, split_percents(value), self.places)
        return found

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> Any:
        return _join_percents(_read_cells(data, name))


class StepsWidget(forms.Widget):
    """A row for each number of entries, with the shares of both draws."""

    template_name = "money/share_steps.html"
    use_fieldset = True

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        found = super().get_context(name, value, attrs)
        lines = [line for line in str(value or "").splitlines() if line.strip()]
        rows = []
        for at in range(max(STEPS, len(lines) + 1)):
            entries, _colon, percents = (lines[at] if at < len(lines) else "").partition(":")
            main, _plus, beside = percents.partition("+")
            rows.append(
                {
                    "number": at + 1,
                    "name": f"{name}_{at}_entries",
                    "entries": entries.strip(),
                    "main": _describe_cells(f"{name}_{at}_main", split_percents(main), PLACES),
                    "beside": _describe_cells(f"{name}_{at}_beside", split_percents(beside), PLACES_BESIDE),
                }
            )
        found["widget"]["rows"] = rows
        return found

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> Any:
        """Read the rows as lines; empty rows are left out."""
        if name in data:
            return data.get(name)
        found = []
        at = 0
        while f"{name}_{at}_entries" in data:
            entries = str(data.get(f"{name}_{at}_entries", "")).strip()
            main = _join_percents(_read_cells(data, f"{name}_{at}_main"))
            beside = _join_percents(_read_cells(data, f"{name}_{at}_beside"))
            if entries or main or beside:
                found.append(f"{entries}: {main}" + (f" + {beside}" if beside else ""))
            at += 1
        return "\n".join(found)

    def value_omitted_from_data(self, data: Mapping[str, Any], files: Any, name: str) -> bool:
        return name not in data and f"{name}_0_entries" not in data
