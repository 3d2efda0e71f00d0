import django.db.models.deletion
import players.keys
import records.models.archive
import uuid
from django.conf import settings
from django.db import migrations, models

from records.migrations import _records_stay
from runtime.install.create_models import CreateModels


class Migration(migrations.Migration):
    """All tables as of the first release. What it replaces is for databases from before that release."""

    replaces = [
        ('records', '0001_initial'),
        ('records', '0002_records_stay'),
        ('records', '0003_sheets'),
        ('records', '0004_holders'),
        ('records', '0005_outcomes'),
        ('records', '0006_archive'),
        ('records', '0007_halves'),
        ('records', '0008_transcriptions'),
        ('records', '0009_photos'),
        ('records', '0010_position_numbers'),
        ('records', '0011_transcribed_at_the_table'),
        ('records', '0012_flag_times'),
        ('records', '0013_quotas'),
        ('records', '0014_short_codes'),
        ('records', '0015_facts_kept'),
    ]

    initial = True

    dependencies = [
        ('matches', '0001_first_release'),
        ('players', '0001_first_release'),
        ('tournaments', '0001_first_release'),
    ]

    operations = [
        CreateModels([
            migrations.CreateModel(
                name='RecordedName',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='recorded_names', to='players.club')),
                    ('name', models.TextField(verbose_name='name')),
                    ('folded_name', models.TextField(blank=True, default='', editable=False)),
                ],
                options={
                    'verbose_name': 'recorded name',
                    'verbose_name_plural': 'recorded names',
                    'constraints': [models.UniqueConstraint(fields=('club', 'name'), name='one_recorded_name_per_club')],
                },
            ),
            migrations.CreateModel(
                name='RecordFile',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='record_files', to='players.club')),
                    ('sha256', models.CharField(max_length=64)),
                    ('size', models.PositiveIntegerField(verbose_name='bytes')),
                    ('content', models.BinaryField()),
                    ('kept_at', models.DateTimeField(verbose_name='kept since')),
                    ('word', models.CharField(blank=True, choices=[('accepted', 'Accepted'), ('noted', 'Noted'), ('rejected', 'Rejected'), ('unreadable', 'Unreadable')], max_length=10, verbose_name='verdict')),
                    ('judged_at', models.DateTimeField(blank=True, null=True)),
                    ('attempts', models.PositiveSmallIntegerField(default=0)),
                ],
                options={
                    'verbose_name': 'record file',
                    'verbose_name_plural': 'record files',
                    'indexes': [models.Index(fields=['club', 'kept_at', 'size'], name='record_bytes_by_club_and_day')],
                    'constraints': [models.UniqueConstraint(fields=('club', 'sha256'), name='one_record_file_per_club_and_hash'), models.CheckConstraint(condition=models.Q(models.Q(('judged_at__isnull', True), ('word', '')), models.Q(('judged_at__isnull', False), ('word__in', ['accepted', 'noted', 'rejected', 'unreadable'])), _connector='OR'), name='record_file_judged_says_so')],
                },
            ),
            migrations.CreateModel(
                name='RecordMatch',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('uid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                    ('key', models.CharField(default=players.keys.new_key, editable=False, max_length=10, unique=True)),
                    ('file', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='matches', to='records.recordfile')),
                    ('number', models.PositiveSmallIntegerField(verbose_name='number')),
                    ('word', models.CharField(choices=[('accepted', 'Accepted'), ('noted', 'Noted'), ('rejected', 'Rejected'), ('unreadable', 'Unreadable')], max_length=10, verbose_name='verdict')),
                    ('white', models.TextField(blank=True, verbose_name='White')),
                    ('black', models.TextField(blank=True, verbose_name='Black')),
                    ('folded_name', models.TextField(blank=True, default='', editable=False)),
                    ('length', models.BigIntegerField(blank=True, null=True, verbose_name='length')),
                    ('white_score', models.BigIntegerField(default=0)),
                    ('black_score', models.BigIntegerField(default=0)),
                    ('winner', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='winner')),
                    ('findings', models.PositiveIntegerField(default=0, verbose_name='findings')),
                    ('verdict', models.JSONField()),
                    ('engine', models.CharField(max_length=20, verbose_name='engine')),
                    ('judged_at', models.DateTimeField()),
                ],
                options={
                    'verbose_name': 'recorded match',
                    'verbose_name_plural': 'recorded matches',
                    'ordering': ('file', 'number'),
                    'indexes': [models.Index(models.F('word'), models.OrderBy(models.F('judged_at'), descending=True), name='recorded_matches_by_word')],
                    'constraints': [models.UniqueConstraint(fields=('file', 'number'), name='one_verdict_per_file_and_number'), models.CheckConstraint(condition=models.Q(('winner__isnull', True), ('winner', 0), ('winner', 1), _connector='OR'), name='record_won_by_one_of_two')],
                },
            ),
            migrations.CreateModel(
                name='ArchivedMatch',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('match', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='archived', to='matches.match')),
                    ('pairing', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='archived', to='tournaments.pairing')),
                    ('record', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='archived', to='records.recordmatch')),
                    ('club', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='archived_matches', to='players.club')),
                    ('event', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='archived_matches', to='tournaments.tournament')),
                    ('event_name', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='events', to='records.recordedname')),
                    ('length', models.PositiveIntegerField(verbose_name='length')),
                    ('played_at', models.DateTimeField(verbose_name='played')),
                    ('white_score', models.BigIntegerField(default=0)),
                    ('black_score', models.BigIntegerField(default=0)),
                    ('winner', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='winner')),
                    ('ending', models.CharField(blank=True, max_length=14, verbose_name='ending')),
                    ('is_read', models.BooleanField(default=False)),
                    ('has_facts', models.BooleanField(default=False)),
                ],
                options={
                    'verbose_name': 'archived match',
                    'verbose_name_plural': 'archived matches',
                    'indexes': [models.Index(models.OrderBy(models.F('played_at'), descending=True), models.OrderBy(models.F('id'), descending=True), name='archived_by_day'), models.Index(models.F('club'), models.OrderBy(models.F('played_at'), descending=True), models.OrderBy(models.F('id'), descending=True), name='archived_by_club_and_day'), models.Index(condition=models.Q(('is_read', False)), fields=['id'], name='archived_to_read')],
                    'constraints': [models.CheckConstraint(condition=models.Q(('match__isnull', False), ('pairing__isnull', False), ('record__isnull', False), _connector='OR'), name='archived_match_was_played_somewhere'), models.CheckConstraint(condition=models.Q(('winner__isnull', True), ('winner', 0), ('winner', 1), _connector='OR'), name='archived_won_by_one_of_two')],
                },
            ),
            migrations.CreateModel(
                name='ArchivedSide',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('archived', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sides', to='records.archivedmatch')),
                    ('side', models.PositiveSmallIntegerField()),
                    ('player', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='archived_sides', to='players.player')),
                    ('name', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='archived_sides', to='records.recordedname')),
                    ('doubled', models.PositiveIntegerField(default=0)),
                    ('took', models.PositiveIntegerField(default=0)),
                    ('dropped', models.PositiveIntegerField(default=0)),
                    ('rolls', models.PositiveIntegerField(default=0)),
                    ('hits', models.PositiveIntegerField(default=0)),
                    ('dances', models.PositiveIntegerField(default=0)),
                    ('milliseconds', models.BigIntegerField(blank=True, null=True)),
                ],
                options={
                    'verbose_name': 'archived side',
                    'verbose_name_plural': 'archived sides',
                    'constraints': [models.UniqueConstraint(fields=('archived', 'side'), name='one_archived_side_each'), models.CheckConstraint(condition=models.Q(('side', 0), ('side', 1), _connector='OR'), name='archived_side_is_one_of_two')],
                },
            ),
            migrations.CreateModel(
                name='ArchivedGame',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('archived', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='games', to='records.archivedmatch')),
                    ('number', models.PositiveSmallIntegerField(verbose_name='number')),
                    ('opener', models.PositiveSmallIntegerField(blank=True, null=True)),
                    ('roll', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='opening roll')),
                    ('play', models.CharField(blank=True, max_length=40, verbose_name='opening play')),
                    ('winner', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='winner')),
                    ('points', models.PositiveIntegerField(default=0)),
                    ('kind', models.PositiveSmallIntegerField(default=1)),
                    ('how', models.CharField(max_length=12, verbose_name='ending')),
                ],
                options={
                    'verbose_name': 'archived game',
                    'verbose_name_plural': 'archived games',
                    'indexes': [models.Index(fields=['roll', 'play'], name='archived_games_by_opening')],
                    'constraints': [models.UniqueConstraint(fields=('archived', 'number'), name='one_archived_game_per_number')],
                },
            ),
            migrations.CreateModel(
                name='ArchivedPositions',
                fields=[
                    ('archived', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='positions', serialize=False, to='records.archivedmatch')),
                    ('packed', models.BinaryField()),
                ],
                options={
                    'verbose_name': 'archived positions',
                    'verbose_name_plural': 'archived positions',
                },
            ),
            migrations.CreateModel(
                name='PositionIndex',
                fields=[
                    ('id', records.models.archive.RowNumber(primary_key=True, serialize=False)),
                ],
                options={
                    'verbose_name': 'position index',
                    'verbose_name_plural': 'position index',
                },
            ),
            migrations.CreateModel(
                name='ArchiveMark',
                fields=[
                    ('source', models.CharField(max_length=8, primary_key=True, serialize=False)),
                    ('at', models.DateTimeField()),
                    ('row', models.BigIntegerField(default=0)),
                ],
                options={
                    'verbose_name': 'archive mark',
                    'verbose_name_plural': 'archive marks',
                },
            ),
            migrations.CreateModel(
                name='MatchPhoto',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('uid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                    ('key', models.CharField(default=players.keys.new_key, editable=False, max_length=10, unique=True)),
                    ('pairing', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='photos', to='tournaments.pairing')),
                    ('entry', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tournaments.entry')),
                    ('by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('device', models.CharField(blank=True, default='', editable=False, max_length=22)),
                    ('sha256', models.CharField(editable=False, max_length=64)),
                    ('content', models.BinaryField()),
                    ('at', models.DateTimeField(verbose_name='when')),
                ],
                options={
                    'verbose_name': 'photo of a match',
                    'verbose_name_plural': 'photos of matches',
                    'ordering': ('at', 'pk'),
                    'constraints': [models.UniqueConstraint(fields=('pairing', 'sha256'), name='one_photo_per_pairing_and_hash')],
                },
            ),
            migrations.CreateModel(
                name='ScoreSheet',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('uid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                    ('pairing', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='score_sheets', to='tournaments.pairing')),
                    ('a', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tournaments.entry')),
                    ('b', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tournaments.entry')),
                    ('begun_at', models.DateTimeField()),
                    ('flag_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ],
                options={
                    'verbose_name': 'score sheet',
                    'verbose_name_plural': 'score sheets',
                    'indexes': [models.Index(condition=models.Q(('flag_at__isnull', False)), fields=['flag_at'], name='sheet_flag_to_fall')],
                    'constraints': [models.UniqueConstraint(fields=('pairing', 'a', 'b'), name='one_sheet_per_pairing_and_two')],
                },
            ),
            migrations.CreateModel(
                name='SheetAct',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('sheet', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='acts', to='records.scoresheet')),
                    ('seq', models.PositiveIntegerField()),
                    ('key', models.CharField(max_length=40)),
                    ('tap', models.JSONField()),
                    ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('device', models.CharField(blank=True, db_default='', editable=False, max_length=22)),
                    ('at', models.DateTimeField()),
                ],
                options={
                    'verbose_name': 'tap',
                    'verbose_name_plural': 'taps',
                    'ordering': ('sheet', 'seq'),
                    'constraints': [models.UniqueConstraint(fields=('sheet', 'seq'), name='one_tap_per_sheet_and_seq'), models.UniqueConstraint(fields=('sheet', 'key'), name='one_tap_per_sheet_and_key')],
                },
            ),
            migrations.CreateModel(
                name='Holder',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('pairing', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='holders', to='tournaments.pairing')),
                    ('device', models.CharField(max_length=22)),
                    ('entry', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tournaments.entry')),
                    ('at', models.DateTimeField()),
                ],
                options={
                    'verbose_name': 'holder of a code',
                    'verbose_name_plural': 'holders of codes',
                    'constraints': [models.UniqueConstraint(fields=('pairing', 'device'), name='one_holder_per_pairing_and_device')],
                },
            ),
            migrations.CreateModel(
                name='ShortCode',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('letters', models.CharField(editable=False, max_length=7, unique=True, verbose_name='letters')),
                    ('code', models.CharField(editable=False, max_length=160, unique=True, verbose_name='code')),
                    ('until', models.DateTimeField(db_index=True, editable=False)),
                ],
                options={
                    'verbose_name': 'short code',
                    'verbose_name_plural': 'short codes',
                },
            ),
            migrations.CreateModel(
                name='RecordAlias',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='record_aliases', to='players.club')),
                    ('folded', models.CharField(max_length=200)),
                    ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='record_aliases', to='players.player')),
                ],
                options={
                    'verbose_name': 'name in records',
                    'verbose_name_plural': 'names in records',
                    'constraints': [models.UniqueConstraint(fields=('club', 'folded'), name='one_player_per_club_and_name_in_records')],
                },
            ),
            migrations.CreateModel(
                name='Submission',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('uid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                    ('key', models.CharField(default=players.keys.new_key, editable=False, max_length=10, unique=True)),
                    ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='submissions', to='players.club')),
                    ('batch', models.CharField(db_index=True, max_length=10)),
                    ('name', models.CharField(max_length=200, verbose_name='file')),
                    ('file', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='submissions', to='records.recordfile')),
                    ('refusal', models.CharField(blank=True, max_length=20)),
                    ('by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='submissions', to=settings.AUTH_USER_MODEL)),
                    ('pairing', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='submissions', to='tournaments.pairing')),
                    ('mends', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='mended_by', to='records.submission')),
                    ('entry', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='tournaments.entry')),
                    ('opponent', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='tournaments.entry')),
                    ('device', models.CharField(blank=True, db_default='', editable=False, max_length=22)),
                    ('at', models.DateTimeField(verbose_name='when')),
                    ('outcome', models.CharField(blank=True, choices=[('confirmed', 'The record ends as reported: the result stands.'), ('reported', 'The result was reported from the record.'), ('entered', 'The result was entered from the record.'), ('fits', 'The record agrees with the result that stands.'), ('differs', 'The record ends differently from the result. The director can compare the two.'), ('disputed', 'The two players do not agree on the result. The director decides, and sees this record.'), ('rejected', 'A rejected record changes nothing. Correct what the referee has found, and hand it in again.'), ('who', 'The names in the record do not show who is who.'), ('other', 'The record has no match between these two players. It changes nothing.'), ('unfinished', 'The match in the record did not end, or has another length. It changes nothing.'), ('half', 'The record begins in mid-match. Hand in the part before it, too: together they count.'), ('joined', 'The record is one part of the match, and counts together with the other one.'), ('kept', 'The record is kept with the match and changes nothing.')], db_default='', editable=False, max_length=10)),
                ],
                options={
                    'verbose_name': 'submission',
                    'verbose_name_plural': 'submissions',
                    'ordering': ('at', 'pk'),
                    'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('file__isnull', False), ('refusal', '')), models.Q(models.Q(('refusal', ''), _negated=True), ('file__isnull', True)), _connector='OR'), name='submission_is_kept_or_refused')],
                },
            ),
            migrations.CreateModel(
                name='RecordFacts',
                fields=[
                    ('match', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='facts', serialize=False, to='records.recordmatch')),
                    ('document', models.BinaryField()),
                ],
                options={
                    'verbose_name': 'facts of a record',
                    'verbose_name_plural': 'facts of records',
                },
            ),
            migrations.CreateModel(
                name='Transcription',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('uid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                    ('key', models.CharField(default=players.keys.new_key, editable=False, max_length=10, unique=True)),
                    ('by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='transcriptions', to=settings.AUTH_USER_MODEL)),
                    ('entry', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tournaments.entry')),
                    ('opponent', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tournaments.entry')),
                    ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='transcriptions', to='players.club')),
                    ('pairing', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='transcriptions', to='tournaments.pairing')),
                    ('mends', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='mending', to='records.submission')),
                    ('handed_in', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='transcribed', to='records.submission')),
                    ('head', models.JSONField()),
                    ('lines', models.JSONField(default=list)),
                    ('edits', models.JSONField(default=list)),
                    ('version', models.PositiveIntegerField(default=0)),
                    ('begun_at', models.DateTimeField(verbose_name='begun')),
                    ('changed_at', models.DateTimeField(verbose_name='changed')),
                ],
                options={
                    'verbose_name': 'transcription',
                    'verbose_name_plural': 'transcriptions',
                    'ordering': ('-changed_at', '-pk'),
                    'indexes': [models.Index(fields=['by', '-changed_at'], name='transcriptions_of_somebody')],
                    'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('by__isnull', False), ('entry__isnull', True), ('opponent__isnull', True)), models.Q(('by__isnull', True), ('entry__isnull', False), ('opponent__isnull', False)), _connector='OR'), name='transcribed_by_an_account_or_at_a_table'), models.UniqueConstraint(condition=models.Q(('entry__isnull', False)), fields=('pairing', 'entry', 'opponent'), name='one_transcription_per_match_and_side')],
                },
            ),
        ]),
        migrations.RunPython(_records_stay.guard, _records_stay.unguard),
    ]
