import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from runtime.install.create_models import CreateModels


class Migration(migrations.Migration):
    """All tables as of the first release. What it replaces is for databases from before that release."""

    replaces = [
        ('opinion', '0001_begin'),
        ('opinion', '0002_asked_positions'),
        ('opinion', '0003_daily_positions'),
        ('opinion', '0004_side_sums'),
        ('opinion', '0005_cards'),
        ('opinion', '0006_longer_faults'),
        ('opinion', '0007_stand_ins'),
        ('opinion', '0008_lessons'),
        ('opinion', '0009_given_answers'),
        ('opinion', '0010_recorded_matches'),
    ]

    initial = True

    dependencies = [
        ('matches', '0001_first_release'),
        ('players', '0001_first_release'),
    ]

    operations = [
        CreateModels([
            migrations.CreateModel(
                name='Analysis',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('match', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='analysis', to='matches.match')),
                    ('record', models.CharField(blank=True, db_default='', max_length=10, verbose_name='record')),
                    ('head_hash', models.CharField(max_length=64)),
                    ('engine', models.CharField(blank=True, max_length=20, verbose_name='engine')),
                    ('version', models.CharField(blank=True, max_length=30, verbose_name='version')),
                    ('progress', models.CharField(choices=[('waiting', 'Being analysed'), ('done', 'Analysed'), ('unjudged', 'Not analysed'), ('failed', 'The analysis failed')], default='waiting', max_length=10, verbose_name='progress')),
                    ('level', models.PositiveSmallIntegerField(default=0, verbose_name='level')),
                    ('done', models.PositiveIntegerField(default=0)),
                    ('total', models.PositiveIntegerField(default=0, verbose_name='decisions')),
                    ('why', models.CharField(blank=True, max_length=300)),
                    ('attempts', models.PositiveSmallIntegerField(default=0)),
                    ('asked_at', models.DateTimeField(verbose_name='asked for')),
                    ('next_at', models.DateTimeField()),
                    ('lease', models.CharField(blank=True, max_length=32)),
                    ('leased_until', models.DateTimeField(blank=True, null=True)),
                    ('finished_at', models.DateTimeField(blank=True, null=True, verbose_name='finished')),
                ],
                options={
                    'verbose_name': 'analysis',
                    'verbose_name_plural': 'analyses',
                    'indexes': [models.Index(condition=models.Q(('progress', 'waiting')), fields=['next_at'], name='analysis_waiting')],
                    'constraints': [models.CheckConstraint(condition=models.Q(('progress__in', ['waiting', 'done', 'unjudged', 'failed'])), name='analysis_progress_is_known'), models.CheckConstraint(condition=models.Q(('level__lte', 3)), name='analysis_level_is_known'), models.CheckConstraint(condition=models.Q(('done__lte', models.F('total'))), name='analysis_does_not_pass_its_end'), models.CheckConstraint(condition=models.Q(models.Q(('match__isnull', False), ('record', '')), models.Q(('match__isnull', True), models.Q(('record', ''), _negated=True)), _connector='OR'), name='analysis_of_a_match_or_a_record'), models.UniqueConstraint(condition=models.Q(('record', ''), _negated=True), fields=('record',), name='one_analysis_per_record')],
                },
            ),
            migrations.CreateModel(
                name='AskedPosition',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('position', models.CharField(max_length=80, verbose_name='position')),
                    ('engine', models.CharField(max_length=20, verbose_name='engine')),
                    ('version', models.CharField(max_length=30, verbose_name='version')),
                    ('level', models.PositiveSmallIntegerField(verbose_name='level')),
                    ('progress', models.CharField(choices=[('waiting', 'Being analysed'), ('done', 'Analysed'), ('unjudged', 'Not analysed'), ('failed', 'The analysis failed')], default='waiting', max_length=10, verbose_name='progress')),
                    ('why', models.CharField(blank=True, max_length=300)),
                    ('plays', models.JSONField(blank=True, default=list)),
                    ('cube', models.JSONField(blank=True, null=True)),
                    ('attempts', models.PositiveSmallIntegerField(default=0)),
                    ('asked_at', models.DateTimeField(verbose_name='asked for')),
                    ('next_at', models.DateTimeField()),
                    ('lease', models.CharField(blank=True, max_length=32)),
                    ('leased_until', models.DateTimeField(blank=True, null=True)),
                    ('finished_at', models.DateTimeField(blank=True, null=True, verbose_name='finished')),
                ],
                options={
                    'verbose_name': 'position asked about',
                    'verbose_name_plural': 'positions asked about',
                    'indexes': [models.Index(condition=models.Q(('progress', 'waiting')), fields=['next_at'], name='asked_position_waiting')],
                    'constraints': [models.UniqueConstraint(fields=('position', 'engine', 'version', 'level'), name='one_answer_per_position'), models.CheckConstraint(condition=models.Q(('progress__in', ['waiting', 'done', 'unjudged', 'failed'])), name='asked_position_progress_is_known'), models.CheckConstraint(condition=models.Q(('level__gte', 1), ('level__lte', 3)), name='asked_position_level_is_known')],
                },
            ),
            migrations.CreateModel(
                name='DailyPosition',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('day', models.DateField(unique=True, verbose_name='day')),
                    ('asked', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='days', to='opinion.askedposition')),
                    ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='daily_positions', to='matches.match')),
                ],
                options={
                    'verbose_name': 'position of the day',
                    'verbose_name_plural': 'positions of the day',
                },
            ),
            migrations.CreateModel(
                name='GivenAnswer',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('position', models.CharField(max_length=80, verbose_name='position')),
                    ('choice', models.CharField(max_length=60, verbose_name='answer')),
                    ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='given_answers', to=settings.AUTH_USER_MODEL)),
                    ('browser', models.CharField(blank=True, max_length=64)),
                    ('at', models.DateTimeField(verbose_name='when')),
                ],
                options={
                    'verbose_name': 'answer to a position of the day',
                    'verbose_name_plural': 'answers to positions of the day',
                    'indexes': [models.Index(fields=['position', 'choice'], name='given_answers_by_choice')],
                    'constraints': [models.UniqueConstraint(fields=('position', 'user'), name='one_answer_per_position_and_user'), models.UniqueConstraint(condition=models.Q(('browser', ''), _negated=True), fields=('position', 'browser'), name='one_answer_per_position_and_browser'), models.CheckConstraint(condition=models.Q(models.Q(('browser__gt', ''), ('user', None)), models.Q(('browser', ''), ('user__isnull', False)), _connector='OR'), name='answer_given_by_a_user_or_a_browser')],
                },
            ),
            migrations.CreateModel(
                name='StandIn',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='stand_ins', to='matches.match')),
                    ('head', models.PositiveIntegerField()),
                    ('why', models.CharField(max_length=300)),
                    ('at', models.DateTimeField()),
                ],
                options={
                    'verbose_name': 'decision without the engine',
                    'verbose_name_plural': 'decisions without the engine',
                    'constraints': [models.UniqueConstraint(fields=('match', 'head'), name='one_stand_in_per_decision')],
                },
            ),
            migrations.CreateModel(
                name='Lesson',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('match', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='lesson', to='matches.match')),
                    ('limit', models.FloatField(verbose_name='limit')),
                    ('looked', models.PositiveIntegerField(default=0)),
                    ('silence', models.CharField(blank=True, choices=[('engine', 'The engine did not answer'), ('in-play', 'The position is being played elsewhere')], max_length=10)),
                    ('waits_at', models.PositiveIntegerField(blank=True, null=True)),
                ],
                options={
                    'verbose_name': 'practice match with the tutor',
                    'verbose_name_plural': 'practice matches with the tutor',
                    'constraints': [models.CheckConstraint(condition=models.Q(('limit__gt', 0)), name='lesson_limit_is_above_nought')],
                },
            ),
            migrations.CreateModel(
                name='Hint',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('lesson', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='hints', to='opinion.lesson')),
                    ('seq', models.PositiveIntegerField()),
                    ('position', models.CharField(max_length=120)),
                    ('played', models.CharField(max_length=60)),
                    ('best', models.CharField(max_length=60)),
                    ('loss', models.FloatField()),
                    ('level', models.PositiveSmallIntegerField()),
                    ('plays', models.JSONField(default=list)),
                    ('response', models.CharField(choices=[('none', 'Open'), ('taken-back', 'Taken back'), ('played-on', 'Played on')], default='none', max_length=10)),
                ],
                options={
                    'verbose_name': 'hint of the tutor',
                    'verbose_name_plural': 'hints of the tutor',
                    'constraints': [models.UniqueConstraint(fields=('lesson', 'seq'), name='one_hint_per_play'), models.UniqueConstraint(condition=models.Q(('response', 'none')), fields=('lesson',), name='one_open_hint_per_lesson'), models.CheckConstraint(condition=models.Q(('loss__gte', 0)), name='hint_losses_not_below_nought')],
                },
            ),
            migrations.CreateModel(
                name='Remark',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('analysis', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='remarks', to='opinion.analysis')),
                    ('number', models.PositiveIntegerField()),
                    ('seq', models.PositiveIntegerField()),
                    ('game', models.PositiveSmallIntegerField()),
                    ('ply', models.PositiveSmallIntegerField()),
                    ('side', models.PositiveSmallIntegerField(choices=[(0, 'White'), (1, 'Black')])),
                    ('kind', models.CharField(max_length=6)),
                    ('dice', models.CharField(blank=True, max_length=2)),
                    ('position', models.CharField(max_length=120)),
                    ('decided', models.CharField(blank=True, max_length=60)),
                    ('best', models.CharField(blank=True, max_length=60)),
                    ('level', models.PositiveSmallIntegerField(default=0)),
                    ('counted', models.BooleanField(default=False)),
                    ('error', models.FloatField(default=0)),
                    ('cost', models.FloatField(default=0)),
                    ('fault', models.CharField(blank=True, max_length=20)),
                    ('luck', models.FloatField(blank=True, null=True)),
                    ('luck_cost', models.FloatField(blank=True, null=True)),
                    ('chance', models.FloatField(blank=True, null=True)),
                    ('plays', models.JSONField(blank=True, default=list)),
                    ('cube', models.JSONField(blank=True, null=True)),
                ],
                options={
                    'verbose_name': 'remark',
                    'verbose_name_plural': 'remarks',
                    'constraints': [models.UniqueConstraint(fields=('analysis', 'number'), name='one_remark_per_decision'), models.CheckConstraint(condition=models.Q(('side', 0), ('side', 1), _connector='OR'), name='remark_side_is_known'), models.CheckConstraint(condition=models.Q(('error__gte', 0)), name='remark_errors_not_below_nought')],
                },
            ),
            migrations.CreateModel(
                name='SideSum',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('analysis', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sums', to='opinion.analysis')),
                    ('side', models.PositiveSmallIntegerField(choices=[(0, 'White'), (1, 'Black')])),
                    ('fault', models.CharField(blank=True, max_length=20)),
                    ('number', models.PositiveIntegerField()),
                    ('counted', models.PositiveIntegerField()),
                    ('plays', models.PositiveIntegerField()),
                    ('errors', models.PositiveIntegerField()),
                    ('blunders', models.PositiveIntegerField()),
                    ('error', models.FloatField()),
                    ('squares', models.FloatField()),
                    ('cost', models.FloatField()),
                    ('luck', models.FloatField()),
                    ('luck_cost', models.FloatField()),
                ],
                options={
                    'verbose_name': 'sum of a side',
                    'verbose_name_plural': 'sums of the sides',
                    'constraints': [models.UniqueConstraint(fields=('analysis', 'side', 'fault'), name='one_sum_per_side_and_fault'), models.CheckConstraint(condition=models.Q(('side', 0), ('side', 1), _connector='OR'), name='sum_side_is_known'), models.CheckConstraint(condition=models.Q(('counted__lte', models.F('number'))), name='sum_counts_its_own')],
                },
            ),
            migrations.CreateModel(
                name='Card',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('remark', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='card', to='opinion.remark')),
                    ('box', models.PositiveSmallIntegerField()),
                    ('times', models.PositiveIntegerField()),
                    ('choice', models.CharField(max_length=60)),
                    ('loss', models.FloatField()),
                    ('answered_at', models.DateTimeField()),
                    ('due_at', models.DateTimeField()),
                ],
                options={
                    'verbose_name': 'card',
                    'verbose_name_plural': 'cards',
                    'constraints': [models.CheckConstraint(condition=models.Q(('loss__gte', 0)), name='card_losses_not_below_nought')],
                },
            ),
        ]),
    ]
