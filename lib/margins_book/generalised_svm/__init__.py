"""Chapter *Nonlinear heads and the generalised SVM*: its drawings, checks, exercises, claims and tests."""
