"""What changes records: handing them in, adjudicating them."""
