"""Chapter *SVM duality*: its drawings, checks, exercises, claims and tests."""
