"""What the proxy costs, measured beside the direct path and a bare forwarder: `python -m benchmarks.run`."""
