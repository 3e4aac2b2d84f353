"""Charts, painted by us: a line with its band, bars against a limit, a day in lanes, small multiples.

Enters: numbers and moments. `geometry`, `lines`, `bars` and `day` lay them out as plain figures, without Qt,
and are tested as such; the widgets paint what was laid out. Each chart has a text alternative, can be read
point by point with the arrow keys, and as a table; nothing is told by colour alone.
"""
