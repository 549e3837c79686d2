"""What a picture is made of: two pictures are told apart by it without being rendered."""

from matplotlib.collections import Collection
from matplotlib.image import AxesImage
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.text import Text

from convladder.teach import Picture


def drawn(picture: Picture) -> tuple:
    """Places, colours and words of all that is visible, in order; equal for equal pictures."""
    return tuple(_of(artist) for artist in picture.figure.findobj() if artist.get_visible())


def _of(artist) -> tuple:
    if isinstance(artist, Text):  # an annotation's second place is where its text stands
        what = (
            artist.get_text(),
            artist.get_position(),
            getattr(artist, "xyann", None),
            artist.get_color(),
            artist.get_fontsize(),
            artist.get_weight(),
        )
    elif isinstance(artist, Line2D):
        what = (
            artist.get_xydata().tobytes(),
            artist.get_color(),
            artist.get_linestyle(),
            artist.get_marker(),
            artist.get_linewidth(),
        )
    elif isinstance(artist, Patch):
        path = artist.get_patch_transform().transform_path(artist.get_path())
        what = (
            path.vertices.tobytes(),
            artist.get_facecolor(),
            artist.get_edgecolor(),
            artist.get_hatch(),
            artist.get_linewidth(),
        )
    elif isinstance(artist, Collection):
        paths = b"".join(path.vertices.tobytes() for path in artist.get_paths())
        what = (
            paths,
            artist.get_offsets().tobytes(),
            artist.get_facecolor().tobytes(),
            artist.get_edgecolor().tobytes(),
        )
    elif isinstance(artist, AxesImage):
        what = artist.get_array().tobytes(), artist.get_extent(), artist.get_clim()
    elif hasattr(artist, "get_xlim"):
        what = artist.get_xlim(), artist.get_ylim(), artist.axison
    else:
        what = ()
    return type(artist).__name__, artist.get_alpha(), artist.get_zorder(), what
