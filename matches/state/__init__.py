"""Match values without storage: lines, dice, clock, commands, and their descriptions."""
