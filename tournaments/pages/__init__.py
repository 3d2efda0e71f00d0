"""Pages and API answers about one event for visitors and players."""
