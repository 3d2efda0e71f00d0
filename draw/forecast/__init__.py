"""Forecasts of an event: when it ends, how many matches each entrant plays, and who is likely to win (P110)."""
