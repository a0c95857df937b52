"""A small chapter in a file."""

from tests.margins_course.assignments.conftest import small

__all__ = ["small"]
