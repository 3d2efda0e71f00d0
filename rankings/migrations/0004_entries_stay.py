from django.db import migrations

from rankings.migrations._entries_stay import guard, unguard


class Migration(migrations.Migration):
    dependencies = [("rankings", "0003_systems_of_the_table")]

    operations = [migrations.RunPython(guard, unguard)]
