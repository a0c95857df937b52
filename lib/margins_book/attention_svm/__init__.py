"""Chapter *Attention converges to an SVM*: its drawings, checks, exercises, claims and tests."""
