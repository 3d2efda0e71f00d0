"""Help in the product: the rules, the glossary, and running an evening."""
