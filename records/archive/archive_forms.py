"""Search form of the archive."""

from __future__ import annotations

import re

from django import forms

from records.archive.archive import ENDINGS, Search


class ArchiveForm(forms.Form):
    """Archive search; all fields are optional."""

    player = forms.CharField(required=False, max_length=80)
    opponent = forms.CharField(required=False, max_length=80)
    event = forms.CharField(required=False, max_length=80)
    length = forms.IntegerField(required=False, min_value=0, max_value=999)
    since = forms.DateField(required=False)
    until = forms.DateField(required=False)
    score = forms.RegexField(r"^\s*\d{1,3}\s*[-:\u2013]\s*\d{1,3}\s*$", max_length=20, required=False)
    ending = forms.ChoiceField(choices=[("", ""), *ENDINGS.items()], required=False)

    def search(self) -> Search:
        """Return the search criteria, without invalid fields."""
        said = self.cleaned_data
        score = said.get("score") or ""
        points = [int(each) for each in re.findall(r"\d+", score)]
        return Search(
            player=said.get("player", ""),
            opponent=said.get("opponent", ""),
            event=said.get("event", ""),
            length=said.get("length"),
            since=said.get("since"),
            until=said.get("until"),
            score=(points[0], points[1]) if points else None,
            ending=said.get("ending", ""),
        )
