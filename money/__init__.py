"""Fees, side pools and payouts of events, as a ledger."""
