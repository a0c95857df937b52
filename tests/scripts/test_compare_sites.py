"""Two small sites: each kind of difference is named, and what only a hash changes is not."""

from scripts.compare_sites import differences

PAGE = '<p id="{id}">Said <a href="{link}">here</a>.</p><script src="_static/a.js?v={version}"></script>'


def new_site(folder, *, id="first", link="other.html#it", version="1", **files):
    (folder / "_static" / "explorables").mkdir(parents=True)
    (folder / "index.html").write_text(PAGE.format(id=id, link=link, version=version))
    (folder / "_static" / "explorables" / f"{version}.json").write_text("{}")
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text)
    return folder


def test_hashes_do_not_count(tmp_path):
    old, new = new_site(tmp_path / "old"), new_site(tmp_path / "new", version="2")
    assert list(differences(old, new)) == []


def test_each_difference_is_named(tmp_path):
    old = new_site(tmp_path / "old", a_ipynb="{}", b_html="<p>A sentence.</p>")
    new = new_site(
        tmp_path / "new", id="second", link="#it", a_ipynb="[]", b_html="<p>A word.</p>", c_html=""
    )
    assert list(differences(old, new)) == [
        "site: file new: c.html",
        "a.ipynb: the notebook differs",
        "b.html: text: 'A sentence.' -> 'A word.'",
        "index.html: id missing: first",
        "index.html: id new: second",
        "index.html: link missing: other.html#it",
        "index.html: link new: #it",
    ]
