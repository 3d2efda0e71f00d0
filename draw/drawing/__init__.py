"""Brackets as pictures: layout and SVG. Pure: no database, no framework."""
