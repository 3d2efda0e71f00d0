"""Playing a match: commands, rulings, clocks, access, chat."""
