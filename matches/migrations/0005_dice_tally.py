import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('matches', '0004_talk'),
    ]

    operations = [
        migrations.CreateModel(
            name='DiceTally',
            fields=[
                ('match', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='dice_tally', serialize=False, to='matches.match')),
                ('head', models.PositiveIntegerField()),
                ('strict', models.PositiveIntegerField(default=0)),
                ('sealed', models.PositiveIntegerField(default=0)),
                ('weaker', models.PositiveIntegerField(default=0)),
                ('throws', models.JSONField()),
                ('openings', models.JSONField()),
                ('runs', models.JSONField()),
            ],
            options={
                'verbose_name': 'tally of dice',
                'verbose_name_plural': 'tallies of dice',
            },
        ),
    ]
