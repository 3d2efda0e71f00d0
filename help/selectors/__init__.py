"""Help's texts by language, and the positions they show."""
