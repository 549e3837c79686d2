# make lab    open the course in JupyterLab
# make test   run every test and every notebook
# make book   make a web book of the course, build/book/site, from the stored outputs
# make env    only make the environment, .venv, which those above make by themselves
# make clean  remove the environment and all that was generated
#
# Needed: Python 3.11 or newer. To choose one: make lab PYTHON=python3.12
# More for the command: make lab ARGS="--port 8899", make test ARGS="-k mec"
# Newest versions of every package instead of the pinned ones: make test CONSTRAINTS=
# Other extras of pyproject.toml, kept from then on: make lab EXTRAS=gpu12,lab,scale
# Without EXTRAS, `make lab` installs what a learner needs, 600 MB; `make test` adds the rest.

PYTHON ?=
CONSTRAINTS ?= constraints.txt
EXTRAS ?=
ARGS ?=
export CONVLADDER_CONSTRAINTS = $(CONSTRAINTS)
# Some containers set it; the suite starts a hundred processes, and each would compile the sources.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help lab test book env clean constraints

help:
	@sed -n 's/^# \{0,1\}//p' Makefile

NEED = lab,scale
test book: NEED = test

env:
	@sh .ci/environment "$(CONSTRAINTS)" "$(PYTHON)" "$(EXTRAS)" "$(NEED)"

lab: env
	@.venv/bin/convladder lab $(ARGS)

test: env
	@.venv/bin/python -m pytest --numprocesses auto $(ARGS)

book: .venv/book
	@.venv/bin/python -m tools book $(ARGS)

.venv/book: pyproject.toml $(CONSTRAINTS) | env
	@.venv/bin/python -m pip --disable-pip-version-check --quiet install --no-build-isolation \
	    $(if $(CONSTRAINTS),--constraint $(CONSTRAINTS)) --editable ".[book]"
	@: > $@

clean:
	rm -rf .venv build dist .pytest_cache src/*.egg-info
	find . -name __pycache__ -o -name .ipynb_checkpoints | xargs rm -rf

# For maintainers, with uv at hand: pin the newest versions that go together.
constraints:
	sh .ci/constraints > constraints.new && mv constraints.new constraints.txt
