"""Engine analysis of finished matches: opinions, never facts; nothing else in a club depends on them (ADR
73).
"""
