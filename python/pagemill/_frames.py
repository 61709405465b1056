"""Tables as other libraries and notebooks show them."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pagemill._native import Table

#: So many rows and letters are shown in a notebook.
MAX_ROWS = 10
MAX_TEXT = 80
MAX_COLUMNS = 12


def to_pandas(table: Any) -> Any:
    """A data frame of pandas."""
    try:
        import pandas  # noqa: F401
        import pyarrow
    except ImportError as error:
        raise ImportError(
            f"to_pandas needs pandas and pyarrow, and {error.name} is not installed: "
            "pip install 'pagemill[pandas]'"
        ) from error
    return pyarrow.table(table).to_pandas()


def to_html(table: Table) -> str:
    """The first rows, for notebooks. Everything comes from strangers, so everything is escaped."""
    rows = [table[at] for at in range(min(len(table), MAX_ROWS))]
    names: list[str] = []
    for row in rows:
        names.extend(name for name in row if name not in names)
    more_columns = len(names) - MAX_COLUMNS
    names = names[:MAX_COLUMNS]
    head = "".join(f"<th>{html.escape(name)}</th>" for name in ["page", "status", *names])
    body = "".join(
        "<tr>"
        + "".join(
            f"<td>{_cell(it)}</td>"
            for it in [row.page, row.status, *(row.get(name) for name in names)]
        )
        + "</tr>"
        for row in rows
    )
    left = [f"{len(table) - len(rows)} more rows"] if len(table) > len(rows) else []
    left += [f"{more_columns} more columns"] if more_columns > 0 else []
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table><p>{', '.join(left)}</p>"


def _cell(value: Any) -> str:
    if value is None:
        return ""
    text = value if isinstance(value, str) else f"{len(value)} records"
    return html.escape(text if len(text) <= MAX_TEXT else text[:MAX_TEXT] + "…")
