"""The notebook in `examples/` runs from its start to its end."""

from __future__ import annotations

from pathlib import Path

import nbformat
from nbclient import NotebookClient

from conftest import ROOT


def test_the_notebook_runs(tmp_path: Path) -> None:
    notebook = nbformat.read(ROOT / "examples/bookshop.ipynb", as_version=4)
    (tmp_path / "corpus").symlink_to(ROOT / "corpus")
    client = NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}})
    client.execute()
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert len(cells) >= 5
    shown = [output for cell in cells for output in cell.outputs if "text/html" in output.get("data", {})]
    assert shown, "a table is shown"
