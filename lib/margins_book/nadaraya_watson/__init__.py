"""Chapter *Attention as Nadaraya-Watson regression*: its drawings, checks, exercises, claims and tests."""
