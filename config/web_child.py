"""One of several web processes behind one socket (started by `serve web` alone)."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")


def main() -> None:
    """Serve until told to stop."""
    import django

    django.setup()
    from config import serve

    serve.web(processes=1)


if __name__ == "__main__":
    main()
