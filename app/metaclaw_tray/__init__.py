"""MetaClaw Tray: a local proxy that makes a person's own LLM agents better from their own use."""

__version__ = "0.1.0"
