SMALL = "2x9x8x3,3x2x4,s2x1,p1"  # a layer


def told(capsys, *words) -> tuple[int, str, str]:
    """Exit code, standard output and error of `convladder WORDS`."""
    from convladder.cli import main

    try:
        code = main(list(words))
    except SystemExit as stop:  # argparse refuses what it cannot parse
        code = stop.code
    return code, *capsys.readouterr()
