"""Playing a match: commands, rulings, clocks, who may see what, talk at the board."""
