from __future__ import annotations

from typing import Final

from rankings.lists.groups import GROUP_ASKED

NOTICES: Final = (GROUP_ASKED,)
