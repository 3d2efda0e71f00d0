"""The director's pages: acts, the desk, the roster, files, helpers, papers, rulings."""
