"""QR codes on paper and on screens: complete at every size, with the white margin that scanners need."""

from __future__ import annotations

import re

from runtime.install import reach

VIEW_BOX = re.compile(r'viewBox="0 0 (\d+) (\d+)"')
SIZE = re.compile(r'width="(\d+)px" height="(\d+)px"')


def test_a_code_is_scaled_and_not_cut_where_a_style_sheet_makes_it_smaller() -> None:
    drawn = reach.render_qr_code("https://club.example/play/abc/", title="The match")
    box, size = VIEW_BOX.search(drawn), SIZE.search(drawn)
    assert box is not None, "without a view box a smaller picture shows a corner of the code"
    assert box.groups() == size.groups()
    assert "<title>The match</title>" in drawn
    # Four modules of five units.
    assert 'd="M4 4.5' in drawn
