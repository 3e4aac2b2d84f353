"""The demonstration: the whole loop, once, on a real model, in a temporary home.

Nothing in it is scripted: the person's side of the conversation is written here, and so is how answers are
graded; what the model answers, judges and writes is whatever it is.
"""

from metaclaw_tray.demo.run import run_demo

__all__ = ["run_demo"]
