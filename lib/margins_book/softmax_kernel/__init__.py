"""Chapter *The softmax kernel*: its drawings, checks, exercises, claims and tests."""
