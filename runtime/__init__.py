"""The machinery: outbox, heartbeats, sweeps, streams. It knows no backgammon."""
