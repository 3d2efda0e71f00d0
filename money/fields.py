"""Prizes as a table of places and shares: a cell for each place. What is typed is read as the notation of the API."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from django import forms

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

DECIMAL_COMMA: Final = re.compile(r"\d{1,3},\d{1,6}", re.ASCII)
# So many cells there are at least, and one more than are filled.
PLACES: Final = 6
PLACES_BESIDE: Final = 4
STEPS: Final = 2


def _split(text: Any) -> list[str]:
    return [one for one in re.split(r"[;,\s]+", str(text or "")) if one]


def _cells(data: Mapping[str, Any], name: str) -> list[str]:
    if hasattr(data, "getlist"):
        return [str(one).strip() for one in data.getlist(name)]
    return [str(data[name]).strip()] if data.get(name) is not None else []


def _joined(cells: Iterable[str]) -> str:
    """Return the cells as a list of percents; a place that is left out before another gets nothing."""
    found = list(cells)
    while found and not found[-1]:
        found.pop()
    if len(found) == 1:
        return found[0]
    return ", ".join(
        (one.replace(",", ".") if DECIMAL_COMMA.fullmatch(one) else one) if one else "0" for one in found
    )


def _shown(name: str, shares: list[str], least: int) -> list[dict[str, Any]]:
    """Return the cells of a row: those that are filled, and some that are not."""
    return [
        {"name": name, "place": at + 1, "value": shares[at] if at < len(shares) else ""}
        for at in range(max(least, len(shares) + 1))
    ]


class SharesWidget(forms.Widget):
    """A row of cells, one for each place."""

    template_name = "money/shares.html"
    use_fieldset = True

    def __init__(self, attrs: dict[str, Any] | None = None, *, places: int = PLACES) -> None:
        super().__init__(attrs)
        self.places = places

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        """Return what the template shows."""
        found = super().get_context(name, value, attrs)
        found["widget"]["cells"] = _shown(name, _split(value), self.places)
        return found

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> Any:
        """Return the cells as a list of percents."""
        return _joined(_cells(data, name))

    def value_omitted_from_data(self, data: Mapping[str, Any], files: Any, name: str) -> bool:
        """Say whether nothing was sent."""
        return name not in data


class StepsWidget(forms.Widget):
    """A row for each number of entries, with the shares of both draws."""

    template_name = "money/share_steps.html"
    use_fieldset = True

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        """Return what the template shows."""
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
                    "main": _shown(f"{name}_{at}_main", _split(main), PLACES),
                    "beside": _shown(f"{name}_{at}_beside", _split(beside), PLACES_BESIDE),
                }
            )
        found["widget"]["rows"] = rows
        return found

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> Any:
        """Return a line for each row in which something was typed."""
        if name in data:
            return data.get(name)
        found = []
        at = 0
        while f"{name}_{at}_entries" in data:
            entries = str(data.get(f"{name}_{at}_entries", "")).strip()
            main = _joined(_cells(data, f"{name}_{at}_main"))
            beside = _joined(_cells(data, f"{name}_{at}_beside"))
            if entries or main or beside:
                found.append(f"{entries}: {main}" + (f" + {beside}" if beside else ""))
            at += 1
        return "\n".join(found)

    def value_omitted_from_data(self, data: Mapping[str, Any], files: Any, name: str) -> bool:
        """Say whether nothing was sent."""
        return name not in data and f"{name}_0_entries" not in data
