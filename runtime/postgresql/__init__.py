"""Django's PostgreSQL backend with a limit on how long a transaction may last."""
