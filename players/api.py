from players.accounts import accounts_api
from players.clubs import clubs_api, duplicates_api, webhooks_api
from players.people import players_api

routes = [
    *webhooks_api.routes,
    *duplicates_api.routes,
    *clubs_api.routes,
    *players_api.routes,
    *accounts_api.routes,
]
