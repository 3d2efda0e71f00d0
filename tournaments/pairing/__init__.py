"""Where the draw used to live: `python -m tournaments.pairing` still answers, until the first release."""
