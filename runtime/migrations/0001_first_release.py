from django.db import migrations, models

from runtime.install.create_models import CreateModels


class Migration(migrations.Migration):
    """All tables as of the first release. What it replaces is for databases from before that release."""

    replaces = [
        ('runtime', '0001_initial'),
        ('runtime', '0002_installation'),
        ('runtime', '0003_restored_copies'),
        ('runtime', '0004_sends_mail'),
        ('runtime', '0005_failures'),
    ]

    initial = True

    dependencies = [
    ]

    operations = [
        CreateModels([
            migrations.CreateModel(
                name='Outbox',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('kind', models.CharField(max_length=40)),
                    ('payload', models.JSONField(default=dict)),
                    ('dedupe_key', models.CharField(max_length=160, unique=True)),
                    ('queue', models.CharField(choices=[('clocks', 'Clocks'), ('default', 'Default'), ('slow', 'Slow')], default='default', max_length=10)),
                    ('created_at', models.DateTimeField()),
                    ('due_at', models.DateTimeField()),
                    ('leased_until', models.DateTimeField(blank=True, null=True)),
                    ('lease', models.CharField(blank=True, max_length=32)),
                    ('attempts', models.PositiveSmallIntegerField(default=0)),
                    ('requests', models.PositiveIntegerField(db_default=1, default=1)),
                    ('last_error', models.TextField(blank=True)),
                    ('done_at', models.DateTimeField(blank=True, null=True)),
                    ('failed_at', models.DateTimeField(blank=True, null=True)),
                ],
                options={
                    'verbose_name': 'outbox entry',
                    'verbose_name_plural': 'outbox',
                    'indexes': [models.Index(condition=models.Q(('done_at__isnull', True), ('failed_at__isnull', True)), fields=['due_at'], name='outbox_due'), models.Index(condition=models.Q(('done_at__isnull', False)), fields=['done_at'], name='outbox_done')],
                    'constraints': [models.CheckConstraint(condition=models.Q(('done_at__isnull', True), ('failed_at__isnull', True), _connector='OR'), name='outbox_done_or_failed')],
                },
            ),
            migrations.CreateModel(
                name='Installation',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('key', models.CharField(max_length=32)),
                    ('sends_mail', models.BooleanField(db_column='sends_letters', default=False)),
                    ('home', models.CharField(blank=True, db_default='', default='', max_length=80)),
                    ('held_at', models.DateTimeField(blank=True, null=True)),
                ],
                options={
                    'verbose_name': 'installation',
                    'verbose_name_plural': 'installations',
                    'constraints': [models.CheckConstraint(condition=models.Q(('pk', 1)), name='one_installation')],
                },
            ),
            migrations.CreateModel(
                name='Node',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('name', models.CharField(max_length=120, unique=True)),
                    ('role', models.CharField(max_length=12)),
                    ('started_at', models.DateTimeField()),
                    ('seen_at', models.DateTimeField()),
                    ('until', models.DateTimeField()),
                ],
                options={
                    'verbose_name': 'node',
                    'verbose_name_plural': 'nodes',
                },
            ),
            migrations.CreateModel(
                name='Pulse',
                fields=[
                    ('role', models.CharField(max_length=12, primary_key=True, serialize=False)),
                    ('seen_at', models.DateTimeField()),
                    ('until', models.DateTimeField()),
                ],
                options={
                    'verbose_name': 'pulse',
                    'verbose_name_plural': 'pulses',
                },
            ),
            migrations.CreateModel(
                name='Outage',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('role', models.CharField(max_length=12)),
                    ('from_at', models.DateTimeField()),
                    ('to_at', models.DateTimeField()),
                ],
                options={
                    'verbose_name': 'outage',
                    'verbose_name_plural': 'outages',
                    'indexes': [models.Index(fields=['role', 'to_at'], name='runtime_out_role_aa29eb_idx')],
                    'constraints': [models.UniqueConstraint(fields=('role', 'from_at'), name='one_outage_per_role_and_start'), models.CheckConstraint(condition=models.Q(('to_at__gt', models.F('from_at'))), name='outage_ends_after_it_began')],
                },
            ),
            migrations.CreateModel(
                name='SweepRun',
                fields=[
                    ('name', models.CharField(max_length=40, primary_key=True, serialize=False)),
                    ('claimed_at', models.DateTimeField()),
                    ('finished_at', models.DateTimeField(blank=True, null=True)),
                    ('took_ms', models.PositiveIntegerField(default=0)),
                    ('found', models.PositiveIntegerField(default=0)),
                    ('last_error', models.TextField(blank=True)),
                    ('failures', models.PositiveSmallIntegerField(db_default=0, default=0)),
                    ('retry_at', models.DateTimeField(blank=True, null=True)),
                ],
                options={
                    'verbose_name': 'sweep',
                    'verbose_name_plural': 'sweeps',
                },
            ),
            migrations.CreateModel(
                name='Failure',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('sweep', models.CharField(max_length=40)),
                    ('subject', models.CharField(max_length=40)),
                    ('attempts', models.PositiveSmallIntegerField()),
                    ('retry_at', models.DateTimeField()),
                    ('last_error', models.TextField()),
                ],
                options={
                    'verbose_name': 'failure of a sweep',
                    'verbose_name_plural': 'failures of sweeps',
                    'constraints': [models.UniqueConstraint(fields=('sweep', 'subject'), name='one_failure_a_subject')],
                },
            ),
            migrations.CreateModel(
                name='Topic',
                fields=[
                    ('name', models.CharField(max_length=80, primary_key=True, serialize=False)),
                    ('head', models.PositiveBigIntegerField(default=0)),
                ],
                options={
                    'verbose_name': 'topic',
                    'verbose_name_plural': 'topics',
                },
            ),
            migrations.CreateModel(
                name='TopicEvent',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('topic', models.CharField(max_length=80)),
                    ('seq', models.PositiveBigIntegerField()),
                    ('name', models.CharField(max_length=40)),
                    ('data', models.JSONField(default=dict)),
                    ('created_at', models.DateTimeField()),
                ],
                options={
                    'verbose_name': 'topic event',
                    'verbose_name_plural': 'topic events',
                    'indexes': [models.Index(fields=['created_at'], name='runtime_top_created_9eb653_idx')],
                    'constraints': [models.UniqueConstraint(fields=('topic', 'seq'), name='one_event_per_topic_and_number')],
                },
            ),
            migrations.CreateModel(
                name='Presence',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('topic', models.CharField(max_length=80)),
                    ('node', models.CharField(max_length=120)),
                    ('readers', models.PositiveIntegerField()),
                    ('seen_at', models.DateTimeField()),
                ],
                options={
                    'verbose_name': 'presence',
                    'verbose_name_plural': 'presences',
                    'indexes': [models.Index(fields=['node'], name='runtime_pre_node_08557d_idx')],
                    'constraints': [models.UniqueConstraint(fields=('topic', 'node'), name='one_presence_per_topic_and_node'), models.CheckConstraint(condition=models.Q(('readers__gt', 0)), name='presence_has_readers')],
                },
            ),
            migrations.CreateModel(
                name='Attendance',
                fields=[
                    ('topic', models.CharField(max_length=80, primary_key=True, serialize=False)),
                    ('since', models.DateTimeField()),
                ],
                options={
                    'verbose_name': 'attendance',
                    'verbose_name_plural': 'attendances',
                },
            ),
            migrations.CreateModel(
                name='StoredAnswer',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('actor', models.CharField(max_length=80)),
                    ('key', models.CharField(max_length=80)),
                    ('request_hash', models.CharField(max_length=64)),
                    ('status', models.PositiveSmallIntegerField()),
                    ('body', models.JSONField(null=True)),
                    ('created_at', models.DateTimeField()),
                ],
                options={
                    'verbose_name': 'stored answer',
                    'verbose_name_plural': 'stored answers',
                    'indexes': [models.Index(fields=['created_at'], name='runtime_sto_created_295d75_idx')],
                    'constraints': [models.UniqueConstraint(fields=('actor', 'key'), name='one_answer_per_actor_and_key')],
                },
            ),
        ]),
    ]
