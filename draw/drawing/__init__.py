"""Brackets as pictures: where each box stands, and the SVG that shows it. Pure: no database, no framework."""
