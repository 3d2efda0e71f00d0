"""Infrastructure without backgammon rules: outbox, heartbeats, sweeps, event streams."""
