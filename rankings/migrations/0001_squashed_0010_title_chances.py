import django.db.models.deletion
import players.keys
from django.conf import settings
from django.db import migrations, models

from rankings.migrations import _dated_lists_stay, _entries_stay
from runtime.create_models import CreateModels


class Migration(migrations.Migration):
    """Everything up to 0010_title_chances, written from the models; a new database begins here (docs/adr/0138)."""

    replaces = [('rankings', '0001_initial'), ('rankings', '0002_names'), ('rankings', '0003_systems_of_the_table'), ('rankings', '0004_entries_stay'), ('rankings', '0005_dated_lists'), ('rankings', '0006_dated_lists_stay'), ('rankings', '0007_rebuilds'), ('rankings', '0008_seasons'), ('rankings', '0009_openings'), ('rankings', '0010_title_chances')]

    initial = True

    dependencies = [
        ('players', '0001_squashed_0010_approval'),
        ('tournaments', '0001_squashed_0013_approval'),
    ]

    operations = [
        CreateModels([
            migrations.CreateModel(
                name='RatingList',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('key', models.CharField(default=players.keys.new_key, editable=False, max_length=10, unique=True)),
                    ('name', models.CharField(max_length=80, verbose_name='name')),
                    ('about', models.TextField(blank=True, max_length=2000, verbose_name='about')),
                    ('system', models.CharField(max_length=20, verbose_name='system')),
                    ('params', models.JSONField(blank=True, default=dict, verbose_name='parameters')),
                    ('dated', models.CharField(blank=True, choices=[('', 'Never'), ('week', 'Each week, on Monday'), ('month', 'Each month, on the 1st')], default='', max_length=5, verbose_name='dated lists')),
                    ('dated_at', models.DateTimeField(blank=True, editable=False, null=True, verbose_name='next dated list')),
                    ('created_at', models.DateTimeField(editable=False, verbose_name='created')),
                    ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rating_lists', to='players.club')),
                    ('created_by', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ],
                options={
                    'verbose_name': 'rating list',
                    'verbose_name_plural': 'rating lists',
                    'ordering': ('club', 'pk'),
                    'indexes': [models.Index(condition=models.Q(('dated_at__isnull', False)), fields=['dated_at'], name='rating_lists_due_for_a_date')],
                    'constraints': [models.UniqueConstraint(fields=('club', 'name'), name='one_rating_list_per_club_and_name'), models.CheckConstraint(condition=models.Q(models.Q(('dated', ''), ('dated_at__isnull', True)), models.Q(('dated__in', ('week', 'month')), ('dated_at__isnull', False)), _connector='OR'), name='rating_list_dated_when_due')],
                },
            ),
            migrations.CreateModel(
                name='Policy',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('number', models.PositiveSmallIntegerField(verbose_name='version')),
                    ('from_at', models.DateTimeField(verbose_name='in force from')),
                    ('shortest', models.PositiveSmallIntegerField(default=1, verbose_name='shortest match')),
                    ('longest', models.PositiveSmallIntegerField(default=25, verbose_name='longest match')),
                    ('played', models.CharField(choices=[('any', 'Over the board and live'), ('board', 'Over the board'), ('live', 'Live on this site')], default='any', max_length=5, verbose_name='played')),
                    ('provisional_under', models.PositiveSmallIntegerField(default=100, verbose_name='provisional under')),
                    ('made_at', models.DateTimeField(editable=False, verbose_name='made')),
                    ('made_by', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('list', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='policies', to='rankings.ratinglist')),
                ],
                options={
                    'verbose_name': 'policy',
                    'verbose_name_plural': 'policies',
                    'ordering': ('list', 'number'),
                    'constraints': [models.UniqueConstraint(fields=('list', 'number'), name='one_policy_per_list_and_number'), models.UniqueConstraint(fields=('list', 'from_at'), name='one_policy_per_list_and_moment'), models.CheckConstraint(condition=models.Q(('shortest__gte', 1), ('shortest__lte', models.F('longest'))), name='policy_rates_some_length'), models.CheckConstraint(condition=models.Q(('played__in', ['any', 'board', 'live'])), name='policy_played_is_known')],
                },
            ),
            migrations.CreateModel(
                name='LedgerEntry',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('match', models.UUIDField(verbose_name='match')),
                    ('at', models.DateTimeField(verbose_name='finished')),
                    ('is_a', models.BooleanField()),
                    ('won', models.BooleanField(verbose_name='won')),
                    ('length', models.PositiveSmallIntegerField(verbose_name='length')),
                    ('before', models.FloatField(verbose_name='before')),
                    ('opponent_before', models.FloatField(verbose_name='opponent before')),
                    ('expectancy', models.FloatField(verbose_name='expectancy')),
                    ('weight', models.FloatField(verbose_name='weight')),
                    ('k', models.FloatField(verbose_name='K')),
                    ('change', models.FloatField(verbose_name='change')),
                    ('after', models.FloatField(verbose_name='after')),
                    ('experience', models.PositiveIntegerField(verbose_name='experience')),
                    ('deviation', models.FloatField(verbose_name='deviation')),
                    ('volatility', models.FloatField(verbose_name='volatility')),
                    ('written_at', models.DateTimeField(verbose_name='written')),
                    ('voided_at', models.DateTimeField(blank=True, null=True, verbose_name='voided')),
                    ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tournaments.tournament')),
                    ('opponent', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='players.player')),
                    ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='players.player')),
                    ('policy', models.ForeignKey(on_delete=django.db.models.deletion.RESTRICT, related_name='+', to='rankings.policy')),
                    ('list', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='entries', to='rankings.ratinglist')),
                ],
                options={
                    'verbose_name': 'ledger entry',
                    'verbose_name_plural': 'ledger entries',
                    'indexes': [models.Index(condition=models.Q(('voided_at__isnull', True)), fields=['list', 'at', 'match'], name='ledger_in_order'), models.Index(condition=models.Q(('voided_at__isnull', True)), fields=['list', 'player', 'at', 'match'], name='ledger_by_player'), models.Index(condition=models.Q(('voided_at__isnull', True)), fields=['list', 'event'], name='ledger_by_event')],
                    'constraints': [models.UniqueConstraint(condition=models.Q(('voided_at__isnull', True)), fields=('list', 'match', 'player'), name='one_entry_per_list_match_player'), models.CheckConstraint(condition=models.Q(('player', models.F('opponent')), _negated=True), name='nobody_is_rated_against_themselves')],
                },
            ),
            migrations.CreateModel(
                name='PlayerRating',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('rating', models.FloatField(verbose_name='rating')),
                    ('matches', models.PositiveIntegerField(verbose_name='matches')),
                    ('last', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='rankings.ledgerentry')),
                    ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='ratings', to='players.player')),
                    ('list', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='ratings', to='rankings.ratinglist')),
                ],
                options={
                    'verbose_name': 'rating',
                    'verbose_name_plural': 'ratings',
                    'indexes': [models.Index(fields=['list', '-rating', 'player'], name='rating_by_list')],
                    'constraints': [models.UniqueConstraint(fields=('list', 'player'), name='one_rating_per_list_and_player')],
                },
            ),
            migrations.CreateModel(
                name='OpeningImport',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('source', models.CharField(max_length=120, verbose_name='source')),
                    ('table', models.JSONField(default=list)),
                    ('guests', models.JSONField(default=list)),
                    ('made_at', models.DateTimeField(verbose_name='made')),
                    ('saved_at', models.DateTimeField(blank=True, null=True, verbose_name='saved')),
                    ('undone_at', models.DateTimeField(blank=True, null=True, verbose_name='undone')),
                    ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('list', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='opening_imports', to='rankings.ratinglist')),
                ],
                options={
                    'verbose_name': 'import of ratings',
                    'verbose_name_plural': 'imports of ratings',
                    'ordering': ('list', '-pk'),
                    'constraints': [models.CheckConstraint(condition=models.Q(('undone_at__isnull', True), ('saved_at__isnull', False), _connector='OR'), name='opening_import_undone_was_saved')],
                },
            ),
            migrations.CreateModel(
                name='Opening',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('day', models.DateField(verbose_name='as of')),
                    ('rating', models.FloatField(verbose_name='rating')),
                    ('experience', models.PositiveIntegerField(default=0, verbose_name='experience')),
                    ('deviation', models.FloatField(blank=True, null=True, verbose_name='deviation')),
                    ('undone_at', models.DateTimeField(blank=True, null=True, verbose_name='undone')),
                    ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='players.player')),
                    ('opening_import', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='openings', to='rankings.openingimport')),
                    ('list', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='openings', to='rankings.ratinglist')),
                ],
                options={
                    'verbose_name': 'opening rating',
                    'verbose_name_plural': 'opening ratings',
                    'constraints': [models.UniqueConstraint(condition=models.Q(('undone_at__isnull', True)), fields=('list', 'player'), name='one_opening_per_list_and_player')],
                },
            ),
            migrations.CreateModel(
                name='DatedList',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('day', models.DateField(verbose_name='day')),
                    ('at', models.DateTimeField(verbose_name='as of')),
                    ('made_at', models.DateTimeField(verbose_name='made')),
                    ('list', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='dated_lists', to='rankings.ratinglist')),
                ],
                options={
                    'verbose_name': 'dated list',
                    'verbose_name_plural': 'dated lists',
                    'ordering': ('list', '-at'),
                    'constraints': [models.UniqueConstraint(fields=('list', 'day'), name='one_dated_list_per_list_and_day'), models.UniqueConstraint(fields=('list', 'at'), name='one_dated_list_per_list_and_moment')],
                },
            ),
            migrations.CreateModel(
                name='Rebuild',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('from_at', models.DateTimeField(blank=True, null=True)),
                    ('from_match', models.CharField(blank=True, max_length=32)),
                    ('is_whole', models.BooleanField(default=False)),
                    ('done', models.PositiveIntegerField(default=0)),
                    ('total', models.PositiveIntegerField(default=0)),
                    ('asked_at', models.DateTimeField()),
                    ('lease', models.CharField(blank=True, max_length=32)),
                    ('leased_until', models.DateTimeField(blank=True, null=True)),
                    ('list', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='rebuild', to='rankings.ratinglist')),
                ],
            ),
            migrations.CreateModel(
                name='Season',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('key', models.CharField(default=players.keys.new_key, editable=False, max_length=10, unique=True)),
                    ('name', models.CharField(max_length=80, verbose_name='name')),
                    ('from_day', models.DateField(verbose_name='first day')),
                    ('to_day', models.DateField(verbose_name='last day')),
                    ('series', models.CharField(blank=True, max_length=80, verbose_name='series')),
                    ('rules', models.JSONField(blank=True, default=dict, verbose_name='rules')),
                    ('created_at', models.DateTimeField(editable=False, verbose_name='created')),
                    ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seasons', to='players.club')),
                    ('created_by', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ],
                options={
                    'verbose_name': 'season',
                    'verbose_name_plural': 'seasons',
                    'ordering': ('club', '-from_day', 'pk'),
                    'constraints': [models.UniqueConstraint(fields=('club', 'name'), name='one_season_per_club_and_name'), models.CheckConstraint(condition=models.Q(('from_day__lte', models.F('to_day'))), name='season_begins_before_it_ends')],
                },
            ),
            migrations.CreateModel(
                name='SeasonPoints',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('place', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='place')),
                    ('for_place', models.DecimalField(decimal_places=2, max_digits=12, verbose_name='points for the place')),
                    ('earned', models.DecimalField(decimal_places=2, max_digits=12, verbose_name='points in all')),
                    ('points', models.DecimalField(decimal_places=2, max_digits=12, verbose_name='points')),
                    ('counts', models.BooleanField(verbose_name='counts')),
                    ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tournaments.tournament')),
                    ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='players.player')),
                    ('season', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='points', to='rankings.season')),
                ],
                options={
                    'verbose_name': 'points of an event',
                    'verbose_name_plural': 'points of events',
                    'indexes': [models.Index(fields=['season', 'player'], name='season_points_by_player')],
                    'constraints': [models.UniqueConstraint(fields=('season', 'event', 'player'), name='one_season_result_per_event_and_player')],
                },
            ),
            migrations.CreateModel(
                name='SeasonStanding',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('place', models.PositiveIntegerField(verbose_name='place')),
                    ('points', models.DecimalField(decimal_places=2, max_digits=14, verbose_name='points')),
                    ('events', models.PositiveSmallIntegerField(verbose_name='events')),
                    ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='players.player')),
                    ('season', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='standings', to='rankings.season')),
                ],
                options={
                    'verbose_name': 'standing in a season',
                    'verbose_name_plural': 'standings in seasons',
                    'indexes': [models.Index(fields=['season', 'place', 'player'], name='season_standings_in_order')],
                    'constraints': [models.UniqueConstraint(fields=('season', 'player'), name='one_standing_per_season_and_player')],
                },
            ),
            migrations.CreateModel(
                name='TitleChances',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('made_of', models.CharField(blank=True, max_length=32)),
                    ('shares', models.JSONField(blank=True, default=list)),
                    ('runs', models.PositiveIntegerField(default=0)),
                    ('computed_at', models.DateTimeField(blank=True, null=True)),
                    ('asked_at', models.DateTimeField(blank=True, null=True)),
                    ('event', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='title_chances', to='tournaments.tournament')),
                    ('list', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='title_chances', to='rankings.ratinglist')),
                ],
                options={
                    'verbose_name': 'title chances',
                    'verbose_name_plural': 'title chances',
                    'indexes': [models.Index(condition=models.Q(('asked_at__isnull', False)), fields=['asked_at'], name='title_chances_by_asked')],
                },
            ),
            migrations.CreateModel(
                name='DatedCorrection',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('match', models.UUIDField(verbose_name='match')),
                    ('at', models.DateTimeField(verbose_name='finished')),
                    ('a', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='players.player')),
                    ('b', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='players.player')),
                    ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tournaments.tournament')),
                    ('was_won_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='players.player')),
                    ('won_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='players.player')),
                    ('dated_list', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='corrections', to='rankings.datedlist')),
                ],
                options={
                    'verbose_name': 'correction',
                    'verbose_name_plural': 'corrections',
                    'ordering': ('at', 'match'),
                    'constraints': [models.UniqueConstraint(fields=('dated_list', 'match'), name='one_correction_per_dated_list_and_match')],
                },
            ),
            migrations.CreateModel(
                name='DatedRating',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('place', models.PositiveIntegerField(verbose_name='place')),
                    ('was_place', models.PositiveIntegerField(blank=True, null=True, verbose_name='place before')),
                    ('is_provisional', models.BooleanField(verbose_name='provisional')),
                    ('rating', models.FloatField(verbose_name='rating')),
                    ('deviation', models.FloatField(verbose_name='deviation')),
                    ('experience', models.PositiveIntegerField(verbose_name='experience')),
                    ('matches', models.PositiveIntegerField(verbose_name='matches')),
                    ('dated_list', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='ratings', to='rankings.datedlist')),
                    ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='players.player')),
                ],
                options={
                    'verbose_name': 'dated rating',
                    'verbose_name_plural': 'dated ratings',
                    'indexes': [models.Index(fields=['dated_list', 'place', '-rating', 'player'], name='dated_ratings_in_order')],
                    'constraints': [models.UniqueConstraint(fields=('dated_list', 'player'), name='one_dated_rating_per_player')],
                },
            ),
        ]),
        migrations.RunPython(_entries_stay.guard, _entries_stay.unguard),
        migrations.RunPython(_dated_lists_stay.guard, _dated_lists_stay.unguard),
    ]
