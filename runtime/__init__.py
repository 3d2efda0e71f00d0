"""The machinery room: outbox, heartbeats, sweeps, streams. It knows no backgammon."""
