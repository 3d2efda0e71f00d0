from django.db import migrations, models

from money.migrations import _lines_stand


class Migration(migrations.Migration):
    dependencies = [("money", "0004_helpers")]

    operations = [
        migrations.AddField(
            model_name="moneyline",
            name="agreed",
            field=models.JSONField(blank=True, default=None, editable=False, null=True),
        ),
        migrations.RunPython(_lines_stand.guard_agreed, _lines_stand.unguard_agreed),
    ]
