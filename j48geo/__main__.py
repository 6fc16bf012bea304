"""``python -m j48geo``."""

from __future__ import annotations

import sys

from j48geo.cli import main

if __name__ == "__main__":
    sys.exit(main())
