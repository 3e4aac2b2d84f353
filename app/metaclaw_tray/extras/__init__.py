"""Parts that are installed later, after a yes: pinned packages in a folder of the app's own.

Nothing here touches the Python environment that the app runs in, frozen or not. A part that is in that
environment already (`pip install 'metaclaw-tray[embedded]'`) is used from there.
"""
