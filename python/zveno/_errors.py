"""Exceptions: one class per kind of failure, each with place and remedy where the library knows them."""

from __future__ import annotations

import warnings


class Error(Exception):
    """A failure of the library.

    status: its name, such as "ZV_SINGULAR"; code: its number; file, line, column: where in a file, "" and 0 when unknown;
    token: the offending word; text: what is wrong and what to do about it.
    """

    def __init__(
        self, text: str, status: str = "", code: int = 0, file: str = "", line: int = 0, column: int = 0, token: str = ""
    ) -> None:
        self.text, self.status, self.code = text, status, code
        self.file, self.line, self.column, self.token = file, line, column, token
        place = ":".join(str(part) for part in (file, line, column) if part)
        super().__init__(f"{place}: {text}" if place else text)

    def __reduce__(self) -> tuple[object, ...]:
        parts = (self.text, self.status, self.code, self.file, self.line, self.column, self.token)
        return type(self), parts


class ModelError(Error, ValueError):
    """A robot, scenario or number that is wrong: syntax, keys, names, sizes, topology, physics."""


class FileError(Error, OSError):
    """A file that could not be read or written."""

    __str__ = Exception.__str__


class SingularError(Error, ArithmeticError):
    """The equations of motion are singular."""


class ConvergenceError(Error, ArithmeticError):
    """An iteration or integration did not converge."""


class ClosureError(Error, ArithmeticError):
    """Closed loops cannot be closed, or not with what was given."""


class NotSupportedError(Error, NotImplementedError):
    """This method, robot or build cannot do what was asked."""


class OutOfMemory(Error, MemoryError):
    """Out of memory."""


class DegradedWarning(UserWarning):
    """An answer is usable, but degraded: redundant conditions of loops, a task near a singular position."""


_KINDS: dict[str, type[Error]] = {
    "ZV_MEMORY": OutOfMemory,
    "ZV_IO": FileError,
    "ZV_SINGULAR": SingularError,
    "ZV_NOT_SUPPORTED": NotSupportedError,
    "ZV_NO_CONVERGENCE": ConvergenceError,
    "ZV_CLOSURE": ClosureError,
}


def make(code: int, status: str, file: str, line: int, column: int, token: str, text: str) -> Error:
    """The exception of a status of the library; called by the extension modules."""
    return _KINDS.get(status, ModelError)(text, status, code, file, line, column, token)


def warn(what: str, sentence: str) -> None:
    """Says that an answer is degraded; called by the extension modules."""
    warnings.warn(f"{what}: {sentence}; status=ARRAY tells it in place of this warning", DegradedWarning, stacklevel=2)
