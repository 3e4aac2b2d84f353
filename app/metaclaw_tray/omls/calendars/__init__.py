"""Calendars: when the person is in a meeting, from where they keep that themselves.

`events` is what a calendar says, `rules` the table that tells meetings from the rest, `ics` and `google` read
calendars in a child (`serving`), and `keeping` holds what was read last and answers from memory. What a
calendar says is kept in the store; titles never leave the machine, addresses and tokens never the vault.
"""
