from django.db import migrations

from records.migrations._records_stay import guard, unguard


class Migration(migrations.Migration):
    dependencies = [("records", "0001_initial")]

    operations = [migrations.RunPython(guard, unguard)]
