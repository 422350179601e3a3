"""Runs the lines of Python that README.md shows, as they stand there."""

import os
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
lines = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), flags=re.S)
assert lines, "README.md shows no lines of Python"
os.chdir(ROOT)
exec(lines.group(1))
