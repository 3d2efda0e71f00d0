"""Rooms, screens and rehearsals over HTTP."""

from venue.api import rehearsals, rooms, screens

paths = [*rehearsals.paths, *rooms.paths, *screens.paths]
