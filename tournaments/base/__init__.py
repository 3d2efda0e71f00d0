"""Shared modules of events: states, errors, rows, scores, labels, the view of one event."""
