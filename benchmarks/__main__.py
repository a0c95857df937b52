"""`python -m benchmarks [NAME ...]`: run the scripts named (default: all), print and record their rows."""

import argparse
import importlib
import pkgutil

import benchmarks
from benchmarks import record


def scripts():
    """Names of the benchmark scripts: the modules of this package that define `rows()`."""
    helpers = {"harness", "record", "__main__"}
    return sorted(m.name for m in pkgutil.iter_modules(benchmarks.__path__) if m.name not in helpers)


def main():
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"any of: {', '.join(scripts())}")
    parser.add_argument("--dry-run", action="store_true", help="print only, do not write book/performance.md")
    options = parser.parse_args()
    if unknown := set(options.names) - set(scripts()):
        parser.error(f"no such benchmark: {', '.join(sorted(unknown))}; there are {', '.join(scripts())}")
    for name in options.names or scripts():
        rows = []
        for row in importlib.import_module(f"benchmarks.{name}").rows():
            print(row, flush=True)
            rows.append(row)
        if not options.dry_run:
            record.write(name, rows)


if __name__ == "__main__":
    main()
