"""`python -m benchmarks [NAME ...]`: measure sections (default: all), print and record their rows."""

import argparse

from benchmarks import attention_svm, coursework, figures, harness, library

SECTIONS = {  # functions that yield rows
    "attention": library.attention,
    "attention_svm": attention_svm.rows,
    "coursework": coursework.rows,
    "interaction": figures.rows,
    "kernels": library.kernels,
    "random_features": library.random_features,
    "svm": library.svm,
}


def main():
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"any of: {', '.join(SECTIONS)}")
    parser.add_argument("--dry-run", action="store_true", help="print only, do not write book/performance.md")
    options = parser.parse_args()
    if unknown := set(options.names) - set(SECTIONS):
        parser.error(f"no such section: {', '.join(sorted(unknown))}; there are {', '.join(SECTIONS)}")
    for name in options.names or SECTIONS:
        rows = []
        for row in SECTIONS[name]():
            print(row, flush=True)
            rows.append(row)
        if not options.dry_run:
            harness.write(name, rows)


if __name__ == "__main__":
    main()
