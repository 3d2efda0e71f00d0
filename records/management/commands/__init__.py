"""Each module is a command of manage.py."""
