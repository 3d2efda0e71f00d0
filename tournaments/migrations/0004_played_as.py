import re

from django.db import migrations, models

# How an event is played was kept in these words, and read back.
NAMES = {
    "Knock-out": "single-elimination",
    "Knock-out, consolation for the first round": "consolation",
    "Knock-out with consolation": "progressive-consolation",
    "Knock-out, consolation and last chance": "last-chance",
    "Knock-out, feed-in consolation": "feed-in",
    "Knock-out, consolation for first-match losers": "first-match-losers",
    "Double elimination": "double-elimination",
    "Swiss": "swiss",
    "Lives": "lives",
    "Round robin": "round-robin",
    "League": "league",
    "Groups": "groups",
    "Friendly matches": "friendly",
}
WORDS = {form: said for said, form in NAMES.items()}
SWISS_OF = re.compile(r"Swiss, (\d{1,3}) rounds")
THEN = ", then "
LONGEST = 60


def read(label):
    """Return what the words say, None where they are a director's own."""
    found = []
    for part in label.split(THEN):
        if swiss := SWISS_OF.fullmatch(part):
            found.append({"format": "swiss", "rounds": int(swiss[1])})
        elif part in NAMES:
            found.append({"format": NAMES[part]})
        else:
            return None
    return found


def of_stages(stages):
    """Return what the stages are."""
    return [
        {"format": form, "rounds": options["rounds"]}
        if form in {"swiss", "lives"} and options.get("rounds")
        else {"format": form}
        for form, options in stages
    ]


def forms(played_as):
    """Return the names of the formats."""
    return [one["format"] for one in played_as]


def said(played_as):
    """Return the words as they were kept."""
    return THEN.join(
        f"Swiss, {one['rounds']} rounds"
        if one["format"] == "swiss" and one.get("rounds")
        else WORDS.get(one["format"], one["format"])
        for one in played_as
    )[:LONGEST]


def forwards(apps, schema_editor):
    """Keep what events are played as; words remain where they are a director's own."""
    events = apps.get_model("tournaments", "Tournament").objects
    stages = {}
    rows = apps.get_model("tournaments", "Stage").objects.order_by("tournament_id", "number")
    for event, form, options in rows.values_list("tournament_id", "format", "options"):
        stages.setdefault(event, []).append((form, options))
    for pk, label in events.values_list("pk", "format_label"):
        told = read(label)
        played_as = of_stages(stages.get(pk, ())) or told or []
        # Words that were cut short were ours, and so were those that a round added later made untrue.
        is_ours = label == said(played_as) or (told is not None and forms(told) == forms(played_as))
        events.filter(pk=pk).update(played_as=played_as, format_label="" if is_ours else label)


def backwards(apps, schema_editor):
    """Say again in words what events are played as."""
    events = apps.get_model("tournaments", "Tournament").objects
    for pk, played_as in events.filter(format_label="").values_list("pk", "played_as"):
        events.filter(pk=pk).update(format_label=said(played_as))


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0003_why"),
    ]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="played_as",
            field=models.JSONField(blank=True, db_default=[], default=list, editable=False),
        ),
        migrations.RunPython(forwards, backwards),
    ]
