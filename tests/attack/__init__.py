"""Attacks of strangers over loopback, limited in number and time: their answers, and the effect on others."""
