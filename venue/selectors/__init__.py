"""What pages are told of rooms and tables."""
