"""Photos of a match: re-encoded on upload, and shown only to its two players and the desk."""

from __future__ import annotations

import struct
import subprocess
import sys
import zlib
from io import BytesIO
from typing import Any

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.signing import Signer
from django.test import Client
from django.utils import timezone
from PIL import Image

from players.access import attempts
from players.accounts import tokens
from players.files import uploads
from players.models import Scope, User
from records.models import MatchPhoto
from records.sheets import photos
from runtime import pictures
from runtime.work import child_processes
from tests import attack_files
from tests.records.base.test_codes import Phone, address, numbers, text
from tests.records.sheets.test_adjourned import act
from tests.records.sheets.test_table_api import coded
from tests.records.sheets.test_tap_storage import tap
from tests.records.submissions.test_record_outcomes import reported, sits
from tests.tournaments.pages.test_pages_player import Two
from tests.tournaments.support import Browser
from tournaments.pages import table_device
from tournaments.play import results

pytestmark = [pytest.mark.long, pytest.mark.today]

MATCH = "main/1.1"
MEASURED = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr)
"""
TURNED, ORIENTATION, MAKER = 6, 0x0112, 0x010F


@pytest.fixture
def disputed(two: Two) -> Two:
    """They say different things."""
    a, b = sits(two)
    reported(two, a, 5, 3)
    reported(two, b, 2, 5)
    return two


def photo(colour: str = "red", kind: str = "JPEG", **options: Any) -> bytes:
    kept = BytesIO()
    Image.new("RGB", (80, 40), colour).save(kept, kind, **options)
    return kept.getvalue()


def bomb() -> bytes:
    """Return a PNG of a few bytes that says it has 3.6 thousand million pixels."""

    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    head = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0)
    body = chunk(b"IDAT", zlib.compress(bytes(1_000_000))) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + body


def of_a_camera(kind: str, **options: Any) -> bytes:
    """Return a photo of 40 million pixels, or as many as another kind may have."""
    size = (8000, 5000) if kind == "JPEG" else (3900, 3840)
    kept = BytesIO()
    Image.new("RGB", size, "#7a5533").save(kept, kind, **options)
    return kept.getvalue()


def page(two: Two) -> str:
    return f"/events/{two.key}/photos/{MATCH}/"


def send(client: Client, where: str, *files: bytes) -> tuple[int, str]:
    sent = [SimpleUploadedFile(f"{n}.jpg", data, "image/jpeg") for n, data in enumerate(files)]
    answer = client.post(where, {"photos": sent}, follow=True)
    return answer.status_code, text(answer)


def add(two: Two, by: User, data: bytes) -> MatchPhoto:
    return photos.add(tournament_id=two.desk.pk, match=MATCH, by=by, data=data, now=two.desk.now)


def test_it_stands_upright_without_what_was_not_seen(disputed: Two) -> None:
    exif = Image.Exif()
    exif[ORIENTATION], exif[MAKER] = TURNED, "Somebody's camera"
    one, _other = sits(disputed)

    kept = bytes(add(disputed, one, photo(exif=exif)).content)

    assert b"Somebody" not in kept
    shown = Image.open(BytesIO(kept))
    assert (shown.format, shown.size, dict(shown.getexif())) == ("JPEG", (40, 80), {})


def test_both_and_the_desk_see_what_each_has_added_and_others_nothing(disputed: Two, stranger: User) -> None:
    one, other = sits(disputed)
    browser = Browser(one)
    status, words = send(browser, page(disputed), photo("red"), photo("blue"))
    assert status == 200
    assert MatchPhoto.objects.count() == 2
    assert words.count(one.player.name) >= 2
    [first, _second] = MatchPhoto.objects.all()
    where = f"/events/{disputed.key}/photo/{first.key}.jpg"

    for user in (one, other, disputed.desk.director):
        answer = Browser(user).get(where)
        assert answer.status_code == 200
        assert answer["Content-Type"] == "image/jpeg"
        assert "no-store" in answer["Cache-Control"]
        assert answer.content == bytes(first.content)
        assert where in Browser(user).get(page(disputed)).content.decode()
    for browser in (Browser(stranger), Browser()):
        assert browser.get(where).status_code in {302, 404}
        assert browser.get(page(disputed)).status_code in {302, 404}
    desk = Browser(disputed.desk.director).get(f"/events/{disputed.key}/matches/{MATCH}/")
    assert where in desk.content.decode().partition('id="said"')[2]


def test_who_has_sent_one_deletes_it_and_so_does_the_desk(disputed: Two) -> None:
    one, other = sits(disputed)
    kept = [add(disputed, one, photo(colour)) for colour in ("red", "blue")]
    for user, shown in ((other, 0), (one, 2), (disputed.desk.director, 2)):
        assert Browser(user).get(page(disputed)).content.decode().count('name="delete"') == shown
    for user, left in ((other, 2), (one, 1), (one, 1)):
        Browser(user).post(page(disputed), {"delete": kept[0].key})
        assert MatchPhoto.objects.count() == left
    Browser(disputed.desk.director).post(page(disputed), {"delete": kept[1].key})
    assert not MatchPhoto.objects.exists()


def test_there_are_a_few_from_each_side_and_each_once(disputed: Two) -> None:
    one, other = sits(disputed)
    for shade in range(photos.MOST):
        add(disputed, one, photo(f"#{shade * 20:02x}0000"))
    add(disputed, one, photo("#000000"))
    assert MatchPhoto.objects.count() == photos.MOST
    status, words = send(Browser(one), page(disputed), photo("white"))
    assert status == 422
    assert f"There are {photos.MOST} photos from your side already" in words
    add(disputed, other, photo("white"))
    assert MatchPhoto.objects.count() == photos.MOST + 1


def test_the_page_of_a_refusal_shows_those_that_were_added_before_it(disputed: Two) -> None:
    one, _other = sits(disputed)
    answer = Browser(one).post(
        page(disputed),
        {"photos": [SimpleUploadedFile(f"{n}.jpg", data) for n, data in enumerate((photo(), b"no photo"))]},
    )
    [kept] = MatchPhoto.objects.all()
    assert answer.status_code == 422
    assert f"/events/{disputed.key}/photo/{kept.key}.jpg" in answer.content.decode()
    assert "There are no photos" not in text(answer)


def test_more_at_once_than_one_side_may_have_are_refused_before_any_is_kept(disputed: Two) -> None:
    one, _other = sits(disputed)
    many = [photo(f"#{shade * 20:02x}0000") for shade in range(photos.MOST + 1)]
    status, words = send(Browser(one), page(disputed), *many)
    assert status == 422
    assert f"Add at most {photos.MOST} photos at once" in words
    assert not MatchPhoto.objects.exists()


def test_a_match_that_nobody_disputes_needs_none_but_an_adjourned_one_has_its_board(two: Two) -> None:
    one, _other = two.users
    status, words = send(Browser(one), page(two), photo())
    assert (status, MatchPhoto.objects.count()) == (422, 0)
    assert "disputed or adjourned" in words
    for number in (1, 2):
        tap(two, two.users[number - 1], f"{number} {'ab'[number - 1]} single 1")
    act(two, "adjourn")
    assert send(Browser(one), page(two), photo())[0] == 200
    assert MatchPhoto.objects.count() == 1
    assert "Photos of the board" in text(Browser(one).get(f"/events/{two.key}/sheet/{MATCH}/"))
    act(two, "take-up")
    # It stays with the match; another is not taken.
    assert send(Browser(one), page(two), photo("blue"))[0] == 422
    assert MatchPhoto.objects.count() == 1
    # It can be deleted until the match is decided.
    assert Browser(one).get(page(two)).content.decode().count('name="delete"') == 1
    Browser(one).post(page(two), {"delete": MatchPhoto.objects.get().key})
    assert not MatchPhoto.objects.exists()


def test_of_a_decided_match_only_the_desk_deletes_a_photo(disputed: Two) -> None:
    one, _other = sits(disputed)
    kept = add(disputed, one, photo())
    disputed.desk.do(results.enter_result, key=MATCH, score=(5, 3))
    answer = Browser(one).get(page(disputed))
    assert 'name="delete"' not in answer.content.decode()
    answer = Browser(one).delete(f"/api/v1/sheets/{disputed.match().uid}/photos/{kept.key}/")
    assert (answer.status_code, answer.json()["code"]) == (409, "photo_of_decided_match")
    Browser(disputed.desk.director).post(page(disputed), {"delete": kept.key})
    assert not MatchPhoto.objects.exists()


def test_with_the_code_of_the_match_no_account_is_needed(disputed: Two) -> None:
    phone = Phone(address(disputed))
    where = f"{phone.address}photos/"
    assert phone.browser.get(where)["Location"] == phone.address
    phone.sit(numbers(disputed)[0])
    assert ">Photos</a>" in phone.browser.get(phone.address).content.decode()
    assert send(phone.browser, where, photo())[0] == 200
    [kept] = MatchPhoto.objects.all()
    assert kept.by is None
    assert kept.entry == disputed.match().a
    assert phone.browser.get(f"{where}{kept.key}.jpg").content == bytes(kept.content)
    assert Browser().get(f"{where}{kept.key}.jpg").status_code == 409
    phone.browser.post(where, {"delete": kept.key})
    assert not MatchPhoto.objects.exists()


def hostile() -> dict[str, bytes]:
    """Uploads that only an attacker would send."""
    markup = b"<script>alert(1)</script>"
    return {
        "nothing": b"",
        "markup": markup,
        "svg": b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>",
        "a PNG that is a script": b"\x89PNG\r\n\x1a\n" + markup,
        "a JPEG that is a script": b"\xff\xd8\xff\xe0" + markup * 50,
        "a GIF": b"GIF89a" + bytes(40),
        "half a picture": photo(kind="PNG")[:60],
        "a bomb": bomb(),
        "too many bytes": bytes(pictures.MOST_BYTES + 1),
    }


@pytest.mark.parametrize("name", hostile())
def test_what_is_no_photo_is_refused_with_a_sentence(disputed: Two, name: str) -> None:
    one, _other = sits(disputed)
    status, words = send(Browser(one), page(disputed), hostile()[name])
    assert status == 422
    assert "This picture cannot be read" in words or "This picture is too large" in words
    assert not MatchPhoto.objects.exists()


def test_what_hides_behind_a_picture_is_not_kept(disputed: Two) -> None:
    one, _other = sits(disputed)
    for each in (photo() + b"<script>alert(1)</script>", photo(comment=b"<script>alert(1)</script>")):
        kept = add(disputed, one, each)
        assert b"script" not in bytes(kept.content)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems count memory in other units")
@pytest.mark.parametrize(
    ("kind", "options"),
    [("JPEG", {}), ("JPEG", {"progressive": True}), ("PNG", {"compress_level": 1}), ("WEBP", {"method": 0})],
)
def test_a_large_photo_is_decoded_in_little_memory(kind: str, options: dict[str, Any]) -> None:
    data = of_a_camera(kind, **options)
    child = [sys.executable, "-I", str(pictures.CHILD), "jpeg", str(photos.SIDE)]
    # A small process between: a child's peak begins with that of who started it.
    done = subprocess.run(
        [sys.executable, "-I", "-c", MEASURED, *child], input=data, capture_output=True, check=True
    )
    shown = Image.open(BytesIO(done.stdout))
    assert max(shown.size) == photos.SIDE
    assert int(done.stderr) * 1024 < 300_000_000


def test_programs_add_read_and_delete_photos(disputed: Two, stranger: User) -> None:
    one, other = sits(disputed)
    where = f"/api/v1/sheets/{disputed.match().uid}/photos/"
    mine, reader, theirs = (
        {
            "Authorization": f"Bearer {tokens.create(user=user, name='A program', scope=scope, now=timezone.now())}"
        }
        for user, scope in ((one, Scope.PLAY), (one, Scope.READ), (stranger, Scope.PLAY))
    )

    def post(headers: dict[str, str], data: bytes) -> Any:
        return Client().post(where, {"photo": SimpleUploadedFile("a.jpg", data)}, headers=headers)

    assert post(reader, photo()).json()["code"] == "read_only_token"
    assert post(theirs, photo()).json()["code"] == "not_your_sheet"
    assert post(mine, b"no photo").json()["code"] == "bad-picture"
    assert post(mine, bomb()).status_code == 413
    answer = post(mine, photo())
    assert answer.status_code == 201
    [told] = answer.json()
    assert post(mine, photo()).json() == [told]
    assert Client().get(where, headers=reader).json() == [told]
    assert Browser(other).get(where).json() == [{**told, "is_own": False}]
    assert Browser(disputed.desk.director).get(where).json() == [told]
    picture = Client().get(told["address"], headers=reader)
    assert (picture.status_code, picture["Content-Type"]) == (200, "image/jpeg")
    assert Client().get(told["address"], headers=theirs).status_code == 403
    assert Client().get(f"{where}nothing/", headers=mine).status_code == 404
    assert Client().delete(told["address"], headers=mine).status_code == 204
    assert Client().delete(told["address"], headers=mine).status_code == 204
    assert not MatchPhoto.objects.exists()


def test_a_program_with_the_code_does_the_same(disputed: Two) -> None:
    program = coded(disputed)
    assert program.read("photos/")[1]["code"] == "who_are_you"
    program.send(act="who", match=str(disputed.match().uid), player=numbers(disputed)[1])
    sent = {"photo": SimpleUploadedFile("a.jpg", photo())}
    answer = program.client.post(f"{program.path}photos/", sent)
    assert answer.status_code == 201
    [told] = answer.json()
    assert program.client.get(told["address"]).content == bytes(MatchPhoto.objects.get().content)
    assert program.client.delete(told["address"]).status_code == 204
    assert not MatchPhoto.objects.exists()


def test_while_one_is_decoded_the_next_of_its_match_device_or_network_is_refused_at_once(
    disputed: Two,
) -> None:
    one, other = sits(disputed)
    match = disputed.match()
    for busy in (f"match {match.pk}", f"account {one.pk}", "network 127.0.0.1"):
        with child_processes.reserve([busy]):
            answer = Browser(one).post(page(disputed), {"photos": [SimpleUploadedFile("a.jpg", photo())]})
        assert (answer.status_code, answer["Retry-After"]) == (429, "5")
        assert "Another file is being read at the moment" in text(answer)
    assert not MatchPhoto.objects.exists()
    with child_processes.reserve([f"account {other.pk}"]):
        assert send(Browser(one), page(disputed), photo())[0] == 200
    phone = Phone(address(disputed))
    phone.sit(numbers(disputed)[0])
    mark = phone.browser.cookies[settings.TABLE_COOKIE_NAME].value
    with child_processes.reserve([f"device {Signer(salt=table_device.SALT).unsign(mark)}"]):
        assert send(phone.browser, f"{phone.address}photos/", photo("blue"))[0] == 429


def test_a_program_is_told_when_to_try_again(disputed: Two) -> None:
    program = coded(disputed)
    program.send(act="who", match=str(disputed.match().uid), player=numbers(disputed)[1])
    with child_processes.reserve([f"match {disputed.match().pk}"]):
        answer = program.client.post(
            f"{program.path}photos/", {"photo": SimpleUploadedFile("a.jpg", photo())}
        )
    assert (answer.status_code, answer["Retry-After"]) == (429, "5")
    assert answer.json()["code"] == "file-in-progress"


def test_the_same_picture_again_and_one_that_is_refused_count_like_any_other(
    disputed: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "OWN", attempts.RateLimit(free=2, first=40, most=40))
    one, _other = sits(disputed)
    program = Browser(one)
    where = f"/api/v1/sheets/{disputed.match().uid}/photos/"

    def post(data: bytes) -> Any:
        return program.post(where, {"photo": SimpleUploadedFile("a.jpg", data)})

    answers = [post(photo()), post(photo()), post(attack_files.progressive(200)), post(photo())]
    assert [each.status_code for each in answers] == [201, 201, 413, 429]
    assert answers[2].json()["code"] == "picture-too-complex"
    assert answers[3].json()["code"] == "too-many-uploads"
    assert 0 < int(answers[3]["Retry-After"]) <= 40
    assert MatchPhoto.objects.count() == 1


def test_an_attempt_that_found_no_place_does_not_count(
    disputed: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "OWN", attempts.RateLimit(free=1, first=40, most=40))
    one, _other = sits(disputed)
    with child_processes.reserve([f"match {disputed.match().pk}"]):
        for _ in range(3):
            with pytest.raises(child_processes.FileInProgress):
                add(disputed, one, photo())
    assert add(disputed, one, photo()).pk
