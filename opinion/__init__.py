"""Engine analyses of finished matches: opinions, not facts; no other package depends on them (ADR 73)."""
