"""Recordings: channels of numbers over time, read as far as they are looked at; as tables; as reports."""

from __future__ import annotations

import importlib
import os
import threading
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    from ._full import Summary
    from .robot import Robot

Array = NDArray[np.float64]


class Channel(NamedTuple):
    """One channel: `width` numbers a row; units of single numbers where they differ, else `unit` holds for all."""

    name: str
    unit: str
    about: str
    width: int
    labels: tuple[str, ...]
    units: tuple[str, ...]


class Event(NamedTuple):
    """Something that happened at one time, s."""

    t: float
    name: str
    text: str


def _channel(told: dict[str, Any]) -> Channel:
    width = told["width"]
    labels = told["labels"] or tuple(str(i) for i in range(width))
    return Channel(told["name"], told["unit"], told["about"], width, labels, told["units"] or (told["unit"],) * width)


class Report:
    """A page of HTML that shows recordings anywhere: replay, plots, summary, energies. In a notebook it shows itself."""

    def __init__(self, html: str, problems: list[str]) -> None:
        self.html, self.problems = html, problems

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the page."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.html)

    def __repr__(self) -> str:
        return f"<zveno.Report of {len(self.html) / 1e6:.2f} MB>"

    def _repr_html_(self) -> str:
        """The page in a frame of its own, which sees nothing of the notebook."""
        import html

        return (
            f'<iframe srcdoc="{html.escape(self.html)}" sandbox="allow-scripts allow-downloads" '
            'style="width: 100%; height: 760px; border: 0"></iframe>'
        )


class Recording(Mapping[str, Array]):
    """Channels of numbers over time by their names: recording["q"] is (rows, width), or (rows) where the width is 1.

    zveno.Recording(path) opens a file, HDF5 or CSV; a channel is read when it is first asked for, and kept. Runs that
    were not written to a file have one in memory, whose channels are views. Arrays are read-only.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        from . import _full

        self.path: str | None = os.fspath(path)
        self._file: _full.Recording | None = _full.Recording(self.path)
        self._kept: Summary | None = None
        told = self._file.tell()
        self._take(told["rows"], told["channels"])
        self.checked: bool = told["checked"]
        self._found: tuple[dict[str, str], list[Event]] | None = None

    @classmethod
    def _in_memory(cls, kept: Summary, notes: dict[str, str], events: list[Event]) -> Recording:
        self = cls.__new__(cls)
        self.path, self._file, self._kept, self.checked = None, None, kept, True
        rows = cast(Array, kept.rows())
        self._take(len(rows), kept.channels() or [])
        self._found = notes, events
        first = 0
        for channel in self.channels:
            self._read[channel.name] = rows[:, first : first + channel.width]
            first += channel.width
        return self

    def _take(self, rows: int, channels: list[dict[str, Any]]) -> None:
        self.rows = rows
        self.channels = tuple(_channel(c) for c in channels)
        self._number = {c.name: i for i, c in enumerate(self.channels)}
        self._read: dict[str, Array] = {}
        self._lock = threading.Lock()

    def channel(self, name: str) -> Channel:
        """What a channel is."""
        return self.channels[self._index(name)]

    def _index(self, name: str) -> int:
        if name not in self._number:
            raise KeyError(f"channel: expected one of {', '.join(self._number)}, found {name!r}")
        return self._number[name]

    def read(self, name: str, first: int = 0, count: int | None = None) -> Array:
        """Rows first to first + count of a channel, (count, width), and no others from the file."""
        index = self._index(name)
        count = self.rows - first if count is None else count
        if first < 0 or count < 0 or first + count > self.rows:
            raise IndexError(f"rows: expected some of 0 to {self.rows}, found {first} to {first + count}")
        if name in self._read:
            return self._read[name][first : first + count]
        assert self._file is not None
        with self._lock:
            return self._file.read((index,), first, count)[0]

    def load(self, *names: str) -> None:
        """Reads these channels, or all, at once; of CSV in one go."""
        wanted = [n for n in names or self._number if n not in self._read]
        if self._file is None or not wanted:
            return
        with self._lock:
            for name, x in zip(wanted, self._file.read(tuple(self._index(n) for n in wanted), 0, self.rows), strict=True):
                x.setflags(write=False)
                self._read[name] = x

    def __getitem__(self, name: str) -> Array:
        self._index(name)
        self.load(name)
        x = self._read[name]
        return x[:, 0] if x.shape[1] == 1 else x

    def __iter__(self) -> Iterator[str]:
        return iter(self._number)

    def __len__(self) -> int:
        return len(self.channels)

    def __repr__(self) -> str:
        return f"<zveno.Recording {self.path or 'in memory'}: {self.rows} rows of {', '.join(self._number)}>"

    @property
    def time(self) -> Array:
        """The times of the rows (rows), s."""
        return self["time"]

    @cached_property
    def notes(self) -> dict[str, str]:
        """Texts: scenario, model, version, statistics, ledger and what else the recording was given."""
        if self._found:
            return self._found[0]
        assert self._file is not None
        return self._file.notes()

    @cached_property
    def events(self) -> list[Event]:
        """What happened, in order."""
        if self._found:
            return self._found[1]
        assert self._file is not None
        return [Event(*e) for e in self._file.events()]

    def robot(self) -> Robot:
        """The robot that was simulated, as the recording has it."""
        from .robot import parse

        if "model" not in self.notes:
            raise KeyError("expected the note \"model\" in the recording, found none")
        return parse(self.notes["model"], "the note \"model\"", "native")

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes a copy, HDF5 or CSV by the suffix of path."""
        if self._kept is not None:
            self._kept.write(os.fspath(path))
            return
        assert self._file is not None
        with self._lock:
            self._file.write(os.fspath(path))

    def _columns(self) -> dict[str, Array]:
        self.load()
        columns = {}
        for c in self.channels:
            for k in range(c.width):
                columns[c.name if c.width == 1 else f"{c.name}.{c.labels[k]}"] = self._read[c.name][:, k]
        return columns

    def to_pandas(self) -> Any:
        """A pandas.DataFrame over time, columns "q.elbow"; units stand in its attrs."""
        pandas = importlib.import_module("pandas")
        columns = self._columns()
        index = pandas.Index(columns.pop("time"), name="time") if "time" in columns else None
        table = pandas.DataFrame(columns, index=index)
        names = {c.name if c.width == 1 else f"{c.name}.{label}": u for c in self.channels for label, u in zip(c.labels, c.units)}
        table.attrs["units"] = names
        return table

    def to_xarray(self) -> Any:
        """An xarray.Dataset: a variable for each channel over time, and over its labels where it has several."""
        xarray = importlib.import_module("xarray")
        self.load()
        time = {"time": self.time} if "time" in self._number else {}
        variables: dict[str, Any] = {}
        axes: dict[str, Any] = dict(time)
        for c in self.channels:
            if c.name == "time":
                continue
            told = {"units": c.unit, "long_name": c.about}
            if c.width == 1:
                variables[c.name] = ("time", self[c.name], told)
            else:
                axes[f"{c.name} entry"] = np.array(c.labels)
                variables[c.name] = (("time", f"{c.name} entry"), self[c.name], told)
        return xarray.Dataset(variables, axes)

    def report(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        against: Recording | None = None,
        title: str | None = None,
        modes: str | os.PathLike[str] | None = None,
        meshes: str | os.PathLike[str] | None = None,
        rows: int = 0,
    ) -> Report:
        """One page of HTML with replay, plots and tables; written to path if given, shown by a notebook.

        against: a second recording to compare with. modes: a file that "zveno modes --json" wrote. meshes: a folder
        where meshes are looked for. rows: how many of a long recording are kept (0: as the command does).
        """
        import tempfile

        from . import _full

        with tempfile.TemporaryDirectory(prefix="zveno-") as folder:
            paths = [r._path_of(folder, k) for k, r in enumerate((self, against)) if r is not None]
            modes_path = None if modes is None else os.fspath(modes)
            meshes_path = None if meshes is None else os.fspath(meshes)
            text, problems = _full.report(
                paths[0], paths[1] if against else None, title, modes_path, meshes_path, "zveno.Recording.report", rows
            )
        report = Report(text, problems)
        if path is not None:
            report.save(path)
        return report

    def _path_of(self, folder: str, number: int) -> str:
        if self.path is not None:
            return self.path
        path = os.path.join(folder, f"recording{number + 1}.h5")
        self.write(path)
        return path


def write_recording(
    path: str | os.PathLike[str],
    channels: Mapping[str, ArrayLike],
    *,
    units: Mapping[str, str | tuple[str, ...]] | None = None,
    labels: Mapping[str, tuple[str, ...]] | None = None,
    about: Mapping[str, str] | None = None,
    notes: Mapping[str, str] | None = None,
    events: list[Event] | list[tuple[float, str, str]] | None = None,
) -> Recording:
    """Writes arrays as a recording, HDF5 or CSV by the suffix of path, and opens it.

    channels: {name: (rows) or (rows, width)}; "time" should come first. units: {name: unit, or one for each number}.
    A note "model" (robot.native) and a channel "q" make a report show the robot.
    """
    from . import _full

    units, labels, about = units or {}, labels or {}, about or {}
    parts: list[Array] = []
    told = []
    for name, given in channels.items():
        x = np.asarray(given, float)
        x = x[:, None] if x.ndim == 1 else x
        if x.ndim != 2:
            raise ValueError(f"channel {name!r}: expected shape (rows) or (rows, width), found {np.shape(given)}")
        if parts and len(x) != len(parts[0]):
            raise ValueError(f"channel {name!r}: expected {len(parts[0])} rows like the others, found {len(x)}")
        unit = units.get(name, "s" if name == "time" else "1")
        single = unit if isinstance(unit, str) else ""
        each = None if isinstance(unit, str) else tuple(unit)
        own = labels.get(name)
        told.append((name, single, about.get(name) or "", x.shape[1], None if own is None else tuple(own), each))
        parts.append(x)
    if not parts:
        raise ValueError("channels: expected at least one, found none")
    width = sum(x.shape[1] for x in parts)
    if width > 4096:
        raise ValueError(f"channels: expected at most 4096 numbers a row, found {width}")
    happened = [(float(t), str(name), str(text)) for t, name, text in events or []]
    _full.write_recording(os.fspath(path), told, np.hstack(parts), happened, list((notes or {}).items()))
    return Recording(path)
