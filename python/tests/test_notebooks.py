"""The notebooks of docs/notebooks run, and what they print is what is stored in them, to the last digit printed.

Cells with the tag "time" print what is not compared, those with "plot" run where matplotlib is installed. After a change of a
notebook, python/tests/test_notebooks.py NOTEBOOK... stores what it prints.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import json
import os
import re
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
NUMBER = re.compile(r"[-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?")


def has_plots() -> bool:
    if importlib.util.find_spec("matplotlib") is None:
        return False
    import matplotlib

    matplotlib.use("Agg")
    return True


def run(notebook: dict[str, Any], name: str) -> list[tuple[dict[str, Any], str]]:
    """Cells with what they print, one after the other in one namespace."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    printed = []
    plots = has_plots()
    with warnings.catch_warnings():
        for k, cell in enumerate(notebook["cells"]):
            if cell["cell_type"] != "code" or ("plot" in cell["metadata"].get("tags", []) and not plots):
                continue
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                exec(compile("".join(cell["source"]), f"{name}, cell {k}", "exec"), namespace)
            printed.append((cell, out.getvalue()))
    return printed


def agrees(found: str, stored: str) -> bool:
    """The same words, and numbers that agree to the last digit but one unit of it."""
    words = [re.sub(r"\s+", "", NUMBER.sub("#", text)) for text in (found, stored)]
    if words[0] != words[1]:
        return False
    for x, y in zip(NUMBER.findall(found), NUMBER.findall(stored)):
        mantissa, _, exponent = y.lower().partition("e")
        unit = 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))
        if abs(float(x) - float(y)) > 1.001 * unit:
            return False
    return True


def test_numbers_are_compared_to_the_last_digit() -> None:
    assert agrees("a [ 1.25 -0.  ]", "a [1.24  0. ]") and agrees("2.3e+03 N", "2.2e+03 N")
    assert not agrees("1.25", "1.27") and not agrees("1.5 m", "1.5 mm") and not agrees("[1. 2.]", "[1.]")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)
    text = path.read_text(encoding="utf-8")
    assert len(text) < 40_000 and "image/png" not in text and not re.search(r"/(home|root|tmp|work)/", text)
    compared = 0
    for cell, found in run(json.loads(text), path.name):
        if {"time", "plot"} & set(cell["metadata"].get("tags", [])):
            continue
        stored = "".join(line for output in cell["outputs"] for line in output["text"])
        assert agrees(found, stored), f"{path.name} prints\n{found}\nstored is\n{stored}"
        compared += bool(found)
    assert compared > 2


def store(path: Path) -> None:
    notebook = json.loads(path.read_text(encoding="utf-8"))
    os.chdir(FOLDER)
    for cell, printed in run(notebook, path.name):
        if "plot" not in cell["metadata"].get("tags", []):
            text = printed.splitlines(keepends=True)
            cell["outputs"] = [{"name": "stdout", "output_type": "stream", "text": text}] if text else []
    path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    for argument in sys.argv[1:] or NOTEBOOKS:
        store(Path(argument).resolve())
