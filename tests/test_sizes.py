"""Nothing that is too large is met by a bare line: each form with files says its limits, each address answers with a page.

Here is the walk over all of them; what Django refuses itself is in records/test_sizes.py, what a browser shows in browser/test_sizes.py.
"""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.http import HttpResponse

from config.front import limits, protocol
from config.front.bridge import BodyMemory, BodyMemoryFull
from runtime import addresses
from tests.config.test_bridge import body, echo, scope, send_request, text_of
from tests.config.test_heads import answer
from tests.inputs import PACKAGES, ROOT, routes

TEMPLATES = ROOT / "templates"
FORM_TAG = re.compile(r"<form\b.*?</form>", re.S)
HTML = [(b"accept", b"text/html"), (b"host", b"club.example")]
FROM_HERE = (b"referer", b"http://club.example/records/club/")
GERMAN = (b"accept-language", b"de-AT,de;q=0.9")
CONVERTER = re.compile(r"<(\w+:)?\w+>")


def forms_with_files() -> list[tuple[str, str]]:
    """Return the forms of all templates that send files; a field of a form class counts by `multipart/form-data`."""
    return [
        (str(path.relative_to(TEMPLATES)), form)
        for path in sorted(TEMPLATES.rglob("*.html"))
        for form in FORM_TAG.findall(path.read_text())
        if "multipart/form-data" in form or 'type="file"' in form
    ]


def test_every_form_with_files_says_how_much_it_takes() -> None:
    found = forms_with_files()
    assert len(found) >= 5
    for name, form in found:
        assert "multipart/form-data" in form, name
        assert "{% size_limits " in form.partition("csrf_token")[0], name


def test_every_view_that_reads_files_has_a_row_for_files() -> None:
    """A form with files at an address of plain pages would be refused beyond 256 KiB, as photos once were."""
    with_files = [each for each in map(limits.find_body_limit, routes()) if each.takes_files]
    assert {each.name for each in with_files} == {
        each.name for each in limits.BODY_LIMITS if each.takes_files
    }
    code = [path for each in PACKAGES for path in (ROOT / each).rglob("*.py")]
    readers = {path for path in code if "request.FILES" in path.read_text()}
    apis = {path for path in code if "MultiPartParser,)" in path.read_text()}
    assert (len(readers), len(apis)) == (5, 2), (
        "add its address to config/front/limits.py, then count it here"
    )
    assert len(with_files) == 10


def sample(route: str) -> str:
    return "/" + re.sub(r"[\^$?()]|\\.*", "", CONVERTER.sub("a", route))


@pytest.mark.long
def test_every_address_refuses_a_body_that_is_too_large_with_a_page_and_the_api_with_a_code() -> None:
    called: list[str] = []
    application = echo(lambda request: called.append(request.path) or HttpResponse())
    paths = sorted({sample(route) for route in routes()})
    assert len(paths) > 450
    for path in paths:
        length = (b"content-length", str(limits.find_body_limit(path).size + 1).encode())
        sent = send_request(application, method="POST", path=path, headers=[*HTML, GERMAN, FROM_HERE, length])
        kind = dict(sent[0]["headers"])[b"content-type"]
        text = text_of(sent).decode()
        assert sent[0]["status"] == 413, path
        if path.startswith("/api/"):
            assert kind == b"application/problem+json", path
            assert json.loads(text)["code"] == "too_large", path
        else:
            assert kind == b"text/html; charset=utf-8", path
            assert '<html lang="de"' in text, path
            assert 'href="http://club.example/records/club/"' in text, path
            assert limits.describe_size(limits.find_body_limit(path).size) in text, path
    assert called == []


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({"headers": [*HTML, (b"cookie", b"a=" + b"x" * 5_000)]}, 431),
        ({"headers": [*HTML, (b"x", b"x" * 9_000)]}, 431),
        ({"headers": HTML, "query_string": b"a" * 9_000}, 414),
        ({"headers": HTML, "path": "/" + "a" * 3_000, "raw_path": b"/" + b"a" * 3_000}, 414),
    ],
)
def test_a_head_that_is_too_large_is_answered_with_a_page(changes: dict[str, Any], status: int) -> None:
    answered, sent = answer(**changes)
    assert answered == status
    assert b'<a class="button button--primary" href="/">' in text_of(sent)
    assert dict(sent[0]["headers"])[b"content-security-policy"].startswith(b"default-src 'self'")


def test_a_way_back_leads_to_our_own_pages_alone_and_is_escaped() -> None:
    def page(referer: bytes) -> str:
        headers = [*HTML, (b"referer", referer), (b"content-length", b"999999999")]
        return text_of(send_request(echo(lambda _: HttpResponse()), method="POST", headers=headers)).decode()

    assert "evil.example" not in page(b"http://evil.example/")
    assert "javascript" not in page(b"javascript:alert(1)")
    assert '<b>"' not in page(b'http://club.example/<b>"')
    assert "http://club.example/&lt;b&gt;&quot;" in page(b'http://club.example/<b>"')


def test_the_theme_of_the_browser_counts_where_its_cookies_are_within_bounds() -> None:
    headers = [*HTML, (b"cookie", b"a=1; theme=dark"), (b"content-length", b"999999999")]
    dark = text_of(send_request(echo(lambda _: HttpResponse()), method="POST", headers=headers)).decode()
    assert 'data-theme="dark"' in dark
    _status, sent = answer(headers=[*HTML, (b"cookie", b"theme=dark; a=" + b"x" * 5_000)])
    assert b'data-theme="auto"' in text_of(sent)


def test_a_line_stays_a_line_for_those_who_want_no_page() -> None:
    sent = send_request(
        echo(lambda _: HttpResponse()), method="POST", headers=[(b"content-length", b"999999999")]
    )
    assert dict(sent[0]["headers"])[b"content-type"] == b"text/plain; charset=utf-8"


# Memory


def test_large_bodies_of_a_network_and_of_all_have_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SMALL_BODY", 10)
    monkeypatch.setattr(limits, "LARGE_BODIES", 1_000)
    monkeypatch.setattr(limits, "LARGE_BODIES_PER_NETWORK", 300)
    room = BodyMemory()

    def at(address: str) -> Any:
        return room.open_body(scope(client=(address, 1)))

    with at("203.0.113.1") as first:
        assert [first(10), first(200), first(100)] == [10, 210, 310]
        with pytest.raises(BodyMemoryFull):
            first(1)
        with at("203.0.113.1") as second:
            assert second(10) == 10, "small ones are not counted"
            with pytest.raises(BodyMemoryFull):
                second(1)
        with at("203.0.113.2") as other, at("203.0.113.3") as third, at("203.0.113.4") as fourth:
            assert [each(310) for each in (other, third)] == [310, 310]
            with pytest.raises(BodyMemoryFull):
                fourth(120)
    with at("203.0.113.1") as again:
        assert again(310) == 310, "what is answered is not counted any more"


def test_no_network_of_ipv6_takes_more_than_half(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SMALL_BODY", 0)
    monkeypatch.setattr(limits, "LARGE_BODIES", 1_000)
    monkeypatch.setattr(limits, "LARGE_BODIES_PER_NETWORK", 300)
    room = BodyMemory()
    with (
        room.open_body(scope(client=("2001:db8:1:1::1", 1))) as one,
        room.open_body(scope(client=("2001:db8:1:2::1", 1))) as two,
    ):
        one(300)
        two(200)
        with pytest.raises(BodyMemoryFull):
            two(1)


def test_a_body_without_room_is_asked_to_come_back_and_leaves_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "LARGE_BODIES_PER_NETWORK", 1_000)
    large = body(b"x" * limits.SMALL_BODY, b"y" * 1_001)
    sent = send_request(echo(lambda _: HttpResponse()), *large, method="POST", path="/m/ABC/photos/")
    assert sent[0]["status"] == 503
    assert (b"retry-after", b"2") in sent[0]["headers"]


def test_the_network_behind_our_proxy_is_the_one_that_counts(settings: Any) -> None:
    settings.TRUSTED_PROXIES = 1
    said = scope(headers=[(b"x-forwarded-for", b"6.6.6.6, 198.51.100.7")])
    assert addresses.find_networks(said) == ("198.51.100.7",)


def test_a_body_has_to_be_here_after_some_minutes() -> None:
    """Else a sender who keeps back the last byte would hold memory for hours."""
    ours = protocol.GuardedProtocol.__new__(protocol.GuardedProtocol)
    ours._stage, ours._body_bytes = protocol.Stage.BODY, 16_000_000
    seconds = ours.limits.body_seconds
    assert not ours._is_slow(seconds)
    assert ours._is_slow(seconds + 1)


def test_the_document_has_the_table_of_bodies() -> None:
    written = (ROOT / "docs" / "operations.md").read_text()
    for each in limits.BODY_LIMITS:
        largest = limits.describe_size(each.largest_file) if each.largest_file else ""
        assert f"| {each.name} | {limits.describe_size(each.size)} | {largest} |" in written, each.name
