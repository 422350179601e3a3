"""A run as it goes on, in a cell of a notebook."""

from __future__ import annotations

import html
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from .simulation import Progress

_MOST = 800  # points of a curve; of more every second one is dropped
_COLORS = ("#1f6feb", "#d1242f", "#2da44e", "#bf8700", "#8250df", "#1b7c83", "#bc4c00", "#57606a")


def _curves(name: str, labels: Iterable[str], t: NDArray[np.float64], x: NDArray[np.float64], end: float) -> str:
    """The curves of one channel as SVG, with its name and the range of its values."""
    width, height, left = 640, 120, 8
    finite = x[np.isfinite(x)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)
    span, period = (high - low) or 1.0, (end - float(t[0])) or 1.0
    lines = []
    for k in range(x.shape[1]):
        good = np.isfinite(x[:, k])
        at = left + (width - 2 * left) * (t[good] - t[0]) / period
        up = height - 8 - (height - 16) * (x[good, k] - low) / span
        points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(at, up))
        lines.append(f'<polyline fill="none" stroke="{_COLORS[k % len(_COLORS)]}" stroke-width="1.5" points="{points}"/>')
    said = html.escape(f"{name}: {', '.join(labels)}; {low:.4g} to {high:.4g}")
    frame = f'<rect width="{width}" height="{height}" fill="none" stroke="#d0d7de"/>'
    return f'<div>{said}</div><svg width="{width}" height="{height}">{frame}{"".join(lines)}</svg>'


class Live:
    """simulate(..., progress=zveno.Live("q")): curves of these channels while the run goes on, in a cell of a notebook.

    Without a notebook it prints a line. It shows what the recording gets, as of the last row before each look.
    """

    wants_rows = True

    def __init__(self, *channels: str) -> None:
        self.channels = channels
        self.t: list[float] = []
        self.values: dict[str, list[NDArray[np.float64]]] = {}
        self._handle: Any = None

    def __call__(self, p: Progress) -> None:
        if p.values is not None and (not self.t or float(p.values["time"][0]) > self.t[-1]):
            self._keep(p)
        if "IPython" in sys.modules:
            self._display(p)
        else:
            from .simulation import print_progress

            print_progress(p)

    def _keep(self, p: Progress) -> None:
        assert p.values is not None
        unknown = [name for name in self.channels if name not in p.values]
        if unknown:
            raise KeyError(f"channel: expected one of {', '.join(p.values)}, found {unknown[0]!r}")
        self.t.append(float(p.values["time"][0]))
        for name in self.channels:
            self.values.setdefault(name, []).append(p.values[name])
        if len(self.t) > _MOST:
            self.t = self.t[::2]
            self.values = {name: x[::2] for name, x in self.values.items()}

    def html(self, p: Progress) -> str:
        """What the cell shows."""
        done = 100 * (p.t - p.start) / (p.end - p.start) if p.end > p.start else 100.0
        head = f"t = {p.t:.6g} of {p.end:.6g} s, {p.steps} steps, {p.elapsed:.1f} s"
        bar = f'<progress max="100" value="{done:.1f}" style="width: 640px"></progress>'
        t = np.array(self.t)
        curves = [
            _curves(name, (str(k) for k in range(len(x[0]))), t, np.array(x), p.end) for name, x in self.values.items() if len(t) > 1
        ]
        return f"<div>{head}</div>{bar}{''.join(curves)}" + (f"<div>{html.escape(p.advice)}</div>" if p.advice else "")

    def _display(self, p: Progress) -> None:
        display = sys.modules["IPython"].display
        shown = display.HTML(self.html(p))
        if self._handle is None:
            self._handle = display.display(shown, display_id=True)
        elif self._handle is not None:
            self._handle.update(shown)
