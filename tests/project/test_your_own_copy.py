"""The page on a copy of one's own: its commands, run in a clone, leave none of our addresses behind."""

import re
import subprocess
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "book" / "your_own_copy.md"
FORK = "your-name/your-book"


def shell(command, folder):
    done = subprocess.run(["bash", "-euc", command], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_address_becomes_the_fork_s(tmp_path):
    shell(f"git clone --quiet {ROOT} copy", tmp_path)
    copy = tmp_path / "copy"
    shell(re.search(r"```bash\n(.*?)```", PAGE.read_text("utf8"), re.S)[1], copy)
    config = yaml.safe_load((copy / "_config.yml").read_text("utf8"))
    assert config["repository"]["url"] == f"https://github.com/{FORK}"
    assert config["html"]["baseurl"] == "https://your-name.github.io/your-book/"
    left = shell("git grep -ho '[a-z.-]*margins-of-attention[a-z./-]*' | sort -u", copy).split()
    assert not [
        address for address in left if "/" in address and not address.startswith("margins-of-attention/")
    ]
    changed = shell("git diff --name-only", copy).split()
    assert {"_config.yml", "CITATION.cff", "book/how_to_read.md", "book/teaching.md"} <= set(changed)


def test_what_the_page_names_is_here():
    page = PAGE.read_text("utf8")
    config = yaml.safe_load((ROOT / "_config.yml").read_text("utf8"))
    assert "jupyterhub_url" in config["launch_buttons"]
    assert "coursework_show_solutions" in config["sphinx"]["config"]
    for workflow in ("publish", "release"):
        assert f"*{workflow}*" in page
        assert (ROOT / ".github" / "workflows" / f"{workflow}.yml").is_file()


def test_the_site_and_its_editions_have_their_name_from_the_settings():
    title = yaml.safe_load((ROOT / "_config.yml").read_text("utf8"))["title"]
    name = re.compile(rf"\b{title.split()[0]}\b")  # its words may have marks between them
    files = [
        file for folder in ("book/theme", "book/extensions", "scripts") for file in (ROOT / folder).rglob("*")
    ]
    kinds = (".py", ".html", ".js", ".css", ".txt")
    ours = [file for file in files if file.suffix in kinds and "node_modules" not in file.parts]
    assert ours
    assert not [file for file in ours if name.search(file.read_text("utf8"))]
