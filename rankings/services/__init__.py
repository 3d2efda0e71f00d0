"""What changes lists and ledgers."""
