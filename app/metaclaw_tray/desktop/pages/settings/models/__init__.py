"""The section of the models: providers, their keys and tests, and the model of the app's own."""
