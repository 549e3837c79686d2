"""A picture for JupyterLab with words for those who do not see it: a bare PNG has none there."""

from html import escape


def picture_html(alt: str, data: str, width: int | None) -> str:
    """Return the HTML of a PNG in base64, `width` CSS pixels wide, None for its own."""
    wide = "" if width is None else f"width: {width}px; "
    return (
        f'<img alt="{escape(alt)}" src="data:image/png;base64,{data}" '
        f'style="{wide}max-width: 100%">'
    )
