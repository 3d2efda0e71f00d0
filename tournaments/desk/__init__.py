"""What a director uses: acts, the desk, the roster, files, helpers, papers, rulings."""
