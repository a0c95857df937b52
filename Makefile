# The verbs. `make book` and `make test` do all their set-up; everything else builds on them.
PYTHON ?= python3
BIN := .venv/bin
# one worker a core, a file of tests on one of them, the longest first; one thread each
TESTS = --numprocesses auto --dist loadfile --no-loadscope-reorder --durations 10 $(if $(CHAPTER),--chapter $(CHAPTER),$(if $(ALL),,-m "not full"))

# Python keeps what it compiled, where a shell forbids it too: each worker would compile all tests anew
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help book test check serve lab audit bench pictures pdf epub zip editions wheels links reproduce release lock clean
help:   ; @grep -E '^# (make|  )' Makefile | cut -c3-
# make book    build the site into _build/html            make test    the style, and tests of every part
# make test CHAPTER=03   that chapter's page, figures,   make test ALL=1   all tests: phones, Firefox, every notebook
#                        claims and checks alone                           live, a class of thirty, the editions
# make serve   the site with live reload                  make lab     the notebooks that the build makes, in JupyterLab
# make lab SOURCE=1   the sources of the chapters there; saving changes the lines that you edit, alone
# make check CHAPTER=03   its cells and what its text states, in seconds; DRAWS=5 moves all seeds instead;
#                        FIGURE=lift draws that figure alone, at every position; 00 is the landing page
# make bench   time the library, record the results       make pdf     lectures, everything, slides as PDFs
# make audit   axe-core and Lighthouse on the site       make lock    resolve the ranges of pyproject.toml anew
# make epub    the whole book as one EPUB               make zip     the site as one archive to be read from a disk
# make editions  every edition of the book, into _build
# make wheels  the wheels of the packages in lib/        make release VERSION=0.2.0   the version, a commit, a tag
# make links   asks each link that leaves the site whether it answers, and lists those that do not
# make reproduce   builds the site of the last commit in two clones and compares their bytes
# make clean   remove what was built                    make pictures   those of the README, previews of pages

book:   ; @$(PYTHON) scripts/setup.py book && $(BIN)/python scripts/build.py
test:   ; @$(PYTHON) scripts/setup.py $(if $(ALL),all,test) && $(BIN)/python scripts/build.py && $(BIN)/ruff check . && $(BIN)/ruff format --check . && OMP_NUM_THREADS=1 $(BIN)/python -m pytest $(TESTS) $(IN)
check:  ; @$(PYTHON) scripts/setup.py book && OMP_NUM_THREADS=1 $(BIN)/python -m margins_book.page $(CHAPTER) $(if $(DRAWS),--draws $(DRAWS)) $(if $(FIGURE),--figure $(FIGURE))
serve:  book ; @$(BIN)/python -m scripts.serve
lab:    $(if $(SOURCE),,book)
	@$(if $(SOURCE),$(PYTHON) scripts/setup.py book,$(BIN)/python -m scripts.own_notebooks)
	@JUPYTER_CONFIG_DIR=book/jupyter/$(if $(SOURCE),author,reader) $(BIN)/jupyter lab $(if $(SOURCE),chapters,_build/notebooks)
audit:  book ; @$(BIN)/python -m scripts.accessibility && $(BIN)/python -m scripts.audit
bench:  ; @$(PYTHON) scripts/setup.py book && $(BIN)/python -m pip install --quiet --editable ".[bench]" && $(BIN)/python -m benchmarks
pictures: book ; @$(BIN)/python -m scripts.pictures
pdf:    book ; @$(PYTHON) scripts/setup.py pdf && $(BIN)/python -m scripts.editions.pdf
epub:   book ; @$(BIN)/python -m scripts.editions.epub
zip:    ; @$(PYTHON) scripts/setup.py zip && $(BIN)/python scripts/build.py && $(BIN)/python -m scripts.editions.offline
editions: pdf epub zip
wheels: ; @$(PYTHON) scripts/setup.py book && rm -rf _build/wheels && for package in lib/*/pyproject.toml; do $(BIN)/python -m uv build --quiet --wheel --no-build-isolation --out-dir _build/wheels $$(dirname $$package) || exit 1; done
links:  book  # hosts that answer programs with these codes are up: they keep programs out, or ask them to come later
	@$(BIN)/jupyter-book build . --builder linkcheck > _build/links.log 2>&1; mv _build/html/output.txt _build/links.txt; rm _build/html/output.json
	@! grep -F '[broken]' _build/links.txt | grep -vE '(401|403|405|418|429) Client Error'
reproduce:
	@folder=$$(mktemp -d) && for name in one another; do git clone --quiet . $$folder/$$name && $(MAKE) -C $$folder/$$name book || exit 1; done && diff -rq $$folder/one/_build/html $$folder/another/_build/html && echo "Both sites have the same bytes." && rm -rf $$folder
release: ; @$(PYTHON) scripts/setup.py book && $(BIN)/python -m uv tool run bump-my-version@1.8.1 bump --new-version $(VERSION)
lock:   ; @$(PYTHON) scripts/setup.py book && $(BIN)/python -m uv pip compile pyproject.toml --universal --extra book --extra course --extra test --no-annotate --upgrade --quiet --custom-compile-command "make lock" -o requirements.txt && $(BIN)/python -m uv pip compile pyproject.toml --universal --constraint requirements.txt --no-annotate --quiet --custom-compile-command "make lock" -o book/binder/requirements.txt
clean:  ; @rm -rf _build
