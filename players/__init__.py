"""People and clubs: accounts, roles, guests, invitations, notices."""
