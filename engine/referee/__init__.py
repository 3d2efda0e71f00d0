"""The implementation of `engine.verdict`: replays a score sheet's claims with `engine.match`."""
