"""What a match is, without storage: its lines, dice, clock, commands, and the words for them."""
