"""Money over HTTP."""

from money.api import auctions, ledgers

paths = [*ledgers.paths, *auctions.paths]
