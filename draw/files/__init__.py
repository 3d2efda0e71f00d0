"""An event as files: for spreadsheets, for other programs, and for pairing it again."""
