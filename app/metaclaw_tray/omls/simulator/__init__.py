"""A year of a person in seconds: what the scheduler would have done, held against what it may do.

`timeline` is the hidden truth, `people` makes one up, `living` is what the senses would see of it,
`running` has the real decision look at that on a clock of its own, `oracle` says by the truth alone what is
allowed, and `figures` compares the two.

May enter: omls without its senses and calendars, errors.
"""

KINDS = ("office", "owl", "shifts", "traveller", "student", "battery", "agents")
"""The people that can be made up, by name: a command knows them without loading the rest."""
