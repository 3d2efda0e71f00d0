"""Money over HTTP."""

from money.auction import auction_api
from money.ledger import ledger_api

paths = [*ledger_api.paths, *auction_api.paths]
