"""The rooms behind `engine.verdict`: a score sheet's claims are walked through the match machine here."""
