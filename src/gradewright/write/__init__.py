"""Everything that changes a user's files goes through here."""
