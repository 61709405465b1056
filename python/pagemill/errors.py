"""What can go wrong. Every message says what, which, and what to do next.

A page that is broken is no error: parsing never fails, and a page that does not fit its wrapper is a row with a status.
"""


class PagemillError(Exception):
    """All errors of this package are one of these."""


class InputError(PagemillError):
    """Nothing could be read: a file that is not there, a folder without pages, an archive that is damaged from its start."""


class ColumnError(PagemillError, LookupError):
    """A table of pages lacks a column, or has values of another type in it."""


class FormatError(PagemillError, ValueError):
    """A file is no wrapper, model, schema or plan; or it is one of a newer version."""


class LearnError(PagemillError, ValueError):
    """There is nothing to learn from: no pages, pages that show nothing, or a name whose value is on no page."""


class FieldError(PagemillError, LookupError):
    """A wrapper has no such column or set, or it cannot be changed like this."""


class QueryError(PagemillError, ValueError):
    """A query or statement cannot be understood, or speaks of what is not there."""


class StoreError(PagemillError):
    """A store or network cannot be opened, read or written, or has been closed."""


class InternalError(PagemillError, RuntimeError):
    """The engine stumbled: a bug of ours, worth a report. The interpreter is not harmed."""


class UnreadableWarning(UserWarning):
    """Some inputs could not be read, or gave nothing; the others were."""
