"""A match seen from outside: replays, walls, dice statistics, downloads."""
