"""Help in the product: the rules, the glossary, and how a night is run."""
