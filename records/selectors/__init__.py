"""Records and score sheets as pages and programs see them."""
