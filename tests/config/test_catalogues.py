"""No sentence goes out untranslated."""

from tests import catalogues


def test_every_sentence_is_translated() -> None:
    assert list(catalogues.problems()) == []
