"""Pages: `front` and `public` for everyone who looks, `desk` for those who run an event."""
