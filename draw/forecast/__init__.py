"""How an event may go from here: when it ends, how many matches each has, and who is likely to win (P110)."""
