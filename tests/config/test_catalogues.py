"""No sentence goes out untranslated."""

import ast
import re

import pytest
from django.test import RequestFactory
from django.utils import timezone, translation

from players.accounts import account_emails
from players.notices import emails
from tests import catalogues
from tests.packages import PACKAGES


@pytest.mark.long
def test_every_sentence_is_translated() -> None:
    assert list(catalogues.problems()) == []


@pytest.mark.long
@pytest.mark.share
def test_sentences_are_marked_by_names_that_are_collected() -> None:
    """Under another name, such as `_lazy`, makemessages does not see them, and no test would miss their translation."""
    found = [
        (str(path.relative_to(catalogues.ROOT)), alias.asname)
        for package in PACKAGES
        for path in (catalogues.ROOT / package).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module == "django.utils.translation"
        for alias in node.names
        if "gettext" in alias.name and alias.asname not in (None, "_")
    ]
    assert found == []


@pytest.mark.django_db
@pytest.mark.parametrize("kind", sorted(account_emails.EMAILS))
def test_emails_in_german_say_du(kind: str) -> None:
    names = ("activate_url", "password_reset_url", "signup_url", "ip", "user_agent")
    context = dict.fromkeys((*names, "deleted_email"), "-")
    if kind.endswith("email_changed"):
        context |= {"from_email": "-", "to_email": "-"}
    asked = {"timestamp": timezone.now(), "request": RequestFactory().get("/")}
    with translation.override("de"):
        message = account_emails.build_email(
            kind, email="a@example.org", user=None, context={**context, **asked}
        )
        said = emails.render_text(message)
    assert said.startswith("Hallo!")
    assert re.search(r"\b(du|dir|dich|dein\w*)\b", said)
    assert not re.search(r"\b(Sie|Ihnen|Ihre?[mnrs]?|you|your|the)\b", f"{message.subject} {said}")
