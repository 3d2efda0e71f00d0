"""Rooms, breaks, screens and rehearsals over HTTP."""

from venue.api import breaks, rehearsals, rooms, screens

paths = [*breaks.paths, *rehearsals.paths, *rooms.paths, *screens.paths]
