"""The built-in bots and the minds that decide for them."""
