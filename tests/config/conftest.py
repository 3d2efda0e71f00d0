"""The composition's tests look for servers where the machinery's do."""

from tests.runtime.conftest import _services_or_skip  # noqa: F401 - a fixture
