#!/usr/bin/env python3
"""Django's command line in a checkout; an installed wheel has `barpoint` (config/main.py)."""

import sys

from config.main import run


def main() -> None:
    """Run the command that the arguments name."""
    run(sys.argv)


if __name__ == "__main__":
    main()
