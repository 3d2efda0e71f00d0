"""`{% slot "players.hooks.PLAYER_PAGE" person.key %}`: renders the parts that other packages add there."""

from __future__ import annotations

from typing import Any

from django import template
from django.template import Context
from django.template.loader import get_template
from django.utils.module_loading import import_string
from django.utils.safestring import SafeString, mark_safe

from runtime.hooks import Slot

register = template.Library()


@register.simple_tag(takes_context=True)
def slot(context: Context, name: str, *subject: Any) -> SafeString:
    """Render the parts of a slot; in each template, `shown` is what its function returned."""
    declared: Slot[...] = import_string(name)
    drawn: list[str] = []
    for path, shown in declared.list_shown(context["request"], *subject):
        part: Any = get_template(path)
        with context.push(shown=shown):
            drawn.append(part.template.render(context))
    return mark_safe("".join(drawn))  # noqa: S308 - rendered templates
