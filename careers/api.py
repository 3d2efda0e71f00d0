"""What players have played over HTTP."""

from careers import meetings_api, mine_api

paths = [*meetings_api.paths, *mine_api.paths]
