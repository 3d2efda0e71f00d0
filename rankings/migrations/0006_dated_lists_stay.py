from django.db import migrations

from rankings.migrations._dated_lists_stay import guard, unguard


class Migration(migrations.Migration):
    dependencies = [("rankings", "0005_dated_lists")]

    operations = [migrations.RunPython(guard, unguard)]
