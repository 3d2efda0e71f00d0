"""Our own bots, and the minds that decide for them."""
