"""Rankings over HTTP."""

from rankings.chances import titles_api
from rankings.eligibility import eligibility_api
from rankings.lists import dated_api, groups_api, lists_api
from rankings.openings import openings_api
from rankings.seasons import divisions_api, fame_api, seasons_api

routes = [*lists_api.routes, *seasons_api.routes]
paths = [
    *(*lists_api.paths, *groups_api.paths, *openings_api.paths, *dated_api.paths),
    *(*seasons_api.paths, *divisions_api.paths, *eligibility_api.paths, *titles_api.paths, *fame_api.paths),
]
