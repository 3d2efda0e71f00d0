"""Pages: `public` for everyone who looks, `desk` for those who run an event."""

from tournaments.views.public import home

__all__ = ["home"]
