"""Accounts, players and clubs: roles, guests, invitations, notices."""
