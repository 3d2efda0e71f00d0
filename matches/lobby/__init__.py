"""Finding a match: challenges, open seats, practice."""
