"""Parts of pages that show an engine's opinion."""
