"""The command line names every step in its help."""

import pytest

from margins_course import command


def test_help_names_every_step(capsys):
    with pytest.raises(SystemExit):
        command.main(["--help"])
    said = capsys.readouterr().out
    assert [name for name in command.STEPS if f"\n    {name} " not in said] == []
