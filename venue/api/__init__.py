"""Rooms and screens over HTTP."""

from venue.api import rooms, screens

paths = [*rooms.paths, *screens.paths]
