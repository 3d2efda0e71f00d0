"""Forecasts of an event: its end, the number of matches of each entrant, and the likely winners (P110)."""
