"""What texts mean, in a child process: which skills are near to what was said, in whatever language.

Enters: texts of skills and of requests. Leaves: names with a likeness. The vectors stay in the child, so the
app holds neither them nor numpy; what was once embedded is kept in a file that may be deleted at any time.
"""
