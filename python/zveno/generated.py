"""Operations counted, code generated, and generated C compiled and loaded."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from numpy.typing import ArrayLike

from . import _core
from ._errors import make
from .analysis import freedoms

if TYPE_CHECKING:
    from ._full import Compiled

LANGUAGES = ("c", "latex", "maxima", "sympy")


class Operations(NamedTuple):
    """Arithmetic operations; sine and cosine count one each, roots as divisions."""

    mul: int
    add: int
    div: int
    trig: int


class Count(NamedTuple):
    """Operations of a method: as its code is written, and for one robot with constants folded (None: not asked)."""

    kinematics: Operations
    method: Operations
    folded: Operations | None


class SumCount(NamedTuple):
    """Operations of one sum of Yaskevich's method: by the printed formula, corrected, and counted."""

    name: str
    row: str
    printed: Operations
    corrected: Operations
    counted: Operations


class Source(dict[str, str]):
    """Generated files, {name: text}. operations: {function: Operations}; statements: {function: how many}."""

    operations: dict[str, Operations]
    statements: dict[str, int]

    def write(self, directory: str | os.PathLike[str]) -> None:
        """Writes the files into a directory, which is made when it is not there."""
        os.makedirs(directory, exist_ok=True)
        for name, text in self.items():
            with open(os.path.join(directory, name), "w", encoding="utf-8") as file:
                file.write(text)


def _index(names: Iterable[str], name: str, what: str) -> int:
    listed = list(names)
    if name not in listed:
        raise ValueError(f"{what}: expected one of {', '.join(listed)}, found {name!r}")
    return listed.index(name)


def printed_operations(question: str, method: str, n: int) -> Operations | None:
    """Operations by the formula that a method's publication prints, for n revolute joints in a chain; None: there is none."""
    from . import _full

    told = _full.printed(_index(_core.questions(), question, "question"), method, n)
    return None if told is None else Operations(*told)


class Generated(_core.Robot):
    """Counting and generating code for one robot."""

    def count(self, question: str, method: str = "auto", *, fold: bool = True) -> Count:
        """Operations of a method of zveno.methods(question): as written, and folded for this robot if fold."""
        from . import _full

        told = _full.count(self, _index(_core.questions(), question, "question"), method, fold)
        return Count(*(None if x is None else Operations(*x) for x in told))  # type: ignore[arg-type]

    def count_generated(self, function: str, frame: Any = 0) -> Operations:
        """Operations of a function as codegen would write it."""
        from . import _full

        which = _index(_full.generated_names(), function, "function")
        return Operations(*_full.count_generated(self, which, self._frame_index(frame)))

    def count_sums(self) -> list[SumCount]:
        """Yaskevich's table 1 for this robot, a chain of revolute joints."""
        from . import _full

        return [SumCount(name, row, *(Operations(*x) for x in rest)) for name, row, *rest in _full.count_sums(self)]

    def _frame_index(self, frame: Any) -> int:
        if isinstance(frame, str):
            index = self._find("f", frame)
            if index < 0:
                raise KeyError(f"frame: expected one of those of the robot (robot.frames), found {frame!r}")
            return index
        return int(getattr(frame, "index", frame))

    def codegen(
        self,
        functions: str | Iterable[str] = ("inverse", "forward", "mass"),
        *,
        language: str = "c",
        name: str | None = None,
        frame: Any = None,
        single: bool = False,
        lanes: int = 0,
        passive: bool = False,
        smoothing: float | None = None,
        symbols: str | None = None,
        origin_moments: bool = False,
        external: bool = False,
        flexible: ArrayLike | Iterable[str | int] | None = None,
        independent: ArrayLike | Iterable[str | int] | None = None,
        model_file: str | None = None,
    ) -> Source:
        """Straight-line C for this robot, or its equations in LaTeX, Maxima or SymPy, as texts.

        functions: words of zveno.generated_functions(), or "all": all, those of a frame where one is given. lanes 4 or
        8: beside each a twin over arrays of states. passive: springs, damping and friction of the joints act besides.
        Equations: symbols, "all" or "m,l,J1zz=I1", keeps parameters as letters; external: a wrench at the frame;
        flexible: degrees of freedom that motors drive through springs; independent: those to reduce loops by.
        model_file: C: also a test that reads this file and compares with the library.
        """
        import shutil
        import tempfile

        from . import _full

        names = _full.generated_names()
        of_frame = ("pose", "jacobian")
        if functions == "all":
            derived = () if not passive else ("inverse_derivatives", "forward_derivatives")
            functions = [n for n in names if (frame is not None or n not in of_frame) and n not in derived]
        listed = [functions] if isinstance(functions, str) else list(functions)
        bits = sum({1 << _index(names, n, "functions") for n in listed})
        if language == "c" and frame is None and any(n in of_frame for n in listed):
            raise ValueError("frame: expected the frame of pose and jacobian, found none")
        kind = _index(LANGUAGES, language, "language")
        if smoothing is None:
            smoothing = 0.01 if passive and language == "c" else 0.0
        folder = tempfile.mkdtemp(prefix="zveno-")
        try:
            files, told = _full.codegen(
                self, folder, kind, name, bits, self._frame_index(0 if frame is None else frame), single, lanes, passive,
                smoothing, symbols, origin_moments, external, freedoms(self, flexible, "flexible"),
                freedoms(self, independent, "independent"), model_file,
            )  # fmt: skip
            source = Source()
            for file in files:
                with open(os.path.join(folder, file), encoding="utf-8") as text:
                    source[file] = text.read()
        finally:
            shutil.rmtree(folder)
        source.operations = {function: Operations(*told[function][0]) for function in told}
        source.statements = {function: told[function][1] for function in told}
        return source

    def compile(
        self,
        functions: str | Iterable[str] = "all",
        *,
        frame: Any = None,
        passive: bool = False,
        smoothing: float | None = None,
        compiler: str | None = None,
        flags: str = "-std=c17 -O2 -march=native -ffp-contract=fast",
    ) -> Compiled:
        """This robot's generated C, compiled and loaded: asked as the robot is, compiled.inverse_dynamics(q, v, a).

        functions as of codegen; those of a frame need frame. compiler: its command, if left out that of the environment
        variable CC, else cc. External forces and methods are not among its arguments. Files lie in a new directory of
        the user's own and are gone when this returns.
        """
        import shutil
        import tempfile

        from . import _full

        source = self.codegen(functions, frame=frame, name="generated", passive=passive, smoothing=smoothing)
        folder = tempfile.mkdtemp(prefix="zveno-")
        try:
            return _full.Compiled(self, build(source, folder, ["generated.c"], compiler, flags), "generated")
        finally:
            shutil.rmtree(folder)


def build(source: Source, folder: str, programs: list[str], compiler: str | None, flags: str) -> str:
    """Writes the files into a folder and compiles some of them to the library whose path is returned."""
    import shlex
    import subprocess

    command = shlex.split(compiler or os.environ.get("CC") or "cc")
    source.write(folder)
    library = os.path.join(folder, "generated.so")
    paths = [os.path.join(folder, program) for program in programs]
    try:
        told = subprocess.run(
            [*command, *shlex.split(flags), "-shared", "-fPIC", "-o", library, *paths, "-lm"], capture_output=True, text=True
        )
    except FileNotFoundError as error:
        text = f"expected a C compiler, found no {command[0]!r}; install one, or name it by compiler= or CC"
        raise make(-11, "ZV_NOT_SUPPORTED", "", 0, 0, command[0], text) from error
    if told.returncode != 0:
        text = f"{command[0]} did not compile the generated code: {told.stderr.strip()[:2000]}"
        raise make(-11, "ZV_NOT_SUPPORTED", "", 0, 0, command[0], text)
    return library


def generated_functions() -> tuple[str, ...]:
    """Words of the functions that codegen and compile know: "inverse", "forward", ..."""
    from . import _full

    return _full.generated_names()


__all__ = [
    "Count", "Generated", "Operations", "Source", "SumCount", "generated_functions", "printed_operations",
]  # fmt: skip
