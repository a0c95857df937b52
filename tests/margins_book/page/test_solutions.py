"""Stubs of solution cells."""

from margins_book.page.solutions import stubbed


def test_stub_keeps_what_stands_outside_the_markers():
    source = "def f(x):\n    ### BEGIN SOLUTION\n    y = x\n    ### END SOLUTION\n    return y"
    stub = 'raise NotImplementedError("nothing is written here yet")'
    assert stubbed(source) == f"def f(x):\n    # your code here\n    {stub}\n    return y"
