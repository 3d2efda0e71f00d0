"""Every write to an event."""
