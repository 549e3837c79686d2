"""What runs under a GPU's tools: `python -m studies.gpu_validation WHAT [NAME]`.

`cases` runs every case of `listing`; `sound` those of chapters 07 and 08 and every kernel without
a fault but `races.FENCED`, `fenced` these; `broken NAME` one kernel with a fault, `unseen` all
whose fault no tool looks for. Prints a JSON object: what was wrong with each result, by name, or
None.
"""

import json
import sys


def main(what: str, name: str | None = None) -> None:
    from convladder import cuda

    from . import faults, listing, races

    if cuda.backend() == "gpu":
        import cupy

        # An allocation of its own for each array: a pool would hide what lies behind its end.
        cupy.cuda.set_allocator(None)
    chosen = {
        "cases": listing.cases,
        "sound": lambda: [
            *listing.chapters(),
            *(case for case in faults.sound() if case.name not in races.FENCED),
        ],
        "fenced": lambda: [case for case in faults.sound() if case.name in races.FENCED],
        "unseen": lambda: [each.case for each in faults.broken() if each.tool is None],
        "broken": lambda: [each.case for each in faults.broken() if each.name == name],
    }[what]()
    wrong = {}
    for case in chosen:
        try:
            wrong[case.name] = case.launch()
            cuda.synchronize()  # a fault shows when the launch is waited for
        except Exception as error:  # a broken kernel ends as the device pleases
            wrong[case.name] = f"{type(error).__name__}: {str(error).splitlines()[0]}"
    print(json.dumps(wrong))


if __name__ == "__main__":
    main(*sys.argv[1:])
