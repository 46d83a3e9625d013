"""The frame that every page shares: one file, nothing loaded from elsewhere."""

import html
from importlib import resources

_FRAME = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{title}</title>
<style>
{style}
</style>
</head>
<body>
{body}
{script}</body>
</html>
"""

# Only what stands in the page itself: a page that is passed on can't call home.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"


def page(title: str, body: str, style: str = "", script: str = "") -> str:
    """A whole HTML document.

    ``title`` is text and is escaped here. ``body`` is HTML whose texts are escaped already;
    ``style`` is CSS, ``script`` JavaScript that runs when the body stands.
    """
    element = f"<script>\n{script}\n</script>\n" if script else ""
    return _FRAME.format(
        title=html.escape(title), body=body, style=style, script=element, policy=_POLICY
    )


def asset(name: str) -> str:
    """The text of a style sheet or script that lies beside the modules of this folder."""
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")
