"""What checking, repairing and crawling give."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from pagemill._native import Wrapper


@dataclass(frozen=True)
class Column:
    """What a wrapper extracts at one place of the template."""

    #: Its name, after those of the sets around it: `books.price`.
    path: str
    #: What its values are: string, money, date, number and so on; set for a set of records.
    type: str
    #: The share of pages or records that have it, from 0 to 1.
    share: float
    #: The words that introduce it, if there are any.
    label: str | None
    #: Some of its values.
    examples: list[str]


@dataclass(frozen=True)
class Report:
    """Whether pages still fit a wrapper.

    >>> import pagemill
    >>> wrapper = pagemill.learn("corpus/bookshop/detail/pages")
    >>> print(wrapper.check("corpus/bookshop/detail/pages"))
    20 pages: 20 verified, 0 partial, 0 failed; they fit
    """

    #: Whether the site has changed.
    is_drift: bool
    #: Why it is taken to have changed, in words.
    reasons: list[str]
    n_verified: int
    n_partial: int
    n_failed: int
    #: Columns that are there more or less often than when they were learnt.
    columns: list[dict[str, Any]]
    #: Columns with values of another type or unit.
    odd: list[dict[str, Any]]
    #: What does not fit, by the pages that have it.
    problems: list[dict[str, Any]]
    #: What could not be read, in words.
    unreadable: list[str]

    @property
    def n_pages(self) -> int:
        """How many pages were looked at."""
        return self.n_verified + self.n_partial + self.n_failed

    def __str__(self) -> str:
        verdict = "changed: " + "; ".join(self.reasons) if self.is_drift else "they fit"
        return (
            f"{self.n_pages} pages: {self.n_verified} verified, {self.n_partial} partial, "
            f"{self.n_failed} failed; {verdict}"
        )


class Change(NamedTuple):
    """What became of a column or set when its wrapper was repaired."""

    path: str
    #: kept, moved, gone or new.
    fate: str
    #: Whether little speaks for it: better look at its values.
    is_doubtful: bool


class Repaired:
    """A wrapper that was learnt anew, under the old names."""

    #: The new wrapper; the old one if nothing better was learnt.
    wrapper: Wrapper
    #: Whether it is the old one.
    is_unchanged: bool
    #: What became of each column.
    changes: list[Change]
    #: Edits that cannot be made any more, in words.
    lost_edits: list[str]
    n_pages: int
    #: How many pages fitted before, and fit now.
    n_fit_before: int
    n_fit: int

    def __init__(
        self,
        wrapper: Wrapper,
        is_unchanged: bool,
        changes: list[tuple[str, str, bool]],
        lost_edits: list[str],
        n_pages: int,
        n_fit_before: int,
        n_fit: int,
    ) -> None:
        self.wrapper = wrapper
        self.is_unchanged = is_unchanged
        self.changes = [Change(*change) for change in changes]
        self.lost_edits = lost_edits
        self.n_pages = n_pages
        self.n_fit_before = n_fit_before
        self.n_fit = n_fit

    def __repr__(self) -> str:
        before, now = self.n_fit_before, self.n_fit
        return f"Repaired({before} of {self.n_pages} pages fitted before, {now} fit now)"


@dataclass(frozen=True)
class Crawled:
    """How a crawl ended. The same call goes on with what waits."""

    #: Where the pages are, without passwords.
    store: str
    #: How many pages the store has, and how many came in this run.
    pages: int
    new_pages: int
    #: How many addresses wait.
    waiting: int
    #: How many addresses gave no page, by reason.
    failures: dict[str, int]
    #: Hosts that do not answer, or ask for patience.
    given_up: list[str]
    seconds: float
    #: What the plan's network has: units, people, roles, things, doubts; None without such a plan.
    network: dict[str, int] | None
