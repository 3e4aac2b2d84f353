"""What is read of the person and the machine: a file for each way, a chain that takes the one that answers.

All of it may block for a moment and belongs into a worker thread. No key or mouse is ever listened to: every
way asks the system how long ago the last input was, never what it was.
"""
