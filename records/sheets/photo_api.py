"""Photos of a match over HTTP: for its players and directors, and with the match's code."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from django.http import HttpResponse
from django.urls import URLPattern, path
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache
from rest_framework import permissions, serializers, status
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from matches.play import callers
from matches.watch.downloads_api import FixedContentNegotiation
from players.access.callers import found_or_404, get_account, read_body
from players.files import uploads
from players.models import User
from records.base.operations import describe
from records.models import MatchPhoto
from records.sheets import photos, stored_sheets
from records.sheets.callers import SPEAKING, CodedView, build_picture_response, get_device, load_match
from runtime import pictures
from runtime.http.answer_schema import make_list_serializer
from runtime.http.answers import Answer, about
from runtime.http.strict_fields import StrictFields, refuse_body
from tournaments.models import Entry, Pairing, Tournament
from tournaments.pages import table_device
from tournaments.play.code_holders import CodeHolder

NOT_YOURS = {403: {"not_your_sheet": "others play this match, and you do not direct it"}}
GONE = {404: {"not_found": "there is no such match, or no such photo of it"}}
STANDING = {
    "photo_not_needed": "the match is neither disputed nor adjourned",
    "too_many_photos": "your side has sent as many as are taken; delete one first",
}
DELETING = {
    409: {
        "photo_of_decided_match": "the match is decided, and you do not direct it",
        "not_your_photo": "the other side or the desk has sent it",
    }
}
TAKING = {
    400: {"bad-picture": "it is no PNG, JPEG or WebP file that can be read; also `invalid`"},
    409: STANDING,
    413: {
        "picture-too-large": "it has too many bytes or pixels",
        "picture-too-complex": "it is animated, or takes too much work to decode",
    },
    429: {
        "file-in-progress": "another picture of this match, account, device or network is being decoded; one at a time",
        "too-many-uploads": "many pictures were sent within an hour; `Retry-After` says for how long to wait",
    },
}
BY_CODE = SPEAKING | TAKING | {409: SPEAKING[409] | STANDING}
DELETING_BY_CODE = SPEAKING | {409: SPEAKING[409] | DELETING[409]}


class PhotoRequest(StrictFields):
    """A photo, as a file of a form."""

    photo = serializers.FileField(
        max_length=400,
        allow_empty_file=True,
        help_text="A JPEG, PNG or WebP file of at most 10 MB (multipart/form-data). What is kept is painted anew from it.",
    )


class PhotoAnswer(Answer):
    """A photo of a match."""

    key: str
    by: str = about("Whose side it was sent from; of the desk, `The desk`.", source="name")
    at: datetime
    address: str = about("Where the picture is, a JPEG.")
    is_own: bool = about("Whether you may delete it now.")


PHOTOS = make_list_serializer(PhotoAnswer)
PICTURE = {(200, "image/jpeg"): bytes}
UPLOAD = {"multipart/form-data": PhotoRequest}


class PhotoAccess(NamedTuple):
    """A match whose photos the caller may see, and in which role."""

    event: Tournament
    row: Pairing
    who: User | CodeHolder
    own: Entry | None
    is_desk: bool

    def photo(self, key: str) -> MatchPhoto:
        return found_or_404(photos.find_photo(self.row, key))


def _load_access(request: Request, uid: str) -> PhotoAccess:
    """Load the match for one of its players' accounts, or for a director."""
    event, row = load_match(uid, request)
    user = get_account(request)
    own = stored_sheets.find_entry(event, row, user, now=callers.get_arrival_time(request))
    return PhotoAccess(event, row, user, own, user.has_perm("tournaments.direct", event.club))


def _serialize_photos(sight: PhotoAccess, here: str) -> list[PhotoAnswer]:
    """Return the photos of a match; their URLs extend that of the list."""
    found = photos.list_photos(sight.row, sight.event, sight.own, is_desk=sight.is_desk)
    return [PhotoAnswer.read(each, address=f"{here.partition('?')[0]}{each.key}/") for each in found]


def _add_photo(request: Request, sight: PhotoAccess) -> Response:
    sent = read_body(PhotoRequest, request)["photo"]
    if sent.size > pictures.MOST_BYTES:
        raise pictures.PictureTooLarge
    photos.add(
        tournament_id=sight.event.pk, match=sight.row.key, by=sight.who, data=sent.read(),
        now=callers.get_arrival_time(request), device=get_device(request), payers=uploads.list_payers(request),
    )  # fmt: skip
    return Response(_serialize_photos(sight, request.path), status=status.HTTP_201_CREATED)


def _delete_photo(request: Request, sight: PhotoAccess, key: str) -> Response:
    photos.remove(
        tournament_id=sight.event.pk,
        match=sight.row.key,
        key=key,
        by=sight.who,
        now=callers.get_arrival_time(request),
    )
    return Response(status=status.HTTP_204_NO_CONTENT)


@method_decorator([never_cache, table_device.set_device_cookie], name="dispatch")
class MatchPhotosView(APIView):
    permission_classes = (permissions.IsAuthenticated,)
    parser_classes = (MultiPartParser,)

    @describe("photos_list", PHOTOS, NOT_YOURS | GONE)
    def get(self, request: Request, uid: str) -> Response:
        """The photos of a match."""
        return Response(_serialize_photos(_load_access(request, uid), request.path))

    @describe("photos_add", PHOTOS, NOT_YOURS | GONE | TAKING, request=UPLOAD, status=201)
    def post(self, request: Request, uid: str) -> Response:
        """Add a photo to a match that is disputed or adjourned; the same again changes nothing."""
        return _add_photo(request, _load_access(request, uid))


@method_decorator([never_cache, table_device.set_device_cookie], name="dispatch")
class MatchPhotoView(APIView):
    permission_classes = (permissions.IsAuthenticated,)
    content_negotiation_class = FixedContentNegotiation

    @describe("photo_read", PICTURE, NOT_YOURS | GONE)
    def get(self, request: Request, uid: str, key: str) -> HttpResponse:
        """A photo of a match, as a JPEG."""
        return build_picture_response(_load_access(request, uid).photo(key))

    @describe("photo_delete", None, NOT_YOURS | GONE | DELETING, status=204)
    @refuse_body
    def delete(self, request: Request, uid: str, key: str) -> Response:
        """Delete a photo: your own until the match is decided, as a director any.

        Deleting one that is gone changes nothing.
        """
        return _delete_photo(request, _load_access(request, uid), key)


class _CodedPhotoBase(CodedView):
    """Base of the views of photos by a code, for a browser that has chosen a player."""

    def sight(self, request: Request, code: str) -> PhotoAccess:
        held, who, own = self.side(request, code)
        return PhotoAccess(held.event, held.row, who, own, is_desk=False)


class CodedPhotosView(_CodedPhotoBase):
    parser_classes = (MultiPartParser,)

    @describe("code_photos_list", PHOTOS, SPEAKING)
    def get(self, request: Request, code: str) -> Response:
        """The photos of a match, by its code."""
        return Response(_serialize_photos(self.sight(request, code), request.path))

    @describe("code_photos_add", PHOTOS, BY_CODE, request=UPLOAD, status=201)
    def post(self, request: Request, code: str) -> Response:
        """Add a photo by the code of a match that is disputed or adjourned; the same again changes nothing."""
        return _add_photo(request, self.sight(request, code))


class CodedPhotoView(_CodedPhotoBase):
    content_negotiation_class = FixedContentNegotiation

    @describe("code_photo_read", PICTURE, SPEAKING)
    def get(self, request: Request, code: str, key: str) -> HttpResponse:
        """A photo of a match, as a JPEG, by the match's code."""
        return build_picture_response(self.sight(request, code).photo(key))

    @describe("code_photo_delete", None, DELETING_BY_CODE, status=204)
    @refuse_body
    def delete(self, request: Request, code: str, key: str) -> Response:
        """Delete a photo of your own, until the match is decided."""
        return _delete_photo(request, self.sight(request, code), key)


paths: list[URLPattern] = [
    path("sheets/<uuid:uid>/photos/", MatchPhotosView.as_view(), name="match-photos"),
    path("sheets/<uuid:uid>/photos/<slug:key>/", MatchPhotoView.as_view(), name="match-photo"),
    path("codes/<str:code>/photos/", CodedPhotosView.as_view(), name="coded-photos"),
    path("codes/<str:code>/photos/<slug:key>/", CodedPhotoView.as_view(), name="coded-photo"),
]
