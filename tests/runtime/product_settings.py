"""The settings of the product with the work of `tests.runtime.product`."""

from config.settings import *  # noqa: F403 - all of them
from config.settings import INSTALLED_APPS as OURS

INSTALLED_APPS = [*OURS, "tests.runtime.product_app.ProductConfig"]
