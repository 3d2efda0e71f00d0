"""Views of matches: replays, screens, dice statistics, downloads."""
