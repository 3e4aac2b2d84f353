"""OMLS: the opportunistic meta-learning scheduler (MetaClaw, arXiv 2603.17187, section on OMLS).

It decides when the policy may be trained: while the person is away, and only then. Readings of the moment go
in (`readings`), a decision with its reasons comes out (`decision`), by the rows of one table (`table`). What
reads idleness, calendars and power, and what drives jobs by the decision, stands beside it.

May enter: settings, clock, errors, store. Never Qt, never the network but for calendars the person connected.
"""
