"""Pictures of the whole window, by one command: `cd tests && python -m screenshots FOLDER`.

Everything that is shown is answered by the app's own handlers on a store of its own (`house`), which has
been filled as by some weeks of use (`filled`). Each look (light, dark, Dutch, 150 %, empty, trouble) is a
process of its own, as Qt knows its scale and language from its start.
"""
