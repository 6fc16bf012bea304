from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import Run, shown_on

from j48geo.cli.commands.guide import TOPICS, page

GUIDE = Path(__file__).resolve().parents[2] / "j48geo" / "guide"


def test_the_topics_are_the_pages() -> None:
    assert sorted(TOPICS) == sorted(path.stem for path in GUIDE.glob("*.md"))


def test_without_a_topic_every_page_is_listed_with_one_line(j48geo: Run) -> None:
    done = j48geo("guide")
    assert (done.code, done.err) == (0, "")
    lines = done.lines
    assert [line.split()[0] for line in lines[: len(TOPICS)]] == list(TOPICS)
    assert all(len(line.split()) > 3 and line.endswith(".") for line in lines[: len(TOPICS)])


@pytest.mark.parametrize("topic", TOPICS)
def test_a_page_is_shown_as_it_is_written_and_begins_with_its_name(j48geo: Run, topic: str) -> None:
    done = j48geo("guide", topic)
    assert (done.code, done.err) == (0, "")
    assert done.out == (GUIDE / f"{topic}.md").read_text(encoding="utf-8")
    assert done.out.startswith(f"# {topic.capitalize()}\n\n")


def test_an_unknown_topic_is_refused_naming_those_there_are(j48geo: Run) -> None:
    done = j48geo("guide", "weather")
    assert (done.code, done.out) == (2, "")
    assert done.err == f"unknown topic 'weather'; known: {', '.join(TOPICS)}\n"


def test_on_a_terminal_the_page_goes_through_the_pager() -> None:
    master, slave = pty.openpty()
    environment = {**os.environ, "PAGER": "sed -n 1s/^/paged:/p", "TERM": "xterm"}
    command = [sys.executable, "-m", "j48geo", "guide", "costs"]
    with os.fdopen(slave, "w") as terminal:
        done = subprocess.run(
            command, stdin=terminal, stdout=terminal, env=environment, cwd=GUIDE.parents[1]
        )
    assert done.returncode == 0
    assert shown_on(master) == b"paged:" + page("costs").split("\n")[0].encode() + b"\r\n"
