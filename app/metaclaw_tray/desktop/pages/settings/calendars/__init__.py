"""The card of the calendars: which are connected, connecting one, and what it says."""
