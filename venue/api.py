"""Rooms, screens and rehearsals over HTTP."""

from venue.desk import room_api
from venue.rehearsals import rehearsal_api
from venue.screens import screen_api

paths = [*rehearsal_api.paths, *room_api.paths, *screen_api.paths]
