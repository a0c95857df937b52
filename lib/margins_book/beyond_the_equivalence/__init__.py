"""Chapter *Beyond the equivalence*: its drawings, checks, exercises, claims and tests."""
