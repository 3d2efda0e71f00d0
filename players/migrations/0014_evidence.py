from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('players', '0013_name_style'),
    ]

    operations = [
        migrations.AddField(
            model_name='club',
            name='shows_evidence',
            field=models.BooleanField(db_default=False, default=False, verbose_name='evidence for directors'),
        ),
    ]
