"""What the tests find data, Weka and the tables of results through."""

from __future__ import annotations

import os
import tempfile
from collections import defaultdict
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import NoReturn

import pytest
from consumers import NoPostgresError, Postgres, running_postgres
from hypothesis import settings
from slow_tests import SLOW, VERY_SLOW
from weka_live import NoWekaError, Weka, running_weka

ROOT = Path(__file__).resolve().parent.parent
CASE = "j48geo-case"
EXPORT = "j48geo-export"

# Every run tries the same examples; scripts/ are where chance is looked for.
settings.register_profile("j48geo", derandomize=True, deadline=None, database=None)
settings.load_profile("j48geo")


def _absent(reason: str) -> NoReturn:
    """Skip, visibly; where CI=true nothing may be absent."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"{reason} (required where CI=true)", pytrace=False)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def fixtures_dir() -> Path:
    """The project's own cases."""
    return ROOT / "fixtures"


@pytest.fixture(scope="session")
def weka() -> Iterator[Weka]:
    """A live Weka 3.9.7."""
    try:
        with running_weka("3.9.7") as running:
            yield running
    except NoWekaError as error:
        _absent(f"no live Weka 3.9.7: {error}")


@pytest.fixture(scope="session")
def weka395() -> Iterator[Weka]:
    """A live Weka 3.9.5, the last whose reduced-error pruning runs."""
    try:
        with running_weka("3.9.5") as running:
            yield running
    except NoWekaError as error:
        _absent(f"no live Weka 3.9.5: {error}")


@pytest.fixture(scope="session")
def weka36() -> Iterator[Weka]:
    """A live Weka 3.6.14, which only Debian ships; its absence is forgiven in CI too."""
    try:
        with running_weka("3.6.14") as running:
            yield running
    except NoWekaError as error:
        pytest.skip(f"no live Weka 3.6.14: {error}")


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A live PostgreSQL; a Debian package, so its absence is forgiven in CI too."""
    with tempfile.TemporaryDirectory(prefix="j48geo-") as folder:
        try:
            with running_postgres(Path(folder)) as running:
                yield running
        except NoPostgresError as error:
            pytest.skip(f"no live PostgreSQL: {error}")


# -------------------------------------------------------------------- tables of results

RecordCase = Callable[..., None]


@pytest.fixture
def record_case(request: pytest.FixtureRequest) -> RecordCase:
    """Count a case in the table printed at the end: `record_case("corpus/j48", "p01-weather")`.

    Called first thing in a test of one case, the test's own outcome decides. A test of many cases
    says for each: `record_case(suite, name, ok)`.
    """

    def record(suite: str, name: str, ok: bool | None = None) -> None:
        request.node.user_properties.append((CASE, [suite, name, ok]))

    return record


RecordExport = Callable[[str, str, int, int], None]


@pytest.fixture
def record_export(request: pytest.FixtureRequest) -> RecordExport:
    """Count the rows of a case that a consumer of an export was asked about, and the equal ones."""

    def record(consumer: str, name: str, rows: int, equal: int) -> None:
        request.node.user_properties.append((EXPORT, [consumer, name, rows, equal]))

    return record


class ExportTable:
    """Gathers what consumers of exports answered and prints a line for each of them."""

    def __init__(self) -> None:
        self._asked: defaultdict[str, dict[str, tuple[int, int]]] = defaultdict(dict)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take what was recorded when the test is over."""
        if report.when == "teardown":
            for key, value in report.user_properties:
                if key == EXPORT and isinstance(value, list):
                    consumer, name, rows, equal = value
                    self._asked[consumer][name] = rows, equal

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print format, cases, rows, equal."""
        if not self._asked:
            return
        terminalreporter.section("exports")
        terminalreporter.write_line(
            f"{'format and consumer':38}{'cases':>7}{'rows':>9}{'equal':>9}"
        )
        for consumer, cases in sorted(self._asked.items()):
            rows, equal = (sum(column) for column in zip(*cases.values(), strict=True))
            terminalreporter.write_line(f"{consumer:38}{len(cases):7}{rows:9}{equal:9}")


class CaseTable:
    """Gathers the recorded cases from the reports and prints a line for each suite."""

    def __init__(self) -> None:
        self._failed: set[str] = set()
        self._suites: defaultdict[str, dict[str, bool]] = defaultdict(dict)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take the cases when their test is over and its outcome known."""
        if not report.passed:
            self._failed.add(report.nodeid)
        if report.when == "teardown":
            for key, value in report.user_properties:
                if key == CASE and isinstance(value, list):
                    suite, name, ok = value
                    self._suites[suite][name] = (
                        report.nodeid not in self._failed if ok is None else ok
                    )

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print how many cases went well, and the names of those that did not."""
        if not self._suites:
            return
        terminalreporter.section("cases")
        for suite, cases in sorted(self._suites.items()):
            terminalreporter.write_line(f"{suite}: {sum(cases.values())} of {len(cases)}")
            for name in sorted(name for name, ok in cases.items() if not ok):
                terminalreporter.write_line(f"  not as expected: {name}")


def pytest_configure(config: pytest.Config) -> None:
    """Set up the tables of results."""
    config.pluginmanager.register(CaseTable(), "j48geo-case-table")
    config.pluginmanager.register(ExportTable(), "j48geo-export-table")


# -------------------------------------------------------------------- skipped tests


def _forget_place(report: pytest.TestReport | pytest.CollectReport) -> None:
    """Take the place out of a skip, so that pytest prints one line for each reason."""
    if report.skipped and isinstance(report.longrepr, tuple):
        report.longrepr = (str(ROOT / "tests"), None, report.longrepr[2])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Let every reason for skipping a test be printed once."""
    report = yield
    _forget_place(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Let every reason for skipping a file be printed once."""
    report = yield
    _forget_place(report)
    return report


# -------------------------------------------------------------------- slow tests


@pytest.hookimpl(tryfirst=True)  # before -m looks at the marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what tests/slow_tests.py lists; what is very slow is slow, too."""
    very_slow = set(VERY_SLOW)
    slow = very_slow.union(SLOW)
    for item in items:
        test = item.nodeid.partition("[")[0]
        names = {test, test.partition("::")[0]}
        if names & very_slow:
            item.add_marker(pytest.mark.very_slow)
        if names & slow:
            item.add_marker(pytest.mark.slow)
