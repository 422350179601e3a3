"""The lines of docs/python.md and of the README run and print what the pages show."""

from __future__ import annotations

import doctest
import os
import runpy

import pytest
from conftest import ROOT


def test_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    os.makedirs("build", exist_ok=True)
    page = (ROOT / "docs" / "python.md").read_text()
    session = "\n".join(block.split("```")[0] for block in page.split("```python\n")[1:])
    test = doctest.DocTestParser().get_doctest(session, {}, "docs/python.md", "docs/python.md", 0)
    said: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    assert runner.run(test, out=said.append).failed == 0, "".join(said)
    assert runner.tries > 20


def test_readme() -> None:
    runpy.run_path(str(ROOT / "python" / "tests" / "readme_lines.py"))
