"""The real app with its tray, and with the stand-in job in place of training.

`python -m slow.desktop.training_app FOLDER`: the job counts its steps in FOLDER.
"""

from __future__ import annotations

import sys
from pathlib import Path

from metaclaw_tray.paths import Paths
from metaclaw_tray.runtime import serve
from omls.driven.job import SteppingJob

if __name__ == "__main__":
    sys.exit(serve(Paths.find(), None, as_json=False, window="hidden", job=SteppingJob(Path(sys.argv[1]))))
