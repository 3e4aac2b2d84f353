"""A longer look for inputs that break a parser: `python -m fuzz.wire_fuzz --seconds 300`."""
