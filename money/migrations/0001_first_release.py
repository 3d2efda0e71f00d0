import django.db.models.deletion
from decimal import Decimal
from django.conf import settings
from django.db import migrations, models

from money.migrations import _auction_stands, _lines_stand
from runtime.install.create_models import CreateModels


class Migration(migrations.Migration):
    """All tables as of the first release. What it replaces is for databases from before that release."""

    replaces = [
        ('money', '0001_initial'),
        ('money', '0002_prizes_by_entries'),
        ('money', '0003_auctions'),
        ('money', '0004_helpers'),
        ('money', '0005_agreed_splits'),
    ]

    initial = True

    dependencies = [
        ('players', '0001_first_release'),
        ('tournaments', '0001_first_release'),
    ]

    operations = [
        CreateModels([
            migrations.CreateModel(
                name='EventMoney',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('event', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='money', to='tournaments.tournament')),
                    ('currency', models.CharField(max_length=3, verbose_name='currency')),
                    ('decimals', models.PositiveSmallIntegerField(default=2, verbose_name='decimals')),
                    ('fee', models.BigIntegerField(default=0, verbose_name='entry fee')),
                    ('registration', models.BigIntegerField(default=0, verbose_name='registration fee')),
                    ('added', models.BigIntegerField(default=0, verbose_name='added money')),
                    ('rake_percent', models.DecimalField(decimal_places=2, default=Decimal('0'), max_digits=5, verbose_name='rake')),
                    ('prizes', models.JSONField(blank=True, default=dict, verbose_name='prizes')),
                    ('steps', models.JSONField(blank=True, db_default=[], default=list, verbose_name='prizes by entries')),
                    ('reduced', models.JSONField(blank=True, db_default=[], default=list, verbose_name='reduced fees')),
                    ('opened_by', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('opened_at', models.DateTimeField(editable=False, verbose_name='opened')),
                ],
                options={
                    'verbose_name': 'money of an event',
                    'verbose_name_plural': 'money of events',
                    'constraints': [models.CheckConstraint(condition=models.Q(('decimals', 0), ('decimals', 2), ('decimals', 3), _connector='OR'), name='money_decimals_are_known'), models.CheckConstraint(condition=models.Q(('added__range', (0, 1000000000000)), ('fee__range', (0, 1000000000000)), ('registration__range', (0, 1000000000000))), name='money_terms_not_below_nought'), models.CheckConstraint(condition=models.Q(('rake_percent__gte', 0), ('rake_percent__lte', 100)), name='money_rake_is_a_percent')],
                },
            ),
            migrations.CreateModel(
                name='MoneyPool',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('money', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='pools', to='money.eventmoney')),
                    ('number', models.PositiveSmallIntegerField(verbose_name='number')),
                    ('name', models.CharField(max_length=60, verbose_name='name')),
                    ('stake', models.BigIntegerField(verbose_name='stake')),
                    ('rake_percent', models.DecimalField(decimal_places=2, default=Decimal('0'), max_digits=5, verbose_name='rake')),
                    ('prizes', models.JSONField(default=list, verbose_name='prizes')),
                    ('reading', models.CharField(choices=[('main', 'Best in the main draw'), ('main-first', 'Best in the main draw, then in the consolation'), ('consolation-first', 'Best in the consolation, then in the main draw')], default='main', max_length=20, verbose_name='who wins')),
                ],
                options={
                    'verbose_name': 'side pool',
                    'verbose_name_plural': 'side pools',
                    'ordering': ('money', 'number'),
                    'constraints': [models.UniqueConstraint(fields=('money', 'number'), name='one_pool_per_number'), models.CheckConstraint(condition=models.Q(('stake__gt', 0), ('stake__lte', 1000000000000)), name='pool_has_a_stake'), models.CheckConstraint(condition=models.Q(('rake_percent__gte', 0), ('rake_percent__lte', 100)), name='pool_rake_is_a_percent'), models.CheckConstraint(condition=models.Q(('reading__in', ['main', 'main-first', 'consolation-first'])), name='pool_reading_known')],
                },
            ),
            migrations.CreateModel(
                name='MoneyLine',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('money', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='lines', to='money.eventmoney')),
                    ('number', models.PositiveIntegerField(verbose_name='number')),
                    ('kind', models.CharField(choices=[('fee', 'Entry fee'), ('registration', 'Registration fee'), ('stake', 'Side pool'), ('expense', 'Expense'), ('payout', 'Payout'), ('split', 'Agreed split')], max_length=12, verbose_name='kind')),
                    ('entrant', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='entry')),
                    ('item', models.PositiveSmallIntegerField(default=0, verbose_name='item')),
                    ('turn', models.PositiveSmallIntegerField(default=0, verbose_name='turn')),
                    ('amount', models.BigIntegerField(verbose_name='amount')),
                    ('note', models.CharField(blank=True, max_length=200, verbose_name='note')),
                    ('agreed', models.JSONField(blank=True, default=None, editable=False, null=True)),
                    ('corrects', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='corrected_by', to='money.moneyline')),
                    ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('helper', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='tournaments.helper')),
                    ('at', models.DateTimeField(verbose_name='when')),
                ],
                options={
                    'verbose_name': 'line of a ledger',
                    'verbose_name_plural': 'lines of ledgers',
                    'ordering': ('money', 'number'),
                    'constraints': [models.UniqueConstraint(fields=('money', 'number'), name='one_money_line_per_number'), models.UniqueConstraint(fields=('money', 'entrant', 'kind', 'item', 'turn'), name='one_money_line_per_turn'), models.CheckConstraint(condition=models.Q(('kind__in', ['fee', 'registration', 'stake', 'expense', 'payout', 'split'])), name='money_line_kind_is_known'), models.CheckConstraint(condition=models.Q(models.Q(('entrant__isnull', False), ('kind__in', ['fee', 'registration', 'stake', 'payout', 'split'])), models.Q(('entrant__isnull', True), ('kind', 'expense')), _connector='OR'), name='money_line_of_a_player_or_an_expense'), models.CheckConstraint(condition=models.Q(models.Q(('amount__gt', 0), ('corrects__isnull', True)), models.Q(('amount__lt', 0), ('corrects__isnull', False)), models.Q(('kind', 'split'), models.Q(('amount', 0), _negated=True)), _connector='OR'), name='money_line_amount_fits'), models.CheckConstraint(condition=models.Q(('corrects__isnull', True), models.Q(models.Q(('corrects', models.F('pk')), _negated=True), models.Q(('note', ''), _negated=True)), _connector='OR'), name='money_counter_entry_says_why')],
                },
            ),
            migrations.CreateModel(
                name='EventAuction',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('money', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='auction', to='money.eventmoney')),
                    ('rake_percent', models.DecimalField(decimal_places=2, default=Decimal('0'), max_digits=5, verbose_name='rake')),
                    ('prizes', models.JSONField(default=list, verbose_name='prizes')),
                    ('is_public', models.BooleanField(default=False, verbose_name='shown to everyone')),
                    ('opened_by', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('opened_at', models.DateTimeField(editable=False, verbose_name='opened')),
                ],
                options={
                    'verbose_name': 'auction of an event',
                    'verbose_name_plural': 'auctions of events',
                    'constraints': [models.CheckConstraint(condition=models.Q(('rake_percent__gte', 0), ('rake_percent__lte', 100)), name='auction_rake_is_a_percent')],
                },
            ),
            migrations.CreateModel(
                name='AuctionLot',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('auction', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='lots', to='money.eventauction')),
                    ('number', models.PositiveSmallIntegerField(verbose_name='number')),
                    ('name', models.CharField(blank=True, max_length=60, verbose_name='name')),
                ],
                options={
                    'verbose_name': 'lot of an auction',
                    'verbose_name_plural': 'lots of auctions',
                    'ordering': ('auction', 'number'),
                    'constraints': [models.UniqueConstraint(fields=('auction', 'number'), name='one_auction_lot_per_number')],
                },
            ),
            migrations.CreateModel(
                name='AuctionPlayer',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('auction', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='players', to='money.eventauction')),
                    ('lot', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='players', to='money.auctionlot')),
                    ('entrant', models.PositiveSmallIntegerField(verbose_name='entry')),
                ],
                options={
                    'verbose_name': 'player in a lot',
                    'verbose_name_plural': 'players in lots',
                    'constraints': [models.UniqueConstraint(fields=('auction', 'entrant'), name='one_auction_lot_per_player')],
                },
            ),
            migrations.CreateModel(
                name='AuctionParty',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('auction', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='parties', to='money.eventauction')),
                    ('number', models.PositiveSmallIntegerField(verbose_name='number')),
                    ('entrant', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='entry')),
                    ('name', models.CharField(blank=True, max_length=80, verbose_name='name')),
                ],
                options={
                    'verbose_name': 'buyer in an auction',
                    'verbose_name_plural': 'buyers in auctions',
                    'ordering': ('auction', 'number'),
                    'constraints': [models.UniqueConstraint(fields=('auction', 'number'), name='one_auction_party_per_number'), models.UniqueConstraint(condition=models.Q(('entrant__isnull', False)), fields=('auction', 'entrant'), name='one_auction_party_per_player'), models.UniqueConstraint(condition=models.Q(('entrant__isnull', True)), fields=('auction', 'name'), name='one_auction_party_per_name'), models.CheckConstraint(condition=models.Q(models.Q(('entrant__isnull', False), ('name', '')), models.Q(('entrant__isnull', True), models.Q(('name', ''), _negated=True)), _connector='OR'), name='auction_party_is_a_player_or_a_name')],
                },
            ),
            migrations.CreateModel(
                name='AuctionLine',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('auction', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='lines', to='money.eventauction')),
                    ('number', models.PositiveIntegerField(verbose_name='number')),
                    ('kind', models.CharField(choices=[('sale', 'Sold'), ('back', 'Share bought back'), ('paid', 'Paid for a lot'), ('payout', 'Payout')], max_length=8, verbose_name='kind')),
                    ('lot', models.PositiveSmallIntegerField(default=0, verbose_name='lot')),
                    ('party', models.PositiveSmallIntegerField(verbose_name='buyer')),
                    ('turn', models.PositiveSmallIntegerField(default=0, verbose_name='turn')),
                    ('amount', models.BigIntegerField(default=0, verbose_name='amount')),
                    ('percent', models.DecimalField(decimal_places=2, default=Decimal('0'), max_digits=5, verbose_name='percent')),
                    ('note', models.CharField(blank=True, max_length=200, verbose_name='note')),
                    ('corrects', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='corrected_by', to='money.auctionline')),
                    ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('at', models.DateTimeField(verbose_name='when')),
                ],
                options={
                    'verbose_name': "line of an auction's ledger",
                    'verbose_name_plural': "lines of auctions' ledgers",
                    'ordering': ('auction', 'number'),
                    'constraints': [models.UniqueConstraint(fields=('auction', 'number'), name='one_auction_line_per_number'), models.UniqueConstraint(fields=('auction', 'kind', 'lot', 'party', 'turn'), name='one_auction_line_per_turn'), models.UniqueConstraint(condition=models.Q(('kind', 'sale')), fields=('auction', 'lot', 'turn'), name='one_auction_sale_per_turn'), models.CheckConstraint(condition=models.Q(('kind__in', ['sale', 'back', 'paid', 'payout'])), name='auction_line_kind_is_known'), models.CheckConstraint(condition=models.Q(models.Q(('kind', 'payout'), ('lot', 0)), models.Q(models.Q(('kind', 'payout'), _negated=True), ('lot__gt', 0)), _connector='OR'), name='auction_line_of_a_lot_or_a_payout'), models.CheckConstraint(condition=models.Q(models.Q(('amount', 0), ('corrects__isnull', True), ('kind', 'back'), ('percent__gt', 0)), models.Q(('amount', 0), ('corrects__isnull', False), ('kind', 'back'), ('percent__lt', 0)), models.Q(models.Q(('kind', 'back'), _negated=True), ('percent', 0), models.Q(models.Q(('amount__gt', 0), ('corrects__isnull', True)), models.Q(('amount__lt', 0), ('corrects__isnull', False)), _connector='OR')), _connector='OR'), name='auction_line_amount_fits'), models.CheckConstraint(condition=models.Q(('corrects__isnull', True), models.Q(models.Q(('corrects', models.F('pk')), _negated=True), models.Q(('note', ''), _negated=True)), _connector='OR'), name='auction_counter_entry_says_why')],
                },
            ),
        ]),
        migrations.RunPython(_lines_stand.guard, _lines_stand.unguard),
        migrations.RunPython(_auction_stands.guard, _auction_stands.unguard),
    ]
