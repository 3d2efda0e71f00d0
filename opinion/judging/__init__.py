"""Errors and luck of a match from engine evaluations: a library, with `python -m opinion`.

It reads records (`engine`) and uses no database. Positions are evaluated by an oracle (`oracle.py`); the only
implementation runs in a separate process (`engine_process.py`, `sage.py`). docs/opinion.md has the formulas.
"""
