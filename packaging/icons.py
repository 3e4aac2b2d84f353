"""Draws the app's icon in the sizes of the hicolor theme: `icons.py FOLDER`, with Qt."""

import shutil
import sys
from pathlib import Path

from PySide6.QtCore import QSize
from PySide6.QtGui import QGuiApplication, QIcon

NAME = "metaclaw-tray"
DRAWN = Path(__file__).parents[1] / "resources" / "app" / f"{NAME}.svg"
SIZES = (16, 22, 24, 32, 48, 64, 128, 256, 512)

application = QGuiApplication(sys.argv)
theme = Path(sys.argv[1])
icon = QIcon(str(DRAWN))
for size in SIZES:
    file = theme / f"{size}x{size}" / "apps" / f"{NAME}.png"
    file.parent.mkdir(parents=True, exist_ok=True)
    if not icon.pixmap(QSize(size, size), 1.0).save(str(file)):
        sys.exit(f"{file} could not be written")
scalable = theme / "scalable" / "apps" / DRAWN.name
scalable.parent.mkdir(parents=True, exist_ok=True)
shutil.copyfile(DRAWN, scalable)
