import django.db.models.deletion
from django.db import migrations, models

import players.keys


class Migration(migrations.Migration):
    dependencies = [
        ("matches", "0003_journal_stands"),
        ("players", "0002_api_token"),
    ]

    operations = [
        migrations.CreateModel(
            name="Absence",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "side",
                    models.CharField(
                        choices=[("", "Nobody"), ("white", "White"), ("black", "Black"), ("both", "Both")],
                        max_length=5,
                        verbose_name="side",
                    ),
                ),
                ("since", models.DateTimeField(verbose_name="since")),
                (
                    "match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="absences",
                        to="matches.match",
                    ),
                ),
            ],
            options={
                "verbose_name": "absence",
                "verbose_name_plural": "absences",
                "constraints": [
                    models.UniqueConstraint(fields=("match", "side"), name="one_absence_per_side"),
                    models.CheckConstraint(
                        condition=models.Q(("side__in", ["white", "black"])), name="a_side_is_absent"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Audience",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("watching", models.PositiveIntegerField(default=0)),
                (
                    "match",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="audience",
                        to="matches.match",
                    ),
                ),
            ],
            options={"verbose_name": "audience", "verbose_name_plural": "audiences"},
        ),
        migrations.CreateModel(
            name="ChatLine",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "key",
                    models.CharField(
                        default=players.keys.new_key, editable=False, max_length=10, unique=True
                    ),
                ),
                (
                    "room",
                    models.CharField(
                        choices=[("players", "Players"), ("gallery", "Spectators")],
                        max_length=7,
                        verbose_name="room",
                    ),
                ),
                ("text", models.CharField(max_length=300, verbose_name="text")),
                ("at", models.DateTimeField(verbose_name="said")),
                ("client_key", models.CharField(max_length=80)),
                ("hidden_at", models.DateTimeField(blank=True, null=True, verbose_name="hidden")),
                (
                    "author",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="chat_lines",
                        to="players.player",
                    ),
                ),
                (
                    "hidden_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="players.player",
                    ),
                ),
                (
                    "match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="talk",
                        to="matches.match",
                    ),
                ),
            ],
            options={
                "verbose_name": "chat line",
                "verbose_name_plural": "chat lines",
                "indexes": [
                    models.Index(fields=["match", "room", "at"], name="chat_match_room_at"),
                    models.Index(fields=["author", "at"], name="chat_author_at"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("match", "author", "client_key"), name="one_line_per_client_key"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("room__in", ["players", "gallery"])), name="chat_room_is_known"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Mute",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "muted",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="muted_by",
                        to="players.player",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="mutes",
                        to="players.player",
                    ),
                ),
            ],
            options={
                "verbose_name": "mute",
                "verbose_name_plural": "mutes",
                "constraints": [
                    models.UniqueConstraint(fields=("player", "muted"), name="one_mute_per_pair"),
                    models.CheckConstraint(
                        condition=models.Q(("player", models.F("muted")), _negated=True),
                        name="nobody_mutes_themselves",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Report",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("reason", models.CharField(blank=True, max_length=300, verbose_name="reason")),
                ("at", models.DateTimeField(verbose_name="reported")),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="reports",
                        to="players.player",
                    ),
                ),
                (
                    "line",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="reports",
                        to="matches.chatline",
                    ),
                ),
            ],
            options={
                "verbose_name": "report",
                "verbose_name_plural": "reports",
                "constraints": [
                    models.UniqueConstraint(fields=("line", "by"), name="one_report_per_line_and_player")
                ],
            },
        ),
    ]
