"""Chapter *Errata and open questions*: its drawings, checks, exercises, claims and tests."""
