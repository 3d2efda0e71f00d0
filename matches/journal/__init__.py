"""The write path of a match: its journal, frames for watchers, replays."""
