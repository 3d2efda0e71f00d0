"""What changes a match; each act is one transaction."""
