"""The figures that must come out exactly, from tests/golden/seed_facts.json."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

GOLDEN = Path(__file__).resolve().parent.parent / "golden"
FACTS: dict[str, Any] = json.loads((GOLDEN / "seed_facts.json").read_text(encoding="utf-8"))
