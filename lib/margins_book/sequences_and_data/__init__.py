"""Chapter *Sequences, causality, depth and real data*: its drawings, checks, exercises, claims and tests."""
