"""QR codes of links, as pictures."""

from __future__ import annotations

import segno
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _


def svg(link: str, *, title: str = "") -> SafeString:
    """Draw *link* as a QR code; black on white whatever the theme, since cameras want that."""
    code = segno.make(link, error="m", micro=False)
    # With its unit it has a view box: without one a style sheet that makes it smaller would cut it.
    drawn = code.svg_inline(
        scale=5, border=4, unit="px", dark="#000", light="#fff", title=title or _("QR code of the link")
    )
    return mark_safe(drawn)  # noqa: S308 - drawn here, of an address made here
