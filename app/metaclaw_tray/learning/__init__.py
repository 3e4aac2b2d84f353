"""Learning: from what went wrong to a proposal that a person can read, with what it is worth.

The judge scores turns by what came next; evidence is collected per exchange; the evolver writes one note from
support that is claimed for it alone; the gate measures the note before it is offered. Each step reads what is
due from the store and writes what it found there. Nothing here touches the library: it can only propose.
"""
