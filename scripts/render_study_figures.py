"""Draws docs/images/studies/ from the studies themselves.

python scripts/render_study_figures.py            # write them
python scripts/render_study_figures.py --check    # say which are not what the studies give

Each drawing carries a hash of the charts it was made from, so that a check needs no drawing: one
that matplotlib would draw otherwise today is still right.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
from pathlib import Path

from bytepair import studies
from bytepair.view.plot import draw

ROOT = Path(__file__).resolve().parent.parent
FIGURES = ROOT / "docs" / "images" / "studies"


def pictured() -> list[str]:
    """The studies whose drawing some page shows."""
    pages = (path.read_text(encoding="utf-8") for path in (ROOT / "docs").rglob("*.md"))
    shown = {name for page in pages for name in re.findall(r"images/studies/([\w-]+)\.svg", page)}
    return [name for name in studies.names() if name in shown]


def fingerprint(study: studies.Study) -> str:
    charts = json.dumps(study.as_json()["charts"], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(charts.encode()).hexdigest()


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if one is old")
    asked = parser.parse_args(arguments)
    stale = []
    for name in pictured():
        study, path = studies.run(name), FIGURES / f"{name}.svg"
        mark = f"<!-- charts {fingerprint(study)} -->"
        if path.exists() and mark in path.read_text(encoding="utf-8"):
            continue
        stale.append(name)
        if not asked.check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"{draw(study.charts).decode().rstrip()}\n{mark}\n", encoding="utf-8")
    for name in stale:
        print(f"{'old' if asked.check else 'drawn'}: docs/images/studies/{name}.svg")
    return 1 if asked.check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
