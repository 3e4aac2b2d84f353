"""What learning is worth, measured with a real model through the real app: `python -m benchmarks.learning`.

Five house rules that a team might have are taught by corrections. Then requests that the app has not seen
are answered without what it learnt and with it. Code grades the answers, never a model. Rules, requests and
graders stood before the first run, and are not chosen by what a model can do.
"""
