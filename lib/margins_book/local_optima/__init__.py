"""Chapter *Local optima, feasibility and over-parameterisation*: drawings, checks, exercises, tests."""
