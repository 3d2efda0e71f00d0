"""Events: players, matches, results and schedules."""
