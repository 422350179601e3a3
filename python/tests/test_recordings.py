"""Recordings read, written, as tables; reports, which a browser shows as a notebook would."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import zveno
from conftest import other, robot
from test_simulation import SWING
from zveno import _full


def test_file_and_memory_are_the_same(tmp_path: Path) -> None:
    kept = zveno.simulate(SWING)
    for suffix in ("h5", "csv"):
        path = tmp_path / f"swing.{suffix}"
        run = zveno.simulate(SWING, path)
        assert run.output == str(path)
        opened = zveno.Recording(path)
        assert list(opened) == ["time", "q", "v", "energy"] == list(kept.recording)
        for name in opened:
            assert np.array_equal(opened[name], kept.recording[name]) and not opened[name].flags.writeable
        assert opened[name] is not None and opened["q"].base is not None
        assert opened.channels == kept.recording.channels and opened.channel("q").units == ("rad",)
        assert opened.robot().nv == 1 and opened.notes["ending"] == "end of duration"
        assert np.array_equal(zveno.Recording(path).read("q", 5, 3)[:, 0], opened["q"][5:8])
        opened.write(tmp_path / "copy.csv")
        assert np.array_equal(zveno.Recording(tmp_path / "copy.csv")["v"], opened["v"])
    kept.recording.write(tmp_path / "kept.h5")
    assert zveno.Recording(tmp_path / "kept.h5").notes["scenario"] == zveno.Recording(tmp_path / "swing.h5").notes["scenario"]
    with pytest.raises(KeyError, match="channel: expected one of time, q, v, energy, found 'p'"):
        opened["p"]
    with pytest.raises(IndexError, match="rows: expected"):
        opened.read("q", 5, 10**6)
    with pytest.raises(zveno.FileError):
        zveno.Recording(tmp_path / "none.h5")
    with pytest.raises(ValueError, match="kept no recording"):
        zveno.simulate(SWING, keep=False).recording


def test_events_and_limits_of_a_run() -> None:
    ball = {
        "inline": {
            "links": [{"name": "ground"}, {"name": "ball", "mass": 2, "inertia": [0.1, 0.1, 0.1]}],
            "joints": [{"name": "slide", "type": "prismatic", "parent": "ground", "child": "ball", "axis": [0, 0, 1]}],
        }
    }
    floor = {"name": "floor", "type": "plane", "frame": "ball", "normal": [0, 0, 1], "offset": 0, "action": "bounce", "restitution": 0.5}
    run = zveno.simulate({"model": ball, "duration": 1, "initial": {"q": {"slide": 1}}, "events": [floor]})
    assert run.events[0].name == "floor" and run.events[0].t == pytest.approx(np.sqrt(2 / 9.81))
    assert run.recording.events == run.events
    assert any(row.name == "impacts" and row.amount < 0 for row in run.energy.rows)


def test_written_arrays(tmp_path: Path) -> None:
    arm, time = robot("puma560"), np.linspace(0, 1, 11)
    q = np.outer(np.sin(time), np.ones(6))
    labels = {"q": arm.q_names}
    written = zveno.write_recording(
        tmp_path / "own.h5", {"time": time, "q": q, "error": time**2}, units={"q": arm.q_units}, labels=labels,
        notes={"model": arm.native, "title": "own"}, events=[(0.5, "half", "way")],
    )  # fmt: skip
    assert np.array_equal(written["q"], q) and written.channel("q").labels == arm.q_names
    assert written.events == [(0.5, "half", "way")] and written.robot().name == "puma560"
    with pytest.raises(ValueError, match="expected 11 rows like the others, found 3"):
        zveno.write_recording(tmp_path / "own.h5", {"time": time, "q": q[:3]})
    with pytest.raises(ValueError, match="expected at least one"):
        zveno.write_recording(tmp_path / "own.h5", {})
    with pytest.raises(zveno.FileError):
        zveno.write_recording(tmp_path / "no" / "own.h5", {"time": time})


def test_tables() -> None:
    pandas, xarray = pytest.importorskip("pandas"), pytest.importorskip("xarray")
    recording = zveno.simulate(SWING).recording
    table = recording.to_pandas()
    assert isinstance(table, pandas.DataFrame) and table.index.name == "time" and table.attrs["units"]["q.pivot" if "q.pivot" in table else "q"] == "rad"
    assert np.array_equal(table["energy.kinetic"], recording["energy"][:, 0])
    data = recording.to_xarray()
    assert isinstance(data, xarray.Dataset) and data["q"].attrs["units"] == "rad"
    assert np.array_equal(data["energy"].sel({"energy entry": "kinetic"}), recording["energy"][:, 0])


def test_report_in_a_notebook(tmp_path: Path) -> None:
    if not _full.has_page():
        pytest.skip("a build without the page: Node.js and npm make it")
    recording = zveno.simulate(SWING).recording
    report = recording.report(tmp_path / "swing.html", title="A swing")
    assert "A swing" in (tmp_path / "swing.html").read_text() and report.problems == []
    compared = recording.report(against=zveno.simulate(SWING, changes={"integrator.method": "rk4"}).recording)
    assert len(compared.html) > len(report.html)
    # a cell of a notebook is a page with the HTML of the report in it
    cell = report._repr_html_()
    assert cell.startswith("<iframe srcdoc=")
    assert_shows_swing(f"<!doctype html><meta charset=utf-8><body>{cell}", tmp_path / "cell.html")


def test_report_in_jupyter(tmp_path: Path) -> None:
    """A notebook that Jupyter runs, as the page that it makes of it."""
    if not _full.has_page():
        pytest.skip("a build without the page: Node.js and npm make it")
    other("nbconvert"), other("ipykernel")
    source = ["import zveno\n", f"zveno.simulate({SWING!r}).recording.report(title='A swing')"]
    cell = {"cell_type": "code", "execution_count": None, "id": "a", "metadata": {}, "outputs": [], "source": source}
    notebook = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (tmp_path / "swing.ipynb").write_text(json.dumps(notebook))
    convert = [sys.executable, "-W", "ignore", "-m", "nbconvert", "--execute", "--to", "html", "swing.ipynb"]
    done = subprocess.run(convert, cwd=tmp_path, capture_output=True, text=True, timeout=1800)
    assert done.returncode == 0, done.stderr[-2000:]
    page = (tmp_path / "swing.html").read_text(encoding="utf-8")
    assert page.count("<iframe ") == 1 and ' srcdoc="' in page
    assert_shows_swing(page, tmp_path / "shown.html")


def assert_shows_swing(page: str, path: Path) -> None:
    """In a browser the frame of the report shows it; what a frame shows it tells to a page of its own origin only."""
    chromium = next((c for c in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if c), None)
    if not chromium:
        pytest.skip("no Chromium")
    probe = page.replace('sandbox="allow-scripts', 'sandbox="allow-scripts allow-same-origin')
    assert probe != page
    path.write_text(
        f"{probe}<script>\n"
        "const frame = document.querySelector('iframe');\n"
        "const look = () => { const d = frame.contentDocument; const text = d && d.body ? d.body.innerText : '';\n"
        "  document.body.dataset.shown = text; document.body.dataset.canvases = d ? d.querySelectorAll('canvas').length : 0;\n"
        "  if (!text.includes('A swing')) setTimeout(look, 50); }; look();</script>",
        encoding="utf-8",
    )
    told = subprocess.run(
        [chromium, "--headless=new", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=20000", "--dump-dom", path.as_uri()],
        capture_output=True, text=True, timeout=600,
    )  # fmt: skip
    assert 'data-shown="' in told.stdout
    shown = told.stdout.split('data-shown="', 1)[1].split('"', 1)[0]
    assert "A swing" in shown and "pivot" in shown, shown[:500] or told.stderr[-500:]
    assert int(told.stdout.split('data-canvases="', 1)[1].split('"', 1)[0]) > 0
