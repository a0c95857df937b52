"""The environment that marks depend on, and its hash."""

import re

from margins_course.grading.environment import environment, environment_hash


def test_the_environment_is_in_words_and_its_hash_knows_of_boxes():
    found = environment()
    assert found["numpy"] == __import__("numpy").__version__
    assert re.fullmatch(r"[0-9a-f]{16}", found["source of margins_course"])
    assert environment_hash() == environment_hash()
