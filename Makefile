# make lab    open the course in JupyterLab
# make test   run every test and every notebook
# make env    only make the environment, .venv, which the two above make by themselves
# make clean  remove the environment and all that was generated
#
# Needed: Python 3.11 or newer. To choose one: make lab PYTHON=python3.12
# More for the command: make lab ARGS="--port 8899", make test ARGS="-k mec"
# Newest versions of every package instead of the pinned ones: make test CONSTRAINTS=

PYTHON ?=
CONSTRAINTS ?= constraints.txt
ARGS ?=
export CONVLADDER_CONSTRAINTS = $(CONSTRAINTS)
# Some containers set it; the suite starts a hundred processes, and each would compile the sources.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help lab test env clean constraints

help:
	@sed -n 's/^# \{0,1\}//p' Makefile

env:
	@sh .ci/environment "$(CONSTRAINTS)" "$(PYTHON)"

lab: env
	@.venv/bin/convladder lab $(ARGS)

test: env
	@.venv/bin/python -m pytest --numprocesses auto $(ARGS)

clean:
	rm -rf .venv build dist .pytest_cache src/*.egg-info
	find . -name __pycache__ -o -name .ipynb_checkpoints | xargs rm -rf

# For maintainers, with uv at hand: pin the newest versions that go together.
constraints:
	sh .ci/constraints > constraints.new && mv constraints.new constraints.txt
