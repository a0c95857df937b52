"""What becomes of the browser tests on a machine without a browser."""

import pytest

from tests.conftest import chromium


@pytest.fixture
def no_browser(monkeypatch):
    monkeypatch.setattr("shutil.which", lambda name: None)


def test_without_a_browser_they_are_left_out_and_said_so(monkeypatch, no_browser):
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match=r"apt-get install chromium.*are left out"):
        chromium()


def test_on_ci_a_missing_browser_is_a_failure(monkeypatch, no_browser):
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="with CI=true the browser tests may not be left out"):
        chromium()
