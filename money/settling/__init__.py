"""Settlement of an event's money: a library, also as `python -m money settle`; see docs/money.md."""
