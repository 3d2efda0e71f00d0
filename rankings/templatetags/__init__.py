"""What pages of rankings draw again and again."""
