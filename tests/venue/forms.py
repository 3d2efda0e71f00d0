"""The forms of a page, as a browser would send them back."""

from __future__ import annotations

import re
from html import unescape

from django.test import Client


def kept(client: Client, page: str, action: str, **like: str) -> dict[str, str]:
    """Return the hidden fields of the first form of a page that goes to *action* and has fields *like* these."""
    shown = client.get(page).content.decode()
    for form in re.findall(rf'<form[^>]*action="{re.escape(action)}".*?</form>', shown, re.DOTALL):
        pairs = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form)
        fields = {name: unescape(value) for name, value in pairs}
        if fields.items() >= like.items():
            return fields
    raise LookupError(action)
