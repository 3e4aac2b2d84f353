"""Whether the microphone or the camera is in use on Linux, by what the kernel shows of them."""

from __future__ import annotations

from pathlib import Path


def microphone_in_use(sound: Path = Path("/proc/asound")) -> bool:
    """Whether anything records sound. Sound servers hold the device only while somebody listens to it."""
    for status in sound.glob("card*/pcm*c/sub*/status"):
        try:
            if "state: RUNNING" in status.read_text():
                return True
        except OSError:  # unplugged just now
            continue
    return False


def camera_in_use(devices: Path = Path("/dev"), processes: Path = Path("/proc")) -> bool:
    """Whether a process of the person's holds a camera open. Those of others cannot be seen."""
    cameras = {str(camera) for camera in devices.glob("video[0-9]*")}
    if not cameras:
        return False
    for folder in processes.glob("[0-9]*/fd"):
        try:
            if any(str(descriptor.readlink()) in cameras for descriptor in folder.iterdir()):
                return True
        except OSError:  # it ended, or is somebody else's
            continue
    return False
