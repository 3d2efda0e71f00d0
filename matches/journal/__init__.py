"""The journal of a match: writing it, frames for watchers, replays."""
