"""The room an event is played in: tables, whose match goes to which, and who is called."""
