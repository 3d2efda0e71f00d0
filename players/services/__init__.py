"""What can be done to people and clubs: one module a subject, one transaction a call."""
