"""Events: who plays in them, what has happened, what comes next."""
