"""What people type about events, made fit for the services: `announcing`, `playing`, `arranging`."""

from tournaments.forms.announcing import (
    FORMATS,
    EventForm,
    FinishForm,
    GuestForm,
    ReasonForm,
    clean,
    usable_key,
)

__all__ = [
    "FORMATS",
    "EventForm",
    "FinishForm",
    "GuestForm",
    "ReasonForm",
    "clean",
    "usable_key",
]
