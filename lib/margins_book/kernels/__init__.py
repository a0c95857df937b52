"""Chapter *Kernels*: its drawings, checks, exercises, claims and tests."""
