"""The OpenAPI description of operations on records."""

from __future__ import annotations

from functools import partial
from typing import Final

from matches.play import problems

describe: Final = partial(problems.describe, tag="records")
