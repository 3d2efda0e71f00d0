"""The page's token for its live streams."""

from __future__ import annotations

from typing import Any

from django import template

from players.access import listeners
from runtime import stream

register = template.Library()


@register.simple_tag(takes_context=True)
def live_token(context: dict[str, Any]) -> str:
    """Create a token for the page's `live_topics` and the viewer's own topic; empty without topics."""
    topics = list(context.get("live_topics") or ())
    viewer = context.get("viewer")
    if viewer is not None and getattr(viewer, "topic", None):
        topics.append(viewer.topic)
    request = context.get("request")
    return stream.create_token(topics, who=listeners.get_holder(request) if request else "") if topics else ""
