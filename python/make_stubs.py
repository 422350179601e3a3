"""Makes zveno/_core.pyi from the docstrings of the extension module: python -P python/make_stubs.py [--check]."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import ModuleType

HEAD = '''# Made by python/make_stubs.py: nothing here is written by hand.
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.floating[Any]]
Status = NDArray[np.signedinteger[Any]]
version: str
instruction_set: str

'''

PLAIN = {
    "_core": '''
class Builder:
    def __new__(cls, text: str | bytes | None, name: str, format: str = "auto", packages: dict[str, str] | None = None, /) -> Self: ...
    def set(
        self,
        free_base: bool | None,
        mimic: bool | None,
        cut_loops: bool | None,
        gravity: tuple[float, ...] | None,
        name: str | None,
        /,
    ) -> None: ...
    def lock(self, joint: str, /) -> None: ...
    def native(self) -> str: ...
    def written(self, format: str, /) -> tuple[str, list[dict[str, Any]]]: ...
    def check(self, all: bool, /) -> list[dict[str, Any]]: ...

def load(text: str | bytes, name: str, /) -> Any: ...
def methods(question: int, /) -> list[tuple[str, str, str, int, str]]: ...
def closed_methods() -> list[tuple[str, str, str]]: ...
def questions() -> list[str]: ...
''',
}

PRIVATE = '''    def __new__(cls, made_of: Builder | Robot, /) -> Self: ...
    def _links(self) -> list[dict[str, Any]]: ...
    def _joints(self) -> list[dict[str, Any]]: ...
    def _frames(self) -> list[dict[str, Any]]: ...
    def _shapes(self) -> list[dict[str, Any]]: ...
    def _loops(self) -> list[dict[str, Any]]: ...
    def _coordinates(self) -> tuple[list[tuple[str, str]], list[tuple[str, str]], list[tuple[str, str]]]: ...
    def _native(self) -> str: ...
    def _gravity(self) -> list[float]: ...
    def _set_inertia(
        self, link: int, mass: float, com: tuple[float, ...], moment: tuple[float, ...], /
    ) -> None: ...
    def _find(self, what: str, name: str, /) -> int: ...
    def _elastic_matrices(self, link: int, /) -> tuple[NDArray[np.float64], ...]: ...
    def _loop_signs(self, loop: Any, /) -> NDArray[np.intc]: ...
    def _method_chosen(self, question: int, loaded: bool, /) -> tuple[str, str]: ...
    def _method_obstacle(self, domain: int, loaded: bool, /) -> str | None: ...
'''

# What an option is; arrays are ArrayLike.
OPTIONS = {
    "frame": "Any", "loop": "Any", "axes": "str", "rows": "str", "method": "str", "smoothing": "float", "scale": "float",
    "feedback": "float", "damping": "float", "stiffness": "float", "tolerance": "float", "restarts": "int", "row": "int",
}


def outputs(doc: str) -> list[tuple[str, bool]]:
    """Names of the answers that a docstring tells, and whether each is one number a state."""
    told = doc[doc.index("\nGives ") + 7 :]
    return [(name, not shape) for name, shape in re.findall(r"(\w+) \(\.\.\.(, [^)]*)?\)", told)]


def method(name: str, function: object) -> str:
    """One question as a method of a stub."""
    doc, signature = function.__doc__ or "", getattr(function, "__text_signature__")
    lines = []
    for part in signature.strip("()").split(", "):
        if part in ("$self", "*", "out=None", "status=None"):
            continue
        argument, _, default = part.partition("=")
        kind = OPTIONS.get(argument, "ArrayLike")
        lines.append(f"{argument}: {kind}{' | None' if default == 'None' else ''}{' = ...' if default else ''}")
    answers = outputs(doc)
    scalars = all(number for _, number in answers)
    result = "Any" if len(answers) == 1 and scalars else "Array" if len(answers) == 1 else title(name)
    out = "Array | None" if len(answers) == 1 else f"tuple[{', '.join(['Array | None'] * len(answers))}] | None"
    arguments = ", ".join(["self", *lines, "*", f"out: {out} = ...", "status: Status | None = ..."])
    words = doc.replace("\n\n", "\n\n        ").replace("\nGives", "\n        Gives")
    return f'    def {name}(\n        {arguments}\n    ) -> {result}:\n        """{words}"""\n'


def title(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))


def stub(core: ModuleType) -> str:
    """The whole stub."""
    members = sorted(core.Robot.__dict__.items())
    questions = [(n, f) for n, f in members if f.__doc__ and "\nGives " in f.__doc__]
    text = HEAD
    for name, function in questions:
        answers = outputs(function.__doc__)
        if len(answers) > 1:
            text += f"class {title(name)}(NamedTuple):\n"
            text += "".join(f"    {field}: {'Any' if number else 'Array'}\n" for field, number in answers) + "\n"
    text += "class Robot:\n" + PRIVATE
    for name, member in members:
        if type(member).__name__ == "getset_descriptor":
            kind = {"name": "str", "mass": "float", "has_lanes": "bool", "original": "Robot | None"}.get(name, "int")
            if name == "threads":
                text += f"    {name}: int\n"
            else:
                text += f"    @property\n    def {name}(self) -> {kind}: ...\n"
    text += "".join(method(name, function) for name, function in questions)
    return text + PLAIN["_core"]


def main() -> int:
    from zveno import _core

    path = Path(__file__).parent / "zveno" / "_core.pyi"
    text = stub(_core)
    if "--check" in sys.argv:
        if path.read_text() == text:
            return 0
        print(f"{path} is not what python/make_stubs.py makes; run it", file=sys.stderr)
        return 1
    path.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
