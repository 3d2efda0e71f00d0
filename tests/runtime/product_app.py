"""The application that brings the work of `tests.runtime.product`."""

from __future__ import annotations

from django.apps import AppConfig

from tests.runtime import product


class ProductConfig(AppConfig):
    """Registers the extra work of the tests."""

    name = "tests.runtime"
    label = "tests_runtime"

    def ready(self) -> None:
        """Register it."""
        product.register()
