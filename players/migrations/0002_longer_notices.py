from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("players", "0001_first_release"),
    ]

    operations = [
        migrations.AlterField(
            model_name="notice",
            name="text",
            field=models.CharField(max_length=1000, verbose_name="text"),
        ),
    ]
