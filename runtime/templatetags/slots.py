"""`{% slot "player.page" person.key %}`: what others have to show at this place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import template
from django.template.loader import get_template
from django.utils.safestring import SafeString, mark_safe

from runtime.http import slots

if TYPE_CHECKING:
    from django.template import Context

register = template.Library()


@register.simple_tag(takes_context=True)
def slot(context: Context, name: str, *subject: Any) -> SafeString:
    """Draw the parts of a slot, each with `shown` being what its selector returned."""
    drawn = []
    for path, shown in slots.filled(name, context["request"], *subject):
        part: Any = get_template(path)
        with context.push(shown=shown):
            drawn.append(part.template.render(context))
    return mark_safe("".join(drawn))  # noqa: S308 - templates that have escaped what they show
