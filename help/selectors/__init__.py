"""What help says: its texts by language, and the positions they show."""
