"""Errors and luck of a match by an engine's numbers: a library, with `python -m opinion`.

It knows records (`engine`) and no database. Positions go to an oracle (`oracle.py`); the only one there is runs in a
process of its own (`child.py`, `sage.py`). docs/opinion.md has the formulas.
"""
