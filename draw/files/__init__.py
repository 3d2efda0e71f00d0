"""An event as files: for a spreadsheet, for other programs, for whoever wants to pair it again."""
