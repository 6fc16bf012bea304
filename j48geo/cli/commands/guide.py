"""``j48geo guide``: the manual, which is shipped with the package."""

from __future__ import annotations

import sys
from importlib.resources import files

import click

from j48geo.cli.output import write_output
from j48geo.errors import UnknownNameError

TOPICS = (
    *("commands", "formats", "methods", "costs", "report", "exports"),
    *("library", "scikit-learn", "engines"),
    *("papers", "speed", "design", "contributing", "changes"),
)
"""The pages, in the order in which somebody new would want them."""


@click.command(short_help="Read the manual, by topic.")
@click.argument("topic", required=False)
def guide(topic: str | None) -> None:
    """Show a page of the manual, or without TOPIC the list of pages.

    On a terminal the page is shown through the pager (the variable PAGER names another).
    """
    if topic is None:
        write_output(None, [_contents()])
        return
    if topic not in TOPICS:
        raise UnknownNameError("topic", topic, TOPICS)
    if sys.stdout.isatty():
        click.echo_via_pager(page(topic))
    else:
        write_output(None, [page(topic)])


def page(topic: str) -> str:
    """The text of a page, in Markdown."""
    return (files("j48geo") / "guide" / f"{topic}.md").read_text(encoding="utf-8")


def _contents() -> str:
    """A line a page: its name, and its first sentence."""
    width = max(map(len, TOPICS))
    lines = [f"{topic:{width}}  {page(topic).splitlines()[2]}" for topic in TOPICS]
    return "\n".join([*lines, "", "'j48geo guide TOPIC' shows a page.", ""])
