"""Descriptions and scenarios as dictionaries, lists, numbers and texts, and as the text that the library reads."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from . import _core

# Texts that the reader takes for numbers: angles in degrees, multiples and fractions of pi.
_NUMBER = re.compile(r"-?[0-9.]+(e[-+]?[0-9]+)? deg|-?([0-9.]+\*)?pi(/[0-9.]+)?")


def _plain(value: Any) -> Any:
    """What json.dumps does not know: arrays and numbers of NumPy, paths."""
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    raise TypeError(f"expected numbers, texts, lists and dictionaries, found {type(value).__name__}")


def _word(value: Any) -> str:
    if isinstance(value, str) and _NUMBER.fullmatch(value):
        return value
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{json.dumps(str(k))}: {_word(v)}" for k, v in value.items() if v is not None) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_word(v) for v in value) + "]"
    if isinstance(value, (np.ndarray, np.generic)):
        return _word(value.tolist())
    return json.dumps(value, default=_plain)


def dump(document: Mapping[str, Any]) -> str:
    """The text of a document, each element of a list on a line of its own, so that a line of an error tells which."""
    lines = []
    for key, value in document.items():
        if isinstance(value, (list, tuple)) and value and isinstance(value[0], Mapping):
            lines.append(f"{json.dumps(key)}:")
            lines += [f"  - {_word(item)}" for item in value]
        elif value is not None:
            lines.append(f"{json.dumps(key)}: {_word(value)}")
    return "\n".join(lines) + "\n"


def load(text: str | bytes, name: str = "text") -> dict[str, Any]:
    """A YAML or JSON document as dictionaries, lists, numbers and texts; name stands in errors."""
    document: dict[str, Any] = _core.load(text, name)
    return document
