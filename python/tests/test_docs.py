"""The lines of docs/python.md and of the README run and print what the pages show."""

from __future__ import annotations

import doctest
import os
import runpy

import warnings

import numpy as np
import pytest
import zveno
from conftest import ROOT, other


def run(fence: str, **known: object) -> int:
    """Runs the blocks of docs/python.md that begin so; how many lines."""
    page = (ROOT / "docs" / "python.md").read_text()
    session = "\n".join(block.split("```")[0] for block in page.split(f"```{fence}\n")[1:])
    test = doctest.DocTestParser().get_doctest(session, known, "docs/python.md", "docs/python.md", 0)
    said: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    assert runner.run(test, out=said.append).failed == 0, "".join(said)
    return runner.tries


def test_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    os.makedirs("build", exist_ok=True)
    assert run("python") > 20


@pytest.mark.parametrize("package", ["jax", "torch", "casadi"])
def test_lines_for_other_packages(package: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        other(package)
        assert run(f"python {package}", np=np, arm=zveno.read(ROOT / "models" / "puma560.yaml")) > 3


def test_readme() -> None:
    runpy.run_path(str(ROOT / "python" / "tests" / "readme_lines.py"))
