"""Chapter *Random features and linear attention*: its drawings, checks, exercises, claims and tests."""
