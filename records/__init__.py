"""Matches played over the board: score sheets, submitted records, and disputes about them."""
