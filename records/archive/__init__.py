"""All matches that were played to their end, to search and to count."""
