"""What changes sheets and records: keeping score, handing in, adjudicating."""
