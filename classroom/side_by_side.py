"""How far figures are off when learners measure side by side, without a room's turns and with them.

    .venv/bin/python classroom/side_by_side.py --out room.json

Learners are processes that begin together. Each measures a gain on one thread (the six compiled
loops over im2col, chapter 01) and one on all cores (im2col over MEC, chapter 04). "without" is a
wall clock and nothing else; "with" is what `CONVLADDER_ROOM` switches on. It takes two minutes on
two idle cores; nothing else should run. `side_by_side.json` is such a run: it says when and where.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import monotonic

SHAPE = "28x28x16,3x3x32"
LEARNERS = (1, 4, 8)
BUDGET = 0.3  # seconds for each of two functions
PATIENCE = 20.0  # seconds: as measure.machine_lock.LONGEST_WAIT
WITHIN = 0.35  # the goal: single-thread gains are so near to those alone


def learner(repeats: int) -> None:
    """Measure `repeats` times when told to, and print the gains as JSON."""
    import numba

    from convladder import REPORT, get_method
    from convladder.cpu import convolve_image
    from convladder.measure import available_cores, compare, machine_lock, timing
    from convladder.problem import ConvProblem
    from convladder.reference import random_arrays

    if machine_lock.shared_folder() is None:
        timing.LEAST_SHARE = 0.0  # nothing is taken again
    problem = ConvProblem.parse(SHAPE)
    x, w = random_arrays(problem)
    y, loops, im2col = np_empty(problem), numba.njit(convolve_image), get_method("im2col").run
    one = {"loops": lambda: loops(x[0], w, y, 1, 1, 0, 0), "im2col": lambda: im2col(x, w, problem)}
    large, weights = random_arrays(REPORT)
    cores, spans = available_cores(), []

    def seen(name: str):
        run = get_method(name).run

        def call() -> None:
            begin = monotonic()
            run(large, weights, REPORT)
            spans.append((begin, monotonic()))

        return call

    several = {name: seen(name) for name in ("im2col_threads", "mec_threads")}
    for call in (*one.values(), *several.values()):
        call()
    print("ready", flush=True)
    sys.stdin.readline()
    found = []
    for _ in range(repeats):
        single = compare(one, budget=BUDGET, threads=1)
        spans.clear()
        begin = monotonic()
        both = compare(several, budget=BUDGET, threads=cores, warm=False)
        found.append(
            {
                "one": single.ratio("loops", "im2col"),
                "one_seconds": single.timings["im2col"].median,
                "several": both.ratio("im2col_threads", "mec_threads"),
                "several_seconds": both.timings["mec_threads"].median,
                "disturbed": both.timings["mec_threads"].disturbed,
                "took": monotonic() - begin,
                "spans": list(spans),
            }
        )
    print(json.dumps(found), flush=True)


def np_empty(problem):
    """Return an output `y[o_h,o_w,k_c]`."""
    import numpy as np

    return np.empty(problem.output_shape[1:], np.float32)


def together(number: int, repeats: int, room: str | None) -> list[list[dict]]:
    """Let so many learners begin at once; return what each has measured."""
    from convladder.classroom.turn import prepare
    from convladder.measure.machine_lock import VARIABLE

    env = {name: value for name, value in os.environ.items() if name != VARIABLE}
    env |= prepare(room) if room else {}
    begun = [
        subprocess.Popen(
            [sys.executable, __file__, "--learner", str(repeats)],
            env=env,
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        for _ in range(number)
    ]
    try:
        for each in begun:
            each.stdout.readline()
        for each in begun:
            print(file=each.stdin, flush=True)
        return [json.loads(each.stdout.readline()) for each in begun]
    finally:
        for each in begun:
            each.kill()
            each.communicate()


def overlapping(learners: list[list[dict]]) -> int:
    """Return how many calls of one learner began while another's call lasted.

    Figures of who may have waited to the end of their patience, and did not wait for a turn, are
    left out.
    """
    spans = sorted(
        (*span, who)
        for who, found in enumerate(learners)
        for each in found
        if each["took"] < PATIENCE
        for span in each["spans"]
    )
    latest, number = {}, 0
    for begin, end, who in spans:
        number += any(until > begin for other, until in latest.items() if other != who)
        latest[who] = max(end, latest.get(who, end))
    return number


def summary(number: int, way: str, learners: list[list[dict]]) -> dict[str, object]:
    """Return medians, least and most of all gains and times, and what went wrong."""
    every = [each for found in learners for each in found]
    values = {
        what: sorted(each[what] for each in every)
        for what in ("one", "one_seconds", "several", "several_seconds")
    }
    return {
        "learners": number,
        "way": way,
        **{what: (median(found), found[0], found[-1]) for what, found in values.items()},
        "calls": sum(len(each["spans"]) for each in every),
        "overlapping": overlapping(learners),
        "impatient": sum(each["took"] >= PATIENCE for each in every),
        "disturbed": sum(each["disturbed"] for each in every),
        "figures": len(every),
        "longest": max(each["took"] for each in every),
    }


def lines(rows: list[dict]) -> list[str]:
    """Return the table, and whether the goals were met."""
    alone = min((row for row in rows if row["way"] == "with"), key=lambda row: row["learners"])
    text = [
        f"{'learners':>8}  {'':7}  {'gain on one thread':>24}  {'off':>5}  "
        f"{'gain on all cores':>20}  {'off':>5}  {'overlaps':>12}  disturbed  longest"
    ]
    for row in rows:
        one, several = (
            f"{m:.2f} [{low:.2f}, {high:.2f}]" for m, low, high in (row["one"], row["several"])
        )
        off = [f"{row[what][0] / alone[what][0] - 1:+.0%}" for what in ("one", "several")]
        text.append(
            f"{row['learners']:>8}  {row['way']:7}  {one:>24}  {off[0]:>5}  "
            f"{several:>20}  {off[1]:>5}  {row['overlapping']:>5} of {row['calls']:<5} "
            f"{row['disturbed']:>3} of {row['figures']:<3} {row['longest']:6.1f} s"
        )
    roomy = [row for row in rows if row["way"] == "with"]
    worst = max(abs(gain / alone["one"][0] - 1) for row in roomy for gain in row["one"])
    crossed = sum(row["overlapping"] for row in roomy)
    text += [
        f"one thread, with: every gain within {worst:.0%} of alone (goal {WITHIN:.0%})",
        f"several threads, with: {crossed} overlapping calls (goal 0); "
        f"{sum(row['impatient'] for row in roomy)} figures were not waited for",
    ]
    return text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--learners", type=int, nargs="+", default=LEARNERS)
    parser.add_argument("--repeats", type=int, default=2, help="figures of each learner")
    parser.add_argument("--out", type=Path, help="also write a record as JSON")
    parser.add_argument("--learner", type=int, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.learner:
        return learner(args.learner)
    rows = []
    for number in args.learners:
        for way in ("without", "with"):
            with tempfile.TemporaryDirectory() as room:
                rows.append(
                    summary(
                        number, way, together(number, args.repeats, room if way == "with" else None)
                    )
                )
            print(f"{number} learners {way}: done", file=sys.stderr)
    print("\n".join(lines(rows)))
    if args.out:
        from convladder.bench.stamp import cpu_stamp

        args.out.write_text(json.dumps({**cpu_stamp(), "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
