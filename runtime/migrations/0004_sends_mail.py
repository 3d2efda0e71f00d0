"""The field's name in Python; the column keeps its own, which copies of earlier versions have too."""

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("runtime", "0003_restored_copies")]

    operations: ClassVar = [
        migrations.AlterField("installation", "sends_letters", models.BooleanField(default=False, db_column="sends_letters")),
        migrations.RenameField("installation", "sends_letters", "sends_mail"),
    ]
