"""What an event takes and pays: fees, side pools, payouts, as a ledger."""
