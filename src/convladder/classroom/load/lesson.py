"""What a learner does in a lesson: a chapter, a lab with wrong and right answers, more chapters.

One notebook is open at a time; in the first, the connection is lost for a while.
"""

from __future__ import annotations

import random
import re
import time
from dataclasses import dataclass, field
from pathlib import Path

from tools.notebooks.notebook import find, read
from .browser import FOLDER, Browser, LoadError
from .kernel import LiveKernel, Ran

PASSWORD = "a long one of a learner"
GUESS = re.compile(r"^prediction = \.\.\.", re.MULTILINE)
CHECK = re.compile(r'^check\("(\w+)", (\w+)\)$')
MISTAKE = ("] + 1\n", "]\n")  # what is wrong in a solution, where it has it
AWAY = 3.0  # seconds without a connection


@dataclass(frozen=True)
class Plan:
    """What is done in a lesson. chapters: numbers; lab: its number. think: seconds between two
    cells, on average. quick: measurements are cut short. answers: checks of each learner at least,
    so that the board hears enough."""

    chapters: tuple[str, ...] = ("01",)
    lab: str = "01"
    think: float = 0.0
    quick: bool = False
    answers: int = 0


@dataclass
class Diary:
    """What came of a learner's lesson. checks: seconds of each; passed: exercise -> clock time."""

    user: str
    spawned: float = 0.0
    pulled: float = 0.0
    cells: int = 0
    checks: list[float] = field(default_factory=list)
    passed: dict[str, float] = field(default_factory=dict)
    came_back: bool = False
    errors: list[str] = field(default_factory=list)
    answers: dict[int, int] = field(default_factory=dict)
    dropped: int = 0  # connections, without having been closed


class Learner:
    """A learner at a hub with a diary of what happened; one thread each.

    root: of the course's checkout, whose solutions are the right answers. seed: of the pauses.
    """

    def __init__(self, url: str, user: str, root: Path, plan: Plan, seed: int):
        self.browser, self.root, self.plan = Browser(url, user), root, plan
        self.diary = Diary(user)
        self._open: LiveKernel | None = None
        self._random = random.Random(seed)

    def attend(self, code: str, repository: str) -> None:
        """Live through the lesson. Never raises: what went wrong is in the diary."""
        try:
            self.arrive(code, repository)
            first, *others = self.plan.chapters
            self.read(first, lose=True)
            self.practise()
            for number in others:
                self.read(number)
        except Exception as error:  # all of it is a finding
            self.diary.errors.append(f"{type(error).__name__}: {error}")
        self.diary.answers = dict(self.browser.answers)

    def arrive(self, code: str, repository: str) -> None:
        """Sign up, log in, open the server, pull. Raises LoadError."""
        self.browser.sign_up(code, PASSWORD)
        self.browser.log_in(PASSWORD)
        self.diary.spawned = self.browser.open_server()
        self.diary.pulled = self.browser.pull(repository)

    def read(self, number: str, lose: bool = False) -> None:
        """Run a chapter cell by cell, with a guess for each prediction."""
        path = f"{FOLDER}/course/{find(self.root, 'course', number)[0].name}"
        cells = [
            cell["source"]
            for cell in self.browser.notebook(path)["cells"]
            if cell["cell_type"] == "code"
        ]
        kernel = self._kernel(path)
        for at, source in enumerate(cells):
            if lose and at == len(cells) // 2:
                self.lose(kernel)
            self._run(kernel, GUESS.sub(f"prediction = {self._random.randint(1, 50)}", source))

    def lose(self, kernel: LiveKernel) -> None:
        """Lose the connection while a cell runs, come back, and find what it has done."""
        running = kernel.send(f"import time; time.sleep({AWAY / 2}); came_back = 40 + 2")
        time.sleep(0.3)
        kernel.close()
        time.sleep(AWAY)
        self.diary.came_back = kernel.come_back("came_back") == "42"
        if not self.diary.came_back:
            self.diary.errors.append(f"what ran when the connection was lost is gone ({running})")

    def practise(self) -> None:
        """Hand in each exercise of the lab: untouched, wrong, right."""
        lab = find(self.root, "labs", self.plan.lab)[0]
        solved = [
            cell.source
            for cell in read(find(self.root, "solutions", self.plan.lab)[0]).cells
            if cell.cell_type == "code"
        ]
        stubs = [cell.source for cell in read(lab).cells if cell.cell_type == "code"]
        kernel = self._kernel(f"{FOLDER}/labs/{lab.name}")
        before = ""
        for stub, answer in zip(stubs, solved, strict=True):
            if asked := CHECK.match(answer.strip()):
                self._exercise(kernel, *asked.groups(), untouched, before)
            else:
                untouched, before = stub, answer
                if "check(" not in answer and "versus(" not in answer:
                    self._run(kernel, answer)
        name = next(iter(self.diary.passed))
        while len(self.diary.checks) < self.plan.answers:
            self._check(kernel, name, "lambda *given: None", "passed", met=False)

    def _exercise(self, kernel: LiveKernel, name: str, answer: str, stub: str, solved: str) -> None:
        self._run(kernel, stub)
        self._check(kernel, name, answer, "not attempted")
        self._run(kernel, solved.replace(*MISTAKE))
        if MISTAKE[0] in solved:
            self._check(kernel, name, answer, "passed", met=False)
            self._run(kernel, solved)
        self._check(kernel, name, f"lambda *given: -{answer}(*given)", "passed", met=False)
        self._check(kernel, name, answer, "passed")
        self.diary.passed[name] = time.time()

    def _check(
        self, kernel: LiveKernel, name: str, answer: str, stage: str, met: bool = True
    ) -> None:
        ran = self._run(
            kernel, f'verdict = check("{name}", {answer})\nverdict', stage="verdict.stage"
        )
        self.diary.checks.append(ran.seconds)
        if (ran.values.get("stage") == stage) is not met:
            self.diary.errors.append(
                f"{name}: {ran.values.get('stage')!r}, and "
                f"{stage!r} was {'' if met else 'not '}to be said"
            )

    def _kernel(self, path: str) -> LiveKernel:
        """Open a notebook; the one before is closed and its kernel shut down."""
        if self._open is not None:
            self._open.shut_down()
        kernel = self._open = LiveKernel(self.browser, path)
        if self.plan.quick:
            kernel.run('import os; os.environ["CONVLADDER_QUICK"] = "1"')
        return kernel

    def _run(self, kernel: LiveKernel, source: str, **values: str) -> Ran:
        if self.plan.think:
            time.sleep(self._random.expovariate(1 / self.plan.think))
        ran = kernel.run(source, **values)
        self.diary.cells += 1
        self.diary.dropped += ran.dropped
        if ran.error:
            first = source.strip().split("\n")[0]
            self.diary.errors.append(f"{first!r}: {ran.error[:300]}")
        return ran

    def close(self) -> None:
        """Close the browser; the server and its kernels go on."""
        if self._open is not None:
            self._open.close()
        self.browser.http.close()


__all__ = ["PASSWORD", "Diary", "Learner", "LoadError", "Plan"]
