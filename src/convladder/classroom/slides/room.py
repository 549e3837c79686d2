"""How much room a slide has, in CSS pixels on 1280×720: estimated for the widest usual fonts.

A browser test measures what is estimated with these numbers.
"""

WIDTH, HEIGHT = 1232, 608  # what a slide leaves below its heading
SIZES = (28, 26, 24, 22, 20)  # of letters; 20 is what the back row reads
# Widths of a letter, in programs, in text, at most, and in heads; height of a line: in sizes of the
# letters.
MONO, SANS, WIDE, BOLD, LINE = 0.605, 0.56, 0.64, 0.76, 1.3
