"""The page of conversations: what was asked and answered, found again, and what it was worth."""
