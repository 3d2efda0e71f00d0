"""What changes rooms and tables."""
