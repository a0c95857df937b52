"""Assignments made from chapters: exercises are read and selected, their checks tried, notebooks written."""
