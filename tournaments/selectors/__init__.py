"""Every read of events, as small frozen values: no query hides in a template."""
