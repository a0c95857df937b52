"""What becomes of tests that need a browser, or the built site, where there is none."""

import pytest

from conftest import CHROMIUM, FIREFOX, is_built, program


@pytest.fixture
def no_browser(monkeypatch):
    monkeypatch.setattr("shutil.which", lambda name: None)


@pytest.mark.parametrize("names", [CHROMIUM, FIREFOX])
def test_without_a_browser_they_are_left_out_and_said_so(monkeypatch, no_browser, names):
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match=rf"apt-get install {names[0]}.*are left out"):
        program(names)


@pytest.mark.parametrize("names", [CHROMIUM, FIREFOX])
def test_on_ci_a_missing_browser_is_a_failure(monkeypatch, no_browser, names):
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="with CI=true the browser tests may not be left out"):
        program(names)


def test_the_site_is_built():
    assert is_built(), "run `make book` first: the tests of its pages were left out"
