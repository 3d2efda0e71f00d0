"""What changes the money of an event."""
