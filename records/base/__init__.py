"""What every other subject of records knows: refusals, codes, quotas, news."""
