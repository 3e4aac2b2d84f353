"""Where the frozen program begins."""

import os
import sys

# The loader has put our own libraries before those of the system. It is done with that, and what we start
# beside ourselves (a browser, `ps`) must not load them. Our own children need them as we did: this word makes
# their loader begin anew, where it would take over what it believes that we left in place.
os.environ["PYINSTALLER_RESET_ENVIRONMENT"] = "1"
for name in ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "LIBPATH"):
    before = os.environ.pop(f"{name}_ORIG", None)
    if before is not None:
        os.environ[name] = before
    elif os.environ.get(name, "").startswith(sys._MEIPASS):  # type: ignore[attr-defined]
        del os.environ[name]

from metaclaw_tray.__main__ import main  # noqa: E402 the environment comes first

sys.exit(main())
