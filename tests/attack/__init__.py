"""Strangers who mean harm, on loopback, bounded in count and time: what they get, and what others notice."""
