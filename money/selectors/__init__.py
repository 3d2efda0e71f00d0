"""What is to be seen of an event's money."""
