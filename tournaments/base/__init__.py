"""What every other subject of events knows: names of states, refusals, rows, scores, labels, one event as read."""
