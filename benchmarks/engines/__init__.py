"""`python -m benchmarks.engines`: one figure by three engines, what readers load and what building takes."""
