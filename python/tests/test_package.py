"""The package as such: every public function of C is reached or left out on purpose; stubs, docstrings, import time."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import zveno
from conftest import ROOT, other

PYTHON = ROOT / "python"
LEFT_OUT = PYTHON / "left_out.txt"


def test_every_public_function_is_reached_or_left_out() -> None:
    declared: set[str] = set()
    for header in (ROOT / "include" / "zveno").glob("*.h"):
        text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.S)
        declared |= set(re.findall(r"^[\w][\w \*]*?\b(zv_\w+)\(", text, flags=re.M))
    assert len(declared) > 400
    used = "".join(path.read_text() for path in (PYTHON / "src").glob("*.[ch]"))
    used = re.sub(r"zv_batch_(\w+)##suffix", r"zv_batch_\1 zv_batch_\1_single", used)
    reached = {name for name in declared if re.search(rf"\b{name}\b", used)}
    left: set[str] = set()
    for line in LEFT_OUT.read_text().splitlines():
        names, separator, why = line.partition(":")
        if line and not line.startswith("#"):
            assert separator and why.strip(), f"{line!r} gives no reason"
            left |= set(names.split())
    assert not declared - reached - left, f"neither reached nor in {LEFT_OUT.name}: {sorted(declared - reached - left)}"
    assert not left - declared, f"{LEFT_OUT.name} names what is no public function: {sorted(left - declared)}"
    assert not left & reached, f"{LEFT_OUT.name} names what is reached: {sorted(left & reached)}"


def test_every_question_tells_shapes() -> None:
    asked = [f for f in vars(zveno._core.Robot).values() if f.__doc__ and "\nGives " in f.__doc__]  # type: ignore[attr-defined]
    assert len(asked) > 50
    for function in asked:
        assert "Takes" in function.__doc__ and re.search(r"\(\.\.\.", function.__doc__)


def test_every_name_has_words() -> None:
    for module in (zveno, zveno.motion, zveno.conventions):
        for name in getattr(module, "__all__", None) or [n for n in vars(module) if not n.startswith("_")]:
            thing = getattr(module, name)
            if not callable(thing) or not getattr(thing, "__module__", "").startswith("zveno"):
                continue
            assert (thing.__doc__ or "").strip(), name
            for member, value in vars(thing).items() if isinstance(thing, type) else ():
                if not member.startswith("_") and (callable(value) or isinstance(value, property)):
                    assert (value.__doc__ or "").strip(), f"{name}.{member}"


def test_stub_is_up_to_date() -> None:
    made = subprocess.run([sys.executable, "-P", str(PYTHON / "make_stubs.py"), "--check"], capture_output=True, text=True)
    assert made.returncode == 0, made.stderr


def test_types() -> None:
    other("mypy")
    example = str(Path(__file__).parent / "typed_example.py")
    place = {**os.environ, "MYPYPATH": str(Path(zveno.__file__).parents[1])} if "site-packages" not in zveno.__file__ else None
    for what in (["-p", "zveno"], [example]):
        mypy = [sys.executable, "-m", "mypy", "--strict", "--no-incremental", *what]
        told = subprocess.run(mypy, capture_output=True, text=True, cwd="/", env=place)
        assert told.returncode == 0, told.stdout + told.stderr


def test_import_takes_little_beside_numpy() -> None:
    """The modules that come with it, which do not depend on the clock: nobody's but Python's and NumPy's, and few."""
    code = "import sys, numpy; known = set(sys.modules); import zveno; print(*(set(sys.modules) - known))"
    loaded = subprocess.check_output([sys.executable, "-c", code], text=True).split()
    others = {name.partition(".")[0] for name in loaded} - {"zveno", "numpy"}
    strangers = {name for name in others if name not in sys.stdlib_module_names and name != "typing"}
    assert not strangers and len(loaded) < 60, loaded


def test_calls_keep_neither_memory_nor_references() -> None:
    script = str(Path(__file__).parent / "references.py")
    told = subprocess.run([sys.executable, "-B", script], capture_output=True, text=True)
    assert told.returncode == 0 and " 0 of them keep" in told.stdout, told.stdout + told.stderr
